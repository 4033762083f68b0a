import { createRequire } from "node:module";
import { MAX_HIGHLIGHTED_CHARACTERS_PER_BLOCK } from "../../budgets.js";
import { html, Html } from "../html.js";
import type { RenderBudget } from "./budget.js";

/** A grammar of highlight.js, or a part of one. */
interface Mode {
  readonly contains?: readonly Mode[];
  readonly starts?: Mode | null;
  /** Language of the text in this part. */
  readonly subLanguage?: string | readonly string[] | null;
}

interface Highlighter {
  getLanguage(name: string): Mode | undefined;
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

/** Renders source code, highlighted if highlight.js knows the language and it is not too long. */
export function renderCode(source: string, language: string, budget: RenderBudget): Html {
  const text = budget.clip(source);
  const highlightName = HIGHLIGHT_JS_NAMES[language] ?? language;
  const isHighlighted =
    text.length <= MAX_HIGHLIGHTED_CHARACTERS_PER_BLOCK && hljs.getLanguage(highlightName) !== undefined;
  const plain = html`${text}`;
  // highlight.js escapes the code and adds only spans with classes.
  const format = (): Html =>
    new Html(hljs.highlight(text, { language: highlightName, ignoreIllegals: true }).value);
  const prepare = (): boolean => compileGrammar(highlightName);
  const content = isHighlighted ? budget.addPart({ format, plain, prepare }) : plain;
  return html`<pre
    tabindex="0"
    role="group"
    aria-label="${`Code, ${language}`}"
  ><code>${content}</code></pre>`;
}

const compiledGrammars = new Set<Mode>();

/**
 * Compiles the grammar of a language, and those of languages in it, such as CSS in HTML. Returns false if it was compiled before.
 * Must not be interrupted: highlight.js marks a grammar as compiled before it is, and would use the incomplete one from then on.
 */
function compileGrammar(name: string): boolean {
  const grammar = hljs.getLanguage(name);
  if (grammar === undefined || compiledGrammars.has(grammar)) return false;
  compiledGrammars.add(grammar);
  hljs.highlight("", { language: name, ignoreIllegals: true });
  for (const embedded of listEmbeddedLanguages(grammar)) compileGrammar(embedded);
  return true;
}

/** Lists the languages that parts of a compiled grammar refer to. */
function listEmbeddedLanguages(grammar: Mode): Set<string> {
  const names = new Set<string>();
  // Modes can contain each other. The loop also visits those that it adds.
  const modes = new Set([grammar]);
  for (const { contains = [], starts, subLanguage } of modes) {
    if (typeof subLanguage === "string") names.add(subLanguage);
    for (const mode of contains) modes.add(mode);
    if (starts) modes.add(starts);
  }
  return names;
}
