import type { Icon } from "../../domain/icon.js";
import type { NumberFormats } from "../../operations/views/number-formats.js";
import type { Html } from "../html.js";
import type { RenderBudget } from "./budget.js";

/** Data for rendering content: the budget of the page, and the titles and number formats that the content needs. */
export interface RenderContext {
  readonly budget: RenderBudget;
  /** Titles of pages and databases that the content refers to, by id. */
  readonly titles: ReadonlyMap<string, string>;
  readonly numberFormats: NumberFormats;
}

/** Data for rendering the blocks of a page. */
export interface BlockContext extends RenderContext {
  /** Icons of the pages and databases that blocks show as links, by id. */
  readonly icons: ReadonlyMap<string, Icon>;
  /** Rendered breadcrumbs of the page, for breadcrumb blocks. */
  readonly breadcrumbs: Html;
  /** Headings of the page, for tables of contents. */
  readonly headings: readonly Heading[];
  /** Levels of the last rendered heading and of those above it, see addToOutline. */
  readonly outline: number[];
  /** HTML ids that are in use, because synced copies repeat blocks. */
  readonly usedIds: Set<string>;
}

export interface Heading {
  readonly id: string;
  /** Depth in the outline of the page, from 1, see addToOutline. */
  readonly depth: number;
  readonly text: string;
}
