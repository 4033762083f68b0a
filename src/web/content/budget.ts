import type { NumberFormat } from "./number.js";

/** Characters of text that one page shows; the rest is cut with a note. */
const MAX_TEXT_CHARACTERS = 2_000_000;
/** Characters of source code that are highlighted on one page: the highlighter takes about 1 ms for 2,000. */
const MAX_HIGHLIGHTED_CHARACTERS = 200_000;
/** Equations that are typeset on one page; further ones are shown as their source. */
const MAX_EQUATIONS = 500;

/** Bounds the work and the size of one rendered page, so that hostile content cannot stall the service. */
export class RenderBudget {
  private characters = MAX_TEXT_CHARACTERS;
  private highlighted = MAX_HIGHLIGHTED_CHARACTERS;
  private equations = MAX_EQUATIONS;

  /** Whether text was cut because the page is too long. */
  isExhausted = false;

  /** Returns a text, or as much of it as the page may still show. */
  text(text: string): string {
    if (text.length <= this.characters) {
      this.characters -= text.length;
      return text;
    }
    const shown = text.slice(0, this.characters);
    this.characters = 0;
    this.isExhausted = true;
    return shown;
  }

  /** Reserves the highlighting of a number of characters; false when the budget of the page is used up. */
  reserveHighlighting(characters: number): boolean {
    if (characters > this.highlighted) return false;
    this.highlighted -= characters;
    return true;
  }

  /** Reserves the typesetting of an equation; false when the budget of the page is used up. */
  reserveEquation(): boolean {
    this.equations -= 1;
    return this.equations >= 0;
  }
}

/** Context of rendering: the budget of the page, and what the content refers to. */
export interface RenderContext {
  readonly budget: RenderBudget;
  /** Titles of pages and databases that the content refers to, by id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Formats of number properties, by property id. */
  readonly numberFormats: ReadonlyMap<string, NumberFormat>;
}
