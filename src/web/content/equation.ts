import { createRequire } from "node:module";
import { html, Html } from "../html.js";
import type { RenderBudget } from "./budget.js";

interface Typesetter {
  renderToString(
    expression: string,
    options: {
      displayMode: boolean;
      throwOnError: boolean;
      trust: boolean;
      maxExpand: number;
      /** Largest width and height of a part, in em. */
      maxSize: [number, number];
    },
  ): string;
}

// The cast: the package's own types would add the browser's types to the whole project.
const temml = createRequire(import.meta.url)("temml") as Typesetter;

/** Characters of the longest equation that is typeset. */
const MAX_EQUATION_CHARACTERS = 2_000;
/** Macro expansions of one equation, which could double with each. */
const MAX_EXPANSIONS = 200;

/** Renders a TeX equation as MathML, or as its source where it cannot be typeset. */
export function renderEquation(
  expression: string,
  { display }: { readonly display: boolean },
  budget: RenderBudget,
): Html {
  const source = budget.text(expression);
  if (source.length <= MAX_EQUATION_CHARACTERS && budget.reserveEquation()) {
    try {
      const mathml = temml.renderToString(source, {
        displayMode: display,
        throwOnError: true,
        trust: false,
        maxExpand: MAX_EXPANSIONS,
        maxSize: [20, 20],
      });
      return new Html(withoutStyles(mathml));
    } catch {
      // Not an equation that can be typeset: its source is the best there is.
    }
  }
  return html`<code class="equation-source">${source}</code>`;
}

/** Removes style attributes, which the content security policy forbids. */
function withoutStyles(mathml: string): string {
  return mathml.replaceAll(/ style="[^"]*"/g, "");
}
