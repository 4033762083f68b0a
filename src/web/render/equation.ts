import { createRequire } from "node:module";
import { MAX_EQUATION_CHARACTERS, MAX_MACRO_EXPANSIONS } from "../../budgets.js";
import { html, Html } from "../html.js";
import type { RenderBudget } from "./budget.js";

interface Temml {
  renderToString(
    expression: string,
    options: {
      displayMode: boolean;
      throwOnError: boolean;
      trust: boolean;
      maxExpand: number;
      /** Maximum width and height of a part, in em. */
      maxSize: [number, number];
      /** Makes lines of text break after operators of an equation, as in TeX. */
      wrap: "tex";
    },
  ): string;
}

// Safe cast: the package's own types would add the browser's types to the whole project.
const temml = createRequire(import.meta.url)("temml") as Temml;

/** Renders a TeX equation as MathML, or as its source if it is invalid or exceeds a limit. */
export function renderEquation(
  expression: string,
  { display }: { readonly display: boolean },
  budget: RenderBudget,
): Html {
  const source = budget.clip(expression);
  const plain = html`<code class="equation-source">${source}</code>`;
  if (source.length > MAX_EQUATION_CHARACTERS) return plain;
  const format = (): Html => typeset(source, display) ?? plain;
  return budget.addPart({ format, plain });
}

/** Renders an equation as MathML. Returns undefined for invalid TeX, and for too many macro expansions. */
function typeset(source: string, display: boolean): Html | undefined {
  try {
    const mathml = temml.renderToString(source, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: MAX_MACRO_EXPANSIONS,
      maxSize: [20, 20],
      wrap: "tex",
    });
    return new Html(replaceStyles(mathml));
  } catch {
    return undefined;
  }
}

/** Replaces style attributes, which the content security policy forbids, by a color attribute and a class for frames. */
function replaceStyles(mathml: string): string {
  return mathml.replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
    const color = /(?:^|;)color:(#\w+)/.exec(style)?.[1];
    const frame = style.includes("border:") ? ' class="framed"' : "";
    return (color === undefined ? "" : ` mathcolor="${color}"`) + frame;
  });
}
