import { type NonRollupValue, toNonRollupValue } from "../../../../src/domain/properties/response-values.js";
import { computeRollup, getRollupResultType } from "../../../../src/domain/properties/compute-rollup.js";
import type { RichText } from "../../../../src/domain/rich-text.js";
import {
  findPropertyByNameFirst,
  type DefinitionOf,
  type PropertyDefinition,
} from "../../../../src/domain/schema.js";
import { NOW, type World, type WorldPage } from "./world.js";

/*
 * Computes the expected result of a query from the values of every page in the format of responses. It shares no code with
 * the compiler of queries to SQL.
 */

type Value = NonRollupValue;
type Json = Record<string, unknown>;
/** Value by which pages are sorted. */
type Key = string | number | null;

const DAY = 86_400_000;
const foldCase = (text: string): string =>
  // Single letters, because the lower case of a letter can depend on the ones before it.
  Array.from(
    text
      .replace(/[\0\ufffe\uffff]/g, "\ufffd")
      .normalize("NFC")
      .toLowerCase()
      .toUpperCase(),
    (letter) => letter.toLowerCase(),
  )
    .join("")
    .replaceAll("i\u0307", "i")
    .normalize("NFC");

/** Evaluates queries on a world. */
export class Oracle {
  readonly #world: World;
  readonly #others: Map<string, WorldPage>;

  constructor(world: World) {
    this.#world = world;
    this.#others = new Map(world.other.pages.map((page) => [page.id, page]));
  }

  /** Returns the ids of the expected pages in order. */
  query(filter: Json | undefined, sorts: readonly Json[], inTrash: boolean): string[] {
    const hasDescendingIds = this.#listEffectiveSorts(sorts).at(-1)?.direction === "descending";
    return this.#world.main.pages
      .filter((page) => page.inTrash === inTrash && (filter === undefined || this.#matches(page, filter)))
      .map((page) => ({ id: page.id, keys: sorts.map((sort) => this.#key(page, sort)) }))
      .sort((one, other) => {
        for (const [index, { direction }] of sorts.entries()) {
          const order = compareKeys(one.keys[index], other.keys[index], direction === "descending");
          if (order !== 0) return order;
        }
        return one.id < other.id === hasDescendingIds ? 1 : -1;
      })
      .map((page) => page.id);
  }

  #matches(page: WorldPage, filter: Json): boolean {
    if (Array.isArray(filter.and)) return filter.and.every((member) => this.#matches(page, member));
    if (Array.isArray(filter.or)) {
      return filter.or.length === 0 || filter.or.some((member) => this.#matches(page, member));
    }
    if (filter.timestamp === "created_time" || filter.timestamp === "last_edited_time") {
      const time = filter.timestamp === "created_time" ? page.createdTime : page.lastEditedTime;
      return matchesTime(time, getOnlyEntry(filter[filter.timestamp]));
    }
    const property = findPropertyByNameFirst(this.#world.main.schema, String(filter.property));
    if (property === undefined) throw new Error(`no property ${String(filter.property)}`);
    const key = Object.keys(filter).find((name) => name !== "property" && name !== "type") ?? "";
    const [operator, operand] = getOnlyEntry(filter[key]);
    if (property.type !== "rollup") return matches(this.#value(page, property), operator, operand);
    const values = this.#related(page, property);
    const inner = (): [string, unknown] => getOnlyEntry(getOnlyEntry(operand)[1]);
    switch (operator) {
      case "any":
        return values.some((value) => matches(value, ...inner()));
      case "every":
        return values.every((value) => matches(value, ...inner()));
      case "none":
        return !values.some((value) => matches(value, ...inner()));
      default: {
        const result = computeRollup(property.function, values);
        const [scalarOperator, scalarOperand] = getOnlyEntry(operand);
        if (result.type === "number") return matchesNumber(result.number, scalarOperator, scalarOperand);
        return matches(toDateValue(result), scalarOperator, scalarOperand);
      }
    }
  }

  #value(page: WorldPage, property: Exclude<PropertyDefinition, { type: "rollup" }>): Value {
    return toNonRollupValue(property, page, {
      getUser: (id) => ({ object: "user", id }),
      getLinks: () => ({ pageIds: this.#visible(page).map((target) => target.id), hasMore: false }),
    });
  }

  #visible(page: WorldPage): WorldPage[] {
    return page.links
      .map((id) => this.#others.get(id))
      .filter((target) => target?.inTrash === false) as WorldPage[];
  }

  #related(page: WorldPage, rollup: DefinitionOf<"rollup">): Value[] {
    const target = this.#world.other.schema.byId.get(rollup.propertyId);
    if (target === undefined || target.type === "rollup")
      throw new Error("The rollup has no target property.");
    return this.#visible(page).map((each) => this.#value(each, target));
  }

  /** Lists the sorts that order pages: not by a list, and not by the key of an earlier sort. */
  #listEffectiveSorts(sorts: readonly Json[]): Json[] {
    const seen = new Set<unknown>();
    return sorts.filter((sort) => {
      const property = findPropertyByNameFirst(this.#world.main.schema, String(sort.property));
      if (property?.type === "rollup" && getRollupResultType(property.function) === "array") return false;
      const isOfPage = property !== undefined && /^(created|last_edited)_/.test(property.type);
      const key = isOfPage ? property.type : (property?.id ?? sort.timestamp);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
  }

  #key(page: WorldPage, sort: Json): Key {
    if (sort.timestamp === "created_time") return page.createdTime;
    if (sort.timestamp === "last_edited_time") return page.lastEditedTime;
    const property = findPropertyByNameFirst(this.#world.main.schema, String(sort.property));
    if (property === undefined) throw new Error(`no property ${String(sort.property)}`);
    if (property.type === "rollup") {
      const result = computeRollup(property.function, this.#related(page, property));
      if (result.type === "number") return result.number;
      return result.type === "date" ? getTime(toDateValue(result)) : null;
    }
    const value = this.#value(page, property);
    switch (value.type) {
      case "number":
        return value.number;
      case "unique_id":
        return value.unique_id.number;
      case "checkbox":
        return Number(value.checkbox);
      case "date":
      case "created_time":
      case "last_edited_time":
        return getTime(value);
      case "select":
      case "status":
      case "multi_select": {
        const name = listElements(value)[0];
        const options = "options" in property ? property.options : [];
        return name === undefined ? null : options.findIndex((option) => option.name === name);
      }
      case "people":
      case "created_by":
      case "last_edited_by": {
        const user = listElements(value)[0];
        // Folds only ASCII letters, like databases.
        const name = user === undefined ? undefined : this.#world.users.get(user);
        return name?.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) ?? null;
      }
      case "relation": {
        const [target] = this.#visible(page);
        const title = this.#world.other.schema.byId.get("title");
        if (target === undefined || title === undefined || title.type === "rollup") return null;
        const value = this.#value(target, title);
        return value.type === "title" ? truncate(foldCase(joinTexts(value.title))) : null;
      }
      case "files": {
        const [file] = value.files;
        return file === undefined ? null : truncate(foldCase(file.name));
      }
      default: {
        const text = getText(value);
        return text === "" ? null : truncate(foldCase(text));
      }
    }
  }
}

/** Compares keys of one sort. Null is the last in both directions. */
function compareKeys(first: Key = null, second: Key = null, isDescending: boolean): number {
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  const order =
    typeof first === "number" && typeof second === "number"
      ? first - second
      : Buffer.compare(Buffer.from(String(first)), Buffer.from(String(second)));
  return isDescending ? -order : order;
}

function truncate(text: string): string {
  return Array.from(text).slice(0, 128).join("");
}

function getOnlyEntry(condition: unknown): [string, unknown] {
  const [entry, second] = Object.entries(condition as Json);
  if (entry === undefined || second !== undefined)
    throw new Error("The condition must have exactly one operator.");
  return entry;
}

function toDateValue(result: ReturnType<typeof computeRollup>): Value {
  return { type: "date", date: result.type === "date" ? result.date : null };
}

/** @param mention stands for a mention of a user */
function joinTexts(runs: readonly RichText[], mention = ""): string {
  return runs.map((run) => (run.type === "mention" ? mention : run.plain_text)).join("");
}

function getText(value: Value): string {
  switch (value.type) {
    case "title":
      return joinTexts(value.title, "\ufffc");
    case "rich_text":
      return joinTexts(value.rich_text, "\ufffc");
    case "url":
      return value.url ?? "";
    case "email":
      return value.email ?? "";
    case "phone_number":
      return value.phone_number ?? "";
    default:
      throw new Error(`${value.type} is not a text`);
  }
}

function getTime(value: Value): number | null {
  switch (value.type) {
    case "date":
      return value.date === null ? null : Date.parse(value.date.start);
    case "created_time":
      return Date.parse(value.created_time);
    case "last_edited_time":
      return Date.parse(value.last_edited_time);
    default:
      throw new Error(`${value.type} is not a time`);
  }
}

/** Returns the names of options, or the ids of users and pages. */
function listElements(value: Value): string[] {
  switch (value.type) {
    case "select":
      return value.select === null ? [] : [value.select.name];
    case "status":
      return value.status === null ? [] : [value.status.name];
    case "multi_select":
      return value.multi_select.map((option) => option.name);
    case "people":
      return value.people.map((user) => user.id);
    case "created_by":
      return [value.created_by.id];
    case "last_edited_by":
      return [value.last_edited_by.id];
    case "relation":
      return value.relation.map((page) => page.id);
    default:
      throw new Error(`${value.type} is not a list`);
  }
}

function matches(value: Value, operator: string, operand: unknown): boolean {
  switch (value.type) {
    case "number":
      return matchesNumber(value.number, operator, operand);
    case "unique_id":
      return matchesNumber(value.unique_id.number, operator, operand);
    case "checkbox":
      return (value.checkbox === operand) === (operator === "equals");
    case "date":
    case "created_time":
    case "last_edited_time":
      return matchesTime(getTime(value), [operator, operand]);
    case "files":
      return (value.files.length === 0) === (operator === "is_empty");
    case "select":
    case "status":
    case "multi_select":
    case "people":
    case "created_by":
    case "last_edited_by":
    case "relation": {
      const all = listElements(value);
      if (operator === "is_empty") return all.length === 0;
      if (operator === "is_not_empty") return all.length > 0;
      return all.includes(String(operand)) === (operator === "equals" || operator === "contains");
    }
    default:
      return matchesText(getText(value), operator, String(operand));
  }
}

function matchesText(text: string, operator: string, operand: string): boolean {
  const [whole, part] = [foldCase(text), foldCase(operand)];
  switch (operator) {
    case "equals":
      return whole === part;
    case "does_not_equal":
      return whole !== part;
    case "contains":
      return whole.includes(part);
    case "does_not_contain":
      return !whole.includes(part);
    case "starts_with":
      return whole.startsWith(part);
    case "ends_with":
      return whole.endsWith(part);
    case "is_empty":
      return text === "";
    case "is_not_empty":
      return text !== "";
    default:
      throw new Error(`Texts have no operator ${operator}.`);
  }
}

function matchesNumber(number: number | null, operator: string, operand: unknown): boolean {
  if (operator === "is_empty") return number === null;
  if (operator === "is_not_empty") return number !== null;
  if (operator === "does_not_equal") return number !== operand;
  if (number === null) return false;
  const other = Number(operand);
  switch (operator) {
    case "equals":
      return number === other;
    case "greater_than":
      return number > other;
    case "less_than":
      return number < other;
    case "greater_than_or_equal_to":
      return number >= other;
    case "less_than_or_equal_to":
      return number <= other;
    default:
      throw new Error(`Numbers have no operator ${operator}.`);
  }
}

function matchesTime(time: number | null, [operator, operand]: [string, unknown]): boolean {
  if (operator === "is_empty") return time === null;
  if (operator === "is_not_empty") return time !== null;
  if (time === null) return false;
  const text = String(operand);
  const other = Date.parse(/T.*(Z|[+-]\d\d:\d\d)$|^[^T]*$/.test(text) ? text : `${text}Z`);
  // A date equals all times of the day.
  const own = text.includes("T") ? time : Math.floor(time / DAY) * DAY;
  const day = (offset: number): string => new Date(NOW + offset * DAY).toISOString().slice(0, 10);
  const today = new Date(time).toISOString().slice(0, 10);
  const inMonths = (months: number): string => {
    // Valid, because every month has the day of NOW.
    const date = new Date(NOW);
    date.setUTCMonth(date.getUTCMonth() + months);
    return date.toISOString().slice(0, 10);
  };
  switch (operator) {
    case "equals":
      return own === other;
    case "before":
      return own < other;
    case "after":
      return own > other;
    case "on_or_before":
      return own <= other;
    case "on_or_after":
      return own >= other;
    case "this_week":
      return today >= "2026-05-04" && today <= "2026-05-10";
    case "past_week":
      return today >= day(-7) && time <= NOW;
    case "past_month":
      return today >= inMonths(-1) && time <= NOW;
    case "past_year":
      return today >= inMonths(-12) && time <= NOW;
    case "next_week":
      return today >= day(0) && today <= day(7);
    case "next_month":
      return today >= day(0) && today <= inMonths(1);
    case "next_year":
      return today >= day(0) && today <= inMonths(12);
    default:
      throw new Error(`Times have no operator ${operator}.`);
  }
}
