import type { Schemas } from "../../domain/api-schemas.js";
import type { NonRollupValue } from "../../domain/properties/response-values.js";

export type PropertyItem = Schemas["PropertyItem"];

type PropertyValue = Schemas["PropertyValue"];
type FullDescriptor = Schemas["PropertyItemListOf"];
/** Omits the URL from each member of the union. */
type WithoutUrl<T> = T extends FullDescriptor ? Omit<T, "next_url"> : never;
/** The property whose value is listed by items, and the result of a rollup. */
export type ListDescriptor = WithoutUrl<FullDescriptor>;

/** Creates the descriptor of a list; undefined for another value, and for a relation, which callers describe themselves. */
export function createListDescriptor(value: PropertyValue): ListDescriptor | undefined {
  const { id } = value;
  switch (value.type) {
    case "title":
      return { id, type: "title", title: {} };
    case "rich_text":
      return { id, type: "rich_text", rich_text: {} };
    case "people":
      return { id, type: "people", people: {} };
    case "rollup": {
      const rollup = value.rollup.type === "array" ? { ...value.rollup, array: [] } : value.rollup;
      return { id, type: "rollup", rollup };
    }
    default:
      return undefined;
  }
}

/** Splits a value into items: one per element of a list, one for any other value, none for a rollup with a single result. */
export function toPropertyItems(value: PropertyValue): PropertyItem[] {
  const { id } = value;
  if (value.type !== "rollup") return toItemsOfValue(id, value);
  return value.rollup.type === "array"
    ? value.rollup.array.flatMap((element) => toItemsOfValue(id, element))
    : [];
}

function toItemsOfValue(id: string, value: NonRollupValue): PropertyItem[] {
  const common = { object: "property_item" as const, id };
  switch (value.type) {
    case "title":
      return value.title.map((run) => ({ ...common, type: "title", title: run }));
    case "rich_text":
      return value.rich_text.map((run) => ({ ...common, type: "rich_text", rich_text: run }));
    case "people":
      return value.people.map((user) => ({ ...common, type: "people", people: user }));
    case "relation":
      return value.relation.map((page) => ({ ...common, type: "relation", relation: page }));
    default:
      return [{ ...value, ...common }];
  }
}
