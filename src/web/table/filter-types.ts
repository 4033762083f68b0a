import { parseDate } from "../../domain/properties/dates.js";
import { getIds } from "../../lists.js";
import type { DatabaseBody } from "../../operations/present/database.js";

export type Property = DatabaseBody["properties"][string];

/** A person, a bot or a related page that a filter can compare. */
export interface NamedObject {
  readonly id: string;
  /** Name of a person or bot; pages are found by title. */
  readonly name?: string | null;
}

/** Labels of the filter conditions, by API name. For people, `equals` stands for `contains` of the API. */
export const CONDITION_LABELS = {
  contains: "contains",
  does_not_contain: "does not contain",
  equals: "is",
  does_not_equal: "is not",
  greater_than: "is more than",
  less_than: "is less than",
  before: "is before",
  after: "is after",
  is_empty: "is empty",
  is_not_empty: "is not empty",
} as const;
export type ConditionName = keyof typeof CONDITION_LABELS;

/** A value that the API compares, or the IDs of the users or related pages that a name stands for. */
export type Operand = string | number | boolean | readonly string[];

/** Conditions and values that filter tables by properties of a type. */
export interface FilterType {
  readonly conditions: readonly ConditionName[];
  /** Parses the value that a filter compares; returns undefined if it does not fit. */
  readonly parse: (value: string, property: Property, objects: readonly NamedObject[]) => Operand | undefined;
  /** Describes the values that fit, unless they are options or all texts. */
  readonly expected?: string;
  /** Formats the message for a name that no user or page has. */
  readonly describeUnknown?: (value: string) => string;
  /** Placeholder of the field for the value; "Value" when omitted. */
  readonly placeholder?: string;
  /** Whether the values are names of users. */
  readonly comparesUsers?: true;
}

const EQUALITY = ["equals", "does_not_equal"] as const;
const CONTAINMENT = ["contains", "does_not_contain"] as const;
const EMPTINESS = ["is_empty", "is_not_empty"] as const;
const COMPARISONS = [...EQUALITY, "greater_than", "less_than"] as const;

const TEXT: FilterType = { conditions: [...CONTAINMENT, ...EQUALITY, ...EMPTINESS], parse: (value) => value };

const OPTION: FilterType = {
  conditions: [...EQUALITY, ...EMPTINESS],
  parse: (value, property) => {
    const options = listOptions(property);
    // Names can differ only in case, and begin or end with spaces.
    const option = options.find(({ name }) => name === value) ?? findByName(options, value)[0];
    return option?.name;
  },
};

const TIME: FilterType = {
  conditions: ["equals", "before", "after"],
  parse: (value) => (parseDate(value) === undefined ? undefined : value),
  expected: "a date such as 2026-12-24",
  placeholder: "2026-12-24 (UTC)",
};

const USER: FilterType = {
  conditions: EQUALITY,
  parse: (value, _property, users) => toIds(findByName(users, value)),
  expected: "the name of a person or API key",
  describeUnknown: (value) => `No person or API key has the name “${value}”.`,
  comparesUsers: true,
};

const RELATION: FilterType = {
  conditions: [...CONTAINMENT, ...EMPTINESS],
  parse: (value, _property, pages) => (value === "" ? undefined : toIds(pages)),
  expected: "a part of the title of a related page",
  describeUnknown: (value) => `No related page has “${value}” in its title.`,
};

/** Filters that only test whether a property has a value, or none at all. */
const EXISTENCE: FilterType = { conditions: EMPTINESS, parse: () => undefined };
const NONE: FilterType = { conditions: [], parse: () => undefined };

const FILTER_TYPES: Readonly<Record<Property["type"], FilterType>> = {
  title: TEXT,
  rich_text: TEXT,
  url: TEXT,
  email: TEXT,
  phone_number: TEXT,
  select: OPTION,
  status: OPTION,
  multi_select: { ...OPTION, conditions: [...CONTAINMENT, ...EMPTINESS] },
  number: {
    conditions: [...COMPARISONS, ...EMPTINESS],
    parse: (value, property) =>
      parseNumber(value, property.type === "number" && property.number.format === "percent"),
    expected: "a number such as 12.5",
  },
  unique_id: {
    conditions: COMPARISONS,
    // Pages show the number with a prefix, such as ORD-12. The prefix is ignored.
    parse: (value) => parseNumber(/^(?:.*-)?(\d{1,15})$/.exec(value)?.[1] ?? "", false),
    expected: "a number such as 12",
  },
  checkbox: {
    conditions: EQUALITY,
    // `☑` and `☐` are the texts of checkboxes in tables.
    parse(value) {
      if (/^(yes|true|1|☑)$/i.test(value)) return true;
      return /^(no|false|0|☐)$/i.test(value) ? false : undefined;
    },
    expected: "“yes” or “no”",
    placeholder: "yes or no",
  },
  date: { ...TIME, conditions: [...TIME.conditions, ...EMPTINESS] },
  created_time: TIME,
  last_edited_time: TIME,
  people: { ...USER, conditions: [...EQUALITY, ...EMPTINESS] },
  created_by: USER,
  last_edited_by: USER,
  files: EXISTENCE,
  relation: RELATION,
  rollup: NONE,
};

export function findProperty(name: string, { properties }: DatabaseBody): Property | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Returns the filter type of a property; NONE if the property does not exist. */
export function getFilterType(name: string, database: DatabaseBody): FilterType {
  const property = findProperty(name, database);
  return property === undefined ? NONE : FILTER_TYPES[property.type];
}

/** Start of a number with a comma, or a space, between all thousands. */
const THOUSANDS = /^[+-]?[1-9]\d{0,2}([,\s])\d{3}(?:\1\d{3})*(?!\d)/;

/** Parses a number, including the formats that tables show, such as `-$1,234.50` or `12.5%`. Percentages need no percent sign. */
function parseNumber(text: string, isPercentage: boolean): number | undefined {
  const digits = text
    .replace(/^([+-]?)[\p{L}\p{Sc}\s]+/u, "$1")
    .replace(THOUSANDS, (thousands) => thousands.replaceAll(/[,\s]/g, ""))
    .replace(isPercentage ? /\s?%?$/ : /\s?%$/, "e-2");
  return digits === "" || !Number.isFinite(Number(digits)) ? undefined : Number(digits);
}

/** Options of a select, multi-select or status property. */
export type Options = readonly { readonly name: string }[];

/** Lists the options of a property; none if its type has no options. */
export function listOptions(property: Property): Options {
  switch (property.type) {
    case "select":
      return property.select.options;
    case "status":
      return property.status.options;
    case "multi_select":
      return property.multi_select.options;
    default:
      return [];
  }
}

/** Finds the objects with a name, ignoring case and the spaces around it. */
function findByName<T extends { readonly name?: string | null }>(objects: readonly T[], text: string): T[] {
  return objects.filter(({ name }) => name?.trim().toLowerCase() === text.toLowerCase());
}

function toIds(objects: readonly NamedObject[]): string[] | undefined {
  return objects.length === 0 ? undefined : getIds(objects);
}
