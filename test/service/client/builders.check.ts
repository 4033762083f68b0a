// Checks the types of pagination and builders. types.test.ts compiles this file without running it.
import { expectTypeOf } from "vitest";
import {
  type Client,
  filter,
  type Operations,
  paginate,
  property,
  queryDatabase,
  retrievePage,
  sort,
} from "../../../src/client/index.js";
import type { ConditionType, Filter, PropertyFilter } from "../../../src/client/filter.js";
import type { components } from "../../../generated/types.js";

type Schemas = components["schemas"];
declare const client: Client;
const path = { database_id: "" };

// Paginated operations, and the types of their items.
for await (const page of paginate(client.queryDatabase, { path, body: {} })) {
  expectTypeOf(page).toEqualTypeOf<Schemas["PageList"]["results"][number]>();
}
for await (const user of paginate(client.listUsers, {})) expectTypeOf(user).toEqualTypeOf<Schemas["User"]>();
for await (const comment of paginate(client.listComments, { query: { block_id: "" } })) {
  expectTypeOf(comment).toEqualTypeOf<Schemas["Comment"]>();
}
for await (const item of paginate(client.retrievePageProperty, { path: { page_id: "", property_id: "" } })) {
  expectTypeOf(item.object).toEqualTypeOf<"property_item">();
}
// Every operation with a cursor in its response also accepts one, except appendBlockChildren.
type Calls = Operations;
type BodyOf<Response> = Response extends { body: infer Body } ? Body : never;
type PagedCall = {
  [Name in keyof Calls]: Extract<
    BodyOf<Awaited<ReturnType<Calls[Name]>>>,
    { next_cursor: string | null }
  > extends never
    ? never
    : Name;
}[keyof Calls];
type FieldOf<Request, Part extends string> = Request extends { [Key in Part]?: infer Fields }
  ? keyof NonNullable<Fields>
  : never;
type CursorCall = {
  [Name in keyof Calls]: "start_cursor" extends
    | FieldOf<NonNullable<Parameters<Calls[Name]>[0]>, "query">
    | FieldOf<NonNullable<Parameters<Calls[Name]>[0]>, "body">
    ? Name
    : never;
}[keyof Calls];
expectTypeOf<Exclude<PagedCall, "appendBlockChildren">>().toEqualTypeOf<CursorCall>();
expectTypeOf<"queryDatabase" | "listUsers">().toExtend<CursorCall>();
// Standalone operations have the same types.
for await (const page of paginate(client, queryDatabase, { path, body: {} })) {
  expectTypeOf(page).toEqualTypeOf<Schemas["PageList"]["results"][number]>();
}
// @ts-expect-error not a list
paginate(client, retrievePage, { path: { page_id: "" } });
// @ts-expect-error the body, which contains the cursor, is missing
paginate(client, queryDatabase, { path });
// @ts-expect-error appended blocks are not paginated
paginate(client.appendBlockChildren, { path: { block_id: "" }, body: { children: [] } });
// @ts-expect-error not a list
paginate(client.retrievePage, { path: { page_id: "" } });
// @ts-expect-error the path is missing
paginate(client.queryDatabase, { body: {} });
// @ts-expect-error the body, which contains the cursor, is missing
paginate(client.queryDatabase, { path });
// @ts-expect-error the query of this operation has no such member
paginate(client.listUsers, { query: { colour: "" } });

// Filters: each operator of the property's type, with the type of its operand.
expectTypeOf(filter.text("Name").contains("x")).toEqualTypeOf<PropertyFilter<"rich_text">>();
expectTypeOf(filter.text("Name").contains).parameters.toEqualTypeOf<[string]>();
expectTypeOf(filter.number("Price").less_than).parameters.toEqualTypeOf<[number]>();
expectTypeOf(filter.checkbox("Done").equals).parameters.toEqualTypeOf<[boolean]>();
expectTypeOf(filter.date("When").past_week).parameters.toEqualTypeOf<[]>();
expectTypeOf(filter.select("Choice").is_empty).parameters.toEqualTypeOf<[]>();
expectTypeOf(filter.rollup("Names").any).parameters.toEqualTypeOf<[Schemas["RollupElementCondition"]]>();
expectTypeOf(filter.createdTime.after("2026-01-01").timestamp).toEqualTypeOf<"created_time">();
expectTypeOf(
  filter.and(
    filter.checkbox("Done").equals(true),
    filter.or(filter.lastEditedTime.past_year(), filter.files("F").is_empty()),
  ),
).toExtend<Filter>();
// @ts-expect-error an operator of numbers
filter.text("Name").less_than(1);
// @ts-expect-error a text is not a number
filter.number("Price").equals("1");
// @ts-expect-error the operator has no operand
filter.date("When").past_week({});
// @ts-expect-error groups in three levels
filter.and(filter.or(filter.and(filter.checkbox("Done").equals(true))));

// Every type of condition has a builder, except those that `text` also builds, and formulas, which databases do not
// support.
type Built =
  | { [Name in keyof typeof filter]: ReturnType<BuilderOf<Name>> }[keyof typeof filter]
  | typeof filter.createdTime
  | typeof filter.lastEditedTime;
type BuilderOf<Name extends keyof typeof filter> = (typeof filter)[Name] extends (
  ...of: never
) => infer Result
  ? () => Result
  : () => never;
type TypeOf<Builder> = Builder extends { is_empty(): infer Made } | { equals(operand: never): infer Made }
  ? Exclude<keyof Made, "property" | "timestamp">
  : Builder extends { any(operand: never): infer Made }
    ? Exclude<keyof Made, "property">
    : never;
type AlsoBuilt = "title" | "url" | "email" | "phone_number";
expectTypeOf<Record<Exclude<ConditionType, TypeOf<Built> | AlsoBuilt | "formula">, never>>({});

// Sorts.
expectTypeOf(sort.ascending("Name")).toEqualTypeOf<Schemas["Sort"]>();
expectTypeOf(sort.descending({ timestamp: "created_time" })).toEqualTypeOf<Schemas["Sort"]>();
// @ts-expect-error an unknown timestamp
sort.ascending({ timestamp: "read_time" });

// Values: one builder for each writable type.
await client.createPage({
  body: {
    parent: { database_id: "" },
    properties: {
      A: property.title("a"),
      B: property.text([{ text: { content: "b" }, annotations: { bold: true } }]),
      C: property.number(null),
      D: property.select("d"),
      E: property.multiSelect("e", "f"),
      F: property.date("2026-01-01", "2026-01-02"),
    },
  },
});
type Built2 = ReturnType<(typeof property)[Exclude<keyof typeof property, "richText">]>;
type Keys<Value> = Value extends unknown ? keyof Value : never;
type Writable = Exclude<
  keyof Schemas["PropertyValueObjectInput"],
  "id" | "name" | "type" | "has_more" | "color" | "description" | "start" | "end" | "time_zone"
>;
expectTypeOf<Record<Exclude<Writable, Keys<Built2>>, never>>({});
// @ts-expect-error a number is not a text
property.title(5);
// @ts-expect-error a checkbox is true or false
property.checkbox(null);
