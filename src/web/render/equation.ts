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
    // Without the ids of \label, which can be those of other elements of the page. Texts have no quotes, because Temml escapes them.
    const anonymous = mathml.replaceAll(/ id="[^"]*"/g, "");
    return new Html(replaceStyles(display ? splitRow(anonymous) : anonymous));
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

/**
 * Splits the row of a display equation after each operator, so that CSS can wrap it. Temml does this only for equations in a line of
 * text. Rows in brackets or in a table stay whole.
 */
function splitRow(mathml: string): string {
  const [, start = "", row = "", end = ""] =
    /^(<math[^>]*><mrow>)([^]*)(<\/mrow><\/math>)$/.exec(mathml) ?? [];
  if (row === "") return mathml;
  let depth = 0;
  let isBreak = false;
  const parts = row.replaceAll(/<(\/?)(\w+)([^>]*)>/g, (tag: string, slash, name, attributes: string) => {
    if (slash === "") {
      // Parentheses have a form, and sums have limits.
      if (depth === 0) isBreak = name === "mo" && !/form=|movablelimits=/.test(attributes);
      depth += 1;
      return tag;
    }
    depth -= 1;
    return depth === 0 && isBreak ? `${tag}</mrow><mrow>` : tag;
  });
  return start + parts + end;
}
