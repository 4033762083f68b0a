import type { PlainValue, PropertyValue } from "./values.js";

/** The parts of a value that the property item endpoint lists, one item each. */
export type ItemValue<User> =
  | PlainValue<User>
  | { readonly type: "title"; readonly title: unknown }
  | { readonly type: "rich_text"; readonly rich_text: unknown }
  | { readonly type: "people"; readonly people: User }
  | { readonly type: "relation"; readonly relation: { readonly id: string } };

/**
 * The items of a value that is shown as a list, even of one item or none: texts by run, people, relations, rollups.
 *
 * @returns undefined for a value that is shown as a single item
 */
export function listItems<User>(value: PropertyValue<User>): readonly ItemValue<User>[] | undefined {
  switch (value.type) {
    case "title":
      return value.title.map((run) => ({ type: "title", title: run }));
    case "rich_text":
      return value.rich_text.map((run) => ({ type: "rich_text", rich_text: run }));
    case "people":
      return value.people.map((user) => ({ type: "people", people: user }));
    case "relation":
      return value.relation.map((page) => ({ type: "relation", relation: page }));
    case "rollup":
      return value.rollup.type === "array" ? value.rollup.array : [];
    default:
      return undefined;
  }
}
