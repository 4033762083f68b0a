import type { components } from "../../../generated/types.js";
import { html, type Html, type Part } from "../html.js";
import { timeTag } from "../pages/layout.js";
import type { RenderContext } from "./budget.js";
import { renderDate } from "./date.js";
import { contentPath, safeLink } from "./links.js";
import { formatNumber, formatRollup } from "./number.js";
import { renderRichText } from "./rich-text.js";

export type PropertyValue = components["schemas"]["PropertyValue"];
type RollupElement = components["schemas"]["RollupElement"];
type Option = components["schemas"]["OptionValue"];
type UserReference = components["schemas"]["UserReference"];

/** Types whose values have frames of their own instead of commas between them. */
const OPTION_TYPES: ReadonlySet<string> = new Set(["select", "status", "multi_select"]);

/** Renders the value of a property, in a table's cell or beside its name; undefined when it is empty. */
export function renderPropertyValue(value: PropertyValue | RollupElement, context: RenderContext): Part {
  switch (value.type) {
    case "title":
      return renderList(value.title, (runs) => renderRichText(runs, context.budget));
    case "rich_text":
      return renderList(value.rich_text, (runs) => renderRichText(runs, context.budget));
    case "number":
      return value.number === null
        ? undefined
        : formatNumber(value.number, ("id" in value && context.numberFormats.get(value.id)) || "number");
    case "select":
      return value.select === null ? undefined : renderOption(value.select);
    case "status":
      return value.status === null ? undefined : renderOption(value.status);
    case "multi_select":
      return joinParts(value.multi_select.map(renderOption), " ");
    case "date":
      return value.date === null ? undefined : renderDate(value.date);
    case "people":
      return joinParts(value.people.map(renderUser), ", ");
    case "files":
      return joinParts(
        value.files.map((file) => {
          const { url } = file.type === "external" ? file.external : file.file;
          return renderAddress(url, file.name || url);
        }),
        ", ",
      );
    case "checkbox":
      return html`<span class="checkbox" aria-hidden="true">${value.checkbox ? "✓" : "–"}</span
        ><span class="visually-hidden">${value.checkbox ? "Yes" : "No"}</span>`;
    case "url":
      return value.url === null ? undefined : renderAddress(value.url, value.url);
    case "email":
      return value.email === null ? undefined : renderAddress(`mailto:${value.email}`, value.email);
    case "phone_number":
      return value.phone_number ?? undefined;
    case "relation":
      return joinParts(
        [
          ...value.relation.map(
            ({ id }) =>
              html`<a href="${contentPath(id)}">${context.budget.clip(context.titles.get(id) ?? "Page")}</a>`,
          ),
          ...(value.has_more ? ["…"] : []),
        ],
        ", ",
      );
    case "rollup":
      return renderRollup(value, context);
    case "created_time":
      return timeTag(Date.parse(value.created_time), true);
    case "last_edited_time":
      return timeTag(Date.parse(value.last_edited_time), true);
    case "created_by":
      return renderUser(value.created_by);
    case "last_edited_by":
      return renderUser(value.last_edited_by);
    case "unique_id": {
      const { prefix, number } = value.unique_id;
      return number === null ? undefined : prefix === null ? number : `${prefix}-${number}`;
    }
  }
}

/** Returns the name of a user as pages show it. */
function userName(user: UserReference): string {
  return "name" in user && typeof user.name === "string" && user.name !== "" ? user.name : "Unknown";
}

function renderUser(user: UserReference): Html {
  return html`<span class="person">${userName(user)}</span>`;
}

function renderOption({ name, color }: Option): Html {
  return html`<span class="option color-${color}_background">${name}</span>`;
}

/** Renders an address as a link, or as text where its scheme is not one that a link may have. */
function renderAddress(address: string, text: string): Part {
  const link = safeLink(address);
  return link === undefined ? text : html`<a href="${link}" rel="noopener noreferrer nofollow">${text}</a>`;
}

function renderRollup(
  { id, rollup }: Extract<PropertyValue, { type: "rollup" }>,
  context: RenderContext,
): Part {
  switch (rollup.type) {
    case "number":
      return rollup.number === null
        ? undefined
        : formatRollup(rollup.number, rollup.function, context.numberFormats.get(id) ?? "number");
    case "date":
      return rollup.date === null ? undefined : renderDate(rollup.date);
    case "array":
      return joinParts(
        // With the id of the rollup, which has the format of its numbers.
        rollup.array.map((element) => renderPropertyValue({ id, ...element }, context)),
        rollup.array.every(({ type }) => OPTION_TYPES.has(type)) ? " " : ", ",
      );
    case "incomplete":
    case "unsupported":
      return undefined;
  }
}

function renderList<T>(items: readonly T[], render: (items: readonly T[]) => Part): Part {
  return items.length === 0 ? undefined : render(items);
}

function joinParts(parts: readonly Part[], separator: string): Part {
  if (parts.length === 0) return undefined;
  return parts.map((part, index) => [index > 0 && separator, part]);
}
