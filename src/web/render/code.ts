import { createRequire } from "node:module";
import { MAX_HIGHLIGHTED_CHARACTERS_PER_BLOCK } from "../../budgets.js";
import { html, Html } from "../html.js";
import type { RenderBudget } from "./budget.js";

interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

// Safe cast: the package's own types would add the browser's types to the whole project.
const hljs = createRequire(import.meta.url)("highlight.js/lib/common") as Highlighter;

/** The highlight.js names of the API's languages, where they differ. */
const HIGHLIGHT_JS_NAMES: Readonly<Record<string, string>> = {
  "c++": "cpp",
  "c#": "csharp",
  "java/c/c++/c#": "cpp",
  html: "xml",
  markup: "xml",
  "objective-c": "objectivec",
  "vb.net": "vbnet",
  "visual basic": "vbnet",
  toml: "ini",
  webassembly: "wasm",
};

/** Renders source code, highlighted if highlight.js knows the language and the budget allows it. */
export function renderCode(source: string, language: string, budget: RenderBudget): Html {
  const text = budget.clip(source);
  const highlightName = HIGHLIGHT_JS_NAMES[language] ?? language;
  const isHighlighted =
    text.length <= MAX_HIGHLIGHTED_CHARACTERS_PER_BLOCK &&
    hljs.getLanguage(highlightName) !== undefined &&
    budget.reserveHighlighting(text.length);
  const plain = html`${text}`;
  // highlight.js escapes the code and adds only spans with classes.
  const format = (): Html =>
    new Html(hljs.highlight(text, { language: highlightName, ignoreIllegals: true }).value);
  const content = isHighlighted ? budget.addPart({ format, plain }) : plain;
  return html`<pre tabindex="0" aria-label="${`Code, ${language}`}"><code>${content}</code></pre>`;
}
