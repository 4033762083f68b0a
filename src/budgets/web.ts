import { MB, SECOND_MS } from "../units.js";

// Web pages.

/** Time to highlight the code and to typeset the equations of one page, in several turns. Further ones are shown without formatting. */
export const MAX_FORMATTING_MS = 250;
/** Time in one turn of the event loop after which the block or equation that is being formatted is shown without formatting. */
export const MAX_FORMATTING_TURN_MS = 100;
/** Pages that are rendered at once, and for one workspace. Several, so that their database reads overlap. */
export const RENDER_QUEUE = {
  slots: 4,
  slotsPerTenant: 1,
  maxWaitingPerTenant: 100,
  maxWaitMs: 10 * SECOND_MS,
};

/** Length of the texts of a page's blocks as HTML. Its properties and comments together have the same limit. Further text is cut. */
export const MAX_RENDERED_CHARACTERS = 3_000_000;
/** Characters of a block of source code that is highlighted; 2,000 take about 1 ms. A longer block is shown without colors. */
export const MAX_HIGHLIGHTED_CHARACTERS_PER_BLOCK = 20_000;
/** Characters of an equation that is typeset. A longer one is shown as its source. */
export const MAX_EQUATION_CHARACTERS = 2000;
/** Macro expansions in an equation. Nested macros can make it grow exponentially. */
export const MAX_MACRO_EXPANSIONS = 200;

/** Blocks directly in a page that are shown at once. A link leads to the next ones. */
export const MAX_TOP_LEVEL_BLOCKS = 1000;
/** Blocks nested in these blocks, on all levels together. */
export const MAX_NESTED_BLOCKS = 2000;
/** Bytes of the content of these blocks as JSON, and of nested ones. JSON has each text twice: most fit MAX_RENDERED_CHARACTERS. */
export const MAX_PAGE_PART_BYTES = MB;
/** Estimated bytes of the content in a part of a page as JSON, with the titles in mentions. Synced copies count each time. */
export const MAX_SHOWN_CONTENT_BYTES = 3 * MB;
/** Levels of nested blocks, because synced copies can contain themselves. */
export const MAX_BLOCK_LEVELS = 24;
/** Earlier items of a numbered list that are counted, so that its numbers continue in the next part. With more they start too low. */
export const MAX_COUNTED_LIST_ITEMS = 20_000;
/** Ancestors that the page links to, because the nesting of pages is unlimited. */
export const MAX_ANCESTORS = 30;
/** Length of titles in links, in UTF-16 units. */
export const MAX_LINK_TITLE_LENGTH = 200;
/** Bytes of the icon of a link as JSON. A link to an object with a longer one has no icon. */
export const MAX_LINK_ICON_BYTES = 3000;
/** Length of other titles, in UTF-16 units. */
export const MAX_SHOWN_TITLE_LENGTH = 1000;

/** Cells of a table that are shown at once. Each takes about 10 µs to render. A table also shows at most MAX_RESULTS rows. */
export const MAX_TABLE_CELLS = 10_000;
/** Cells of the tables in a page that are shown at once. Even an empty one takes 1 µs to render. */
export const MAX_CELLS_IN_PAGE = 40_000;
/** Options of a property that the message about an unknown option names. */
export const MAX_NAMED_OPTIONS = 10;
/** Options and users of all properties together that the form for filtering a table suggests. */
export const MAX_SUGGESTED_OPTIONS = 1000;
/** Search results, objects in the trash, members, or invitations that are shown at once. */
export const MAX_LISTED_OBJECTS = 50;
/** Databases, and content pages, on the start page. */
export const MAX_START_PAGE_OBJECTS = 20;
/** Keys that the settings show at once, and workspaces of a person. */
export const MAX_SETTINGS_ROWS = 500;
/** Entries of the audit log on the page of the keys. */
export const MAX_SHOWN_AUDIT_EVENTS = 50;
/** Length of the headers Accept and Accept-Encoding that are read. Those of browsers have about 150 characters. */
export const MAX_ACCEPT_HEADER_LENGTH = 1000;
/** Length of a search text in UTF-16 units, as in the API. The time to split it into words grows with its square. */
export const MAX_SEARCH_LENGTH = 2000;
