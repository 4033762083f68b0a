import type { Html } from "../html.js";
import { isNativeError } from "node:util/types";
import { createContext, Script } from "node:vm";
import {
  MAX_EQUATIONS_PER_PAGE,
  MAX_RENDER_MS,
  MAX_HIGHLIGHTED_CHARACTERS_PER_PAGE,
  MAX_RENDERED_CHARACTERS,
} from "../../budgets.js";

/** Characters that html.ts escapes. */
const ESCAPED_CHARACTERS: ReadonlySet<string> = new Set(`&<>"'`);
/** Characters that escaping adds to each of them. */
const ESCAPE_OVERHEAD = "&#38;".length - 1;

/** Bounds the work and the size of one rendered page, so that hostile content cannot stall the service. */
export class RenderBudget {
  private charactersLeft = MAX_RENDERED_CHARACTERS;
  private highlightedCharactersLeft = MAX_HIGHLIGHTED_CHARACTERS_PER_PAGE;
  private equationsLeft = MAX_EQUATIONS_PER_PAGE;

  /** Whether text was cut because the page is too long. */
  isExhausted = false;

  /** @param allowsFormatting Whether to highlight source code and typeset equations. */
  constructor(readonly allowsFormatting = true) {}

  /** Clips a text to the space that is left on the page, and reserves that space. */
  clip(text: string): string {
    let length = 0;
    for (const character of text) {
      const htmlLength = character.length + (ESCAPED_CHARACTERS.has(character) ? ESCAPE_OVERHEAD : 0);
      if (htmlLength > this.charactersLeft) {
        this.charactersLeft = 0;
        this.isExhausted = true;
        return text.slice(0, length);
      }
      this.charactersLeft -= htmlLength;
      length += character.length;
    }
    return text;
  }

  /** Reserves space for HTML, which cannot be cut. Returns the HTML; undefined when it exceeds the space that is left. */
  reserveHtml(html: Html | undefined): Html | undefined {
    if (html === undefined) return undefined;
    if (html.text.length > this.charactersLeft) {
      this.isExhausted = true;
      return undefined;
    }
    this.charactersLeft -= html.text.length;
    return html;
  }

  /** Reserves the highlighting of a number of characters. Returns false when the page's budget is used up or formatting is off. */
  reserveHighlighting(characters: number): boolean {
    if (!this.allowsFormatting || characters > this.highlightedCharactersLeft) return false;
    this.highlightedCharactersLeft -= characters;
    return true;
  }

  /** Reserves the typesetting of an equation. Returns false when the page's budget is used up or formatting is off. */
  reserveEquation(): boolean {
    this.equationsLeft -= 1;
    return this.allowsFormatting && this.equationsLeft >= 0;
  }
}

/** Globals of the script that calls `run`. Pages are rendered from a script, because `node:vm` can interrupt scripts. */
const scriptGlobals: { run?: () => unknown } = {};
const scriptContext = createContext(scriptGlobals);
const renderScript = new Script("run()");

/** Renders a page. If that exceeds MAX_RENDER_MS, renders it again without highlighting and typesetting, which can take minutes. */
export function renderInTime<Result>(render: (budget: RenderBudget) => Result): Result {
  let result: Result | undefined;
  scriptGlobals.run = () => {
    result = render(new RenderBudget());
  };
  try {
    // The time limit also interrupts regular expressions.
    renderScript.runInContext(scriptContext, { timeout: MAX_RENDER_MS });
  } catch (error) {
    if (!(isNativeError(error) && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"))
      throw error;
  } finally {
    // The function would keep the page in memory.
    delete scriptGlobals.run;
  }
  return result ?? render(new RenderBudget(false));
}
