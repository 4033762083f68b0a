import type { Schemas } from "../../domain/api-schemas.js";
import type { NonRollupValue } from "../../domain/properties/response-values.js";

export type PropertyItem = Schemas["PropertyItem"];

type PropertyValue = Schemas["PropertyValue"];
type FullDescriptor = Schemas["PropertyItemListOf"];
/** Omits the URL from each member of the union. */
type WithoutUrl<T> = T extends FullDescriptor ? Omit<T, "next_url"> : never;
/** The property whose value is listed by items, and the result of a rollup. */
export type ListDescriptor = WithoutUrl<FullDescriptor>;

/** Types whose values are lists of items. */
const LIST_TYPES: readonly string[] = ["title", "rich_text", "people", "relation"];

/** Creates the descriptor of a list; undefined for another value. */
export function createListDescriptor({ id, ...value }: PropertyValue): ListDescriptor | undefined {
  if (value.type === "rollup") {
    const rollup = value.rollup.type === "array" ? { ...value.rollup, array: [] } : value.rollup;
    return { id, type: "rollup", rollup };
  }
  // Safe cast: the descriptors of all other lists have this form.
  return LIST_TYPES.includes(value.type)
    ? ({ id, type: value.type, [value.type]: {} } as ListDescriptor)
    : undefined;
}

/** Splits a value into items: one per element of a list, one for any other value, none for a rollup with a single result. */
export function toPropertyItems({ id, ...value }: PropertyValue): PropertyItem[] {
  if (value.type !== "rollup") return toItemsOfValue(id, value);
  return value.rollup.type === "array"
    ? value.rollup.array.flatMap((element) => toItemsOfValue(id, element))
    : [];
}

function toItemsOfValue(id: string, value: NonRollupValue): PropertyItem[] {
  const { type } = value;
  const content: unknown = Reflect.get(value, type);
  const isList = LIST_TYPES.includes(type) && Array.isArray(content);
  // Safe cast: an item has the type of its value, and under this name an element of the list or the value itself.
  return (isList ? content : [content]).map(
    (item) => ({ object: "property_item", id, type, [type]: item }) as PropertyItem,
  );
}
