import type { Schemas } from "../../domain/api-schemas.js";
import { isInvisible } from "../../domain/text.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { renderDate, renderTimeTag } from "../format.js";
import type { RenderBudget } from "./budget.js";
import type { RenderContext } from "./context.js";
import { getContentPath, renderExternalLink } from "./links.js";
import { formatNumberValue, formatRollupNumber } from "./number.js";
import { renderRichText } from "./rich-text.js";

type PropertyValue = Schemas["PropertyValue"];
type RollupElement = Schemas["RollupElement"];
type UserReference = Schemas["UserReference"];

/** Types whose values are shown as badges, without commas between them. */
const BADGE_TYPES: ReadonlySet<string> = new Set(["select", "status", "multi_select"]);

/** Types whose renderers reserve space in the budget. For others, renderPropertyValue reserves it. */
const SELF_RESERVING_TYPES: ReadonlySet<string> = new Set([
  "title",
  "rich_text",
  "url",
  "email",
  "files",
  "rollup",
]);

const EMAIL_ADDRESS = /^[^\s@"<>]+@[^\s@"<>]+$/;

/** Renders the value of a property; undefined when it is empty, or the page has no space left. */
export function renderPropertyValue(value: PropertyValue | RollupElement, context: RenderContext): HtmlValue {
  const { budget } = context;
  if (budget.isExhausted) return undefined;
  const rendered = renderValue(value, context) ?? undefined;
  if (rendered === undefined || SELF_RESERVING_TYPES.has(value.type)) return rendered;
  return budget.reserveHtml(html`${rendered}`);
}

function renderValue(value: PropertyValue | RollupElement, context: RenderContext): HtmlValue {
  const { budget } = context;
  switch (value.type) {
    case "title":
      return value.title.length === 0 ? undefined : renderRichText(value.title, budget);
    case "rich_text":
      return value.rich_text.length === 0 ? undefined : renderRichText(value.rich_text, budget);
    case "number":
      return value.number === null
        ? undefined
        : formatNumberValue(value.number, ("id" in value && context.numberFormats.get(value.id)) || "number");
    case "select":
      return value.select && renderOption(value.select);
    case "status":
      return value.status && renderOption(value.status);
    case "multi_select":
      return joinValues(value.multi_select.map(renderOption), " ");
    case "date":
      return value.date && renderDate(value.date);
    case "people":
      return joinValues(value.people.map(getUserName));
    case "files":
      return joinValues(value.files.map((file) => renderFile(file, budget)));
    case "checkbox":
      return renderCheckbox(value.checkbox);
    case "url":
      return value.url && renderExternalLink(value.url, budget.clip(value.url), budget);
    case "email":
      return value.email && renderEmailAddress(value.email, budget);
    case "phone_number":
      return value.phone_number;
    case "relation":
      return renderLinkedPages(value, context);
    case "rollup":
      return renderRollup(value, context);
    case "created_time":
      return renderTimeTag(Date.parse(value.created_time), true);
    case "last_edited_time":
      return renderTimeTag(Date.parse(value.last_edited_time), true);
    case "created_by":
      return getUserName(value.created_by);
    case "last_edited_by":
      return getUserName(value.last_edited_by);
    case "unique_id": {
      const { prefix, number } = value.unique_id;
      return prefix === null || number === null ? number : `${prefix}-${number}`;
    }
  }
}

function getUserName(user: UserReference): string {
  return "name" in user && typeof user.name === "string" && user.name !== "" ? user.name : "Unknown";
}

function renderFile(file: Schemas["FileValue"], budget: RenderBudget): HtmlValue {
  const { url } = file.type === "external" ? file.external : file.file;
  return renderExternalLink(url, budget.clip(isInvisible(file.name) ? url : file.name), budget);
}

function renderCheckbox(isChecked: boolean): Html {
  return html`<span aria-hidden="true">${isChecked ? "☑" : "☐"}</span
    ><span class="visually-hidden">${isChecked ? "Yes" : "No"}</span>`;
}

/** Renders an e-mail address as a link. The API also accepts texts that are not addresses, as Notion's does. */
function renderEmailAddress(email: string, budget: RenderBudget): HtmlValue {
  const shown = budget.clip(email);
  return EMAIL_ADDRESS.test(email) ? renderExternalLink(`mailto:${email}`, shown, budget) : shown;
}

function renderLinkedPages(
  { relation, has_more: hasMore }: Schemas["RelationElement"],
  { titles }: RenderContext,
): HtmlValue {
  const links = relation.map(
    ({ id }) => html`<a href="${getContentPath(id)}">${titles.get(id) ?? "Page"}</a>`,
  );
  return joinValues(hasMore ? [...links, "…"] : links);
}

function renderOption({ name, color }: Schemas["OptionValue"]): Html {
  return html`<span class="option color-${color}_background">${name}</span>`;
}

function renderRollup(
  { id, rollup }: Extract<PropertyValue, { type: "rollup" }>,
  context: RenderContext,
): HtmlValue {
  switch (rollup.type) {
    case "number":
      return rollup.number === null
        ? undefined
        : formatRollupNumber(rollup.number, rollup.function, context.numberFormats.get(id) ?? "number");
    case "date":
      return rollup.date && renderDate(rollup.date);
    case "array":
      return joinValues(
        // The id of the rollup selects the number format of its elements.
        rollup.array.map((element) => renderPropertyValue({ id, ...element }, context)),
        rollup.array.every(({ type }) => BADGE_TYPES.has(type)) ? " " : ", ",
      );
    case "incomplete":
    case "unsupported":
      return undefined;
  }
}

/** Joins values; undefined if all of them are empty. */
function joinValues(values: readonly HtmlValue[], separator = ", "): HtmlValue {
  const parts = values.filter((value) => value !== undefined && value !== "");
  if (parts.length === 0) return undefined;
  return parts.map((part, index) => [index > 0 && separator, part]);
}
