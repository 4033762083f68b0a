import type { Html, HtmlValue } from "../html.js";
import { MAX_RENDERED_CHARACTERS } from "../../budgets.js";
import { type FormattedPart, formatPlaceholder } from "./format-parts.js";

/** Characters that html.ts escapes. */
const ESCAPED_CHARACTERS: ReadonlySet<string> = new Set(`&<>"'`);
/** Characters that escaping adds to each of them. */
const ESCAPE_OVERHEAD = "&#38;".length - 1;

/** Bounds the size of one rendered page, so that hostile content cannot stall the service. */
export class RenderBudget {
  #charactersLeft = MAX_RENDERED_CHARACTERS;

  /** Whether text was cut because the page is too long. */
  isExhausted = false;

  /** @param parts source code and equations of the page, for formatParts. All budgets of a page share the list. */
  constructor(readonly parts: FormattedPart[] = []) {}

  /** Clips a text to the space that is left on the page, and reserves that space. */
  clip(text: string): string {
    let length = 0;
    for (const character of text) {
      const htmlLength = character.length + (ESCAPED_CHARACTERS.has(character) ? ESCAPE_OVERHEAD : 0);
      if (htmlLength > this.#charactersLeft) {
        this.#charactersLeft = 0;
        this.isExhausted = true;
        return text.slice(0, length);
      }
      this.#charactersLeft -= htmlLength;
      length += character.length;
    }
    return text;
  }

  /** Reserves space for HTML, which cannot be cut. Returns the HTML; undefined when it exceeds the space that is left. */
  reserveHtml(html: Html | undefined): Html | undefined {
    if (html === undefined) return undefined;
    if (html.text.length > this.#charactersLeft) {
      this.isExhausted = true;
      return undefined;
    }
    this.#charactersLeft -= html.text.length;
    return html;
  }

  /** Renders HTML whose texts reserve their space, and reserves the space of its markup. */
  reserveMarkup(render: () => Html): Html {
    const before = this.#charactersLeft;
    const html = render();
    const textLength = before - this.#charactersLeft;
    // A placeholder of a part can be shorter than its text.
    const markupLength = Math.max(0, html.text.length - textLength);
    if (markupLength > this.#charactersLeft) this.isExhausted = true;
    this.#charactersLeft = Math.max(0, this.#charactersLeft - markupLength);
    return html;
  }

  /** Renders the elements of a list until the page has no space left. */
  mapWhileLeft<Element>(
    elements: readonly Element[],
    render: (element: Element, index: number) => HtmlValue,
  ): HtmlValue[] {
    const rendered: HtmlValue[] = [];
    for (const [index, element] of elements.entries()) {
      if (this.isExhausted) break;
      rendered.push(render(element, index));
    }
    return rendered;
  }

  /** Adds a part that is formatted after the page was rendered. Returns its placeholder. */
  addPart(part: FormattedPart): Html {
    return formatPlaceholder(this.parts.push(part) - 1);
  }
}
