import { describe, expect, test } from "vitest";
import {
  addDatabase,
  addRow,
  connectNotion,
  expectRefusal,
  fullDatabase,
  fullPage,
  UNKNOWN,
  type Notion,
} from "./setup.js";

async function readValues({ client }: Notion, page_id: string) {
  return fullPage(await client.pages.retrieve({ page_id })).properties;
}

describe("a relation", () => {
  test("with one side refers to pages of another database", async () => {
    const notion = await connectNotion();
    const authors = await addDatabase(notion);
    const books = await addDatabase(notion, {
      Authors: { relation: { database_id: authors.id, single_property: {} } },
    });
    expect(books.properties.Authors).toMatchObject({
      type: "relation",
      relation: { database_id: authors.id, type: "single_property", single_property: {} },
    });
    const [ada, bob] = [await addRow(notion, authors.id, "Ada"), await addRow(notion, authors.id, "Bob")];
    const book = await addRow(notion, books.id, "Book", {
      Authors: { relation: [{ id: bob.id }, { id: ada.id }] },
    });
    expect(book.properties.Authors).toMatchObject({
      type: "relation",
      relation: [{ id: bob.id }, { id: ada.id }],
      has_more: false,
    });
    await notion.client.pages.update({
      page_id: book.id,
      properties: { Authors: { relation: [{ id: ada.id.replaceAll("-", "") }] } },
    });
    expect((await readValues(notion, book.id)).Authors).toMatchObject({ relation: [{ id: ada.id }] });
    await notion.client.pages.update({ page_id: book.id, properties: { Authors: { relation: [] } } });
    expect((await readValues(notion, book.id)).Authors).toMatchObject({ relation: [] });
    expect(
      Object.keys(
        fullDatabase(await notion.client.databases.retrieve({ database_id: authors.id })).properties,
      ),
    ).toEqual(["Name"]);
  });

  test("with two sides is shown on both", async () => {
    const notion = await connectNotion();
    const authors = await addDatabase(notion);
    const books = await addDatabase(notion, {
      Authors: { relation: { database_id: authors.id, dual_property: {} } },
    });
    const { Authors } = books.properties;
    if (Authors?.type !== "relation" || Authors.relation.type !== "dual_property") {
      throw new Error("Authors is not a two-way relation.");
    }
    const { synced_property_id, synced_property_name } = Authors.relation.dual_property;
    const twin = fullDatabase(await notion.client.databases.retrieve({ database_id: authors.id })).properties[
      synced_property_name
    ];
    expect(twin).toMatchObject({
      id: synced_property_id,
      type: "relation",
      relation: {
        database_id: books.id,
        type: "dual_property",
        dual_property: { synced_property_id: Authors.id, synced_property_name: "Authors" },
      },
    });
    const [ada, bob] = [await addRow(notion, authors.id, "Ada"), await addRow(notion, authors.id, "Bob")];
    const book = await addRow(notion, books.id, "Book", { Authors: { relation: [{ id: ada.id }] } });
    const other = await addRow(notion, books.id, "Other");
    const seen = async (page_id: string) => (await readValues(notion, page_id))[synced_property_name];
    expect(await seen(ada.id)).toMatchObject({ relation: [{ id: book.id }] });
    expect(await seen(bob.id)).toMatchObject({ relation: [] });
    // Changes it on the other side.
    await notion.client.pages.update({
      page_id: bob.id,
      properties: { [synced_property_name]: { relation: [{ id: other.id }, { id: book.id }] } },
    });
    expect((await readValues(notion, other.id)).Authors).toMatchObject({ relation: [{ id: bob.id }] });
    expect((await readValues(notion, book.id)).Authors).toMatchObject({
      relation: [{ id: ada.id }, { id: bob.id }],
    });
    await notion.client.pages.update({ page_id: book.id, properties: { Authors: { relation: [] } } });
    expect(await seen(ada.id)).toMatchObject({ relation: [] });
    expect(await seen(bob.id)).toMatchObject({ relation: [{ id: other.id }] });
  });

  test("to the same database has a second property", async () => {
    const notion = await connectNotion();
    const { id: database_id } = await addDatabase(notion);
    const changed = fullDatabase(
      await notion.client.databases.update({
        database_id,
        properties: { Parent: { relation: { database_id, dual_property: {} } } },
      }),
    );
    const { Parent } = changed.properties;
    if (Parent?.type !== "relation" || Parent.relation.type !== "dual_property")
      throw new Error("No relation.");
    const children = Parent.relation.dual_property.synced_property_name;
    expect(changed.properties[children]?.type).toBe("relation");
    const top = await addRow(notion, database_id, "Top");
    const low = await addRow(notion, database_id, "Low", { Parent: { relation: [{ id: top.id }] } });
    expect((await readValues(notion, top.id))[children]).toMatchObject({ relation: [{ id: low.id }] });
  });

  test("does not show pages in the trash, and shows them again once they are restored", async () => {
    const notion = await connectNotion();
    const target = await addDatabase(notion);
    const source = await addDatabase(notion, {
      To: { relation: { database_id: target.id, single_property: {} } },
    });
    const page = await addRow(notion, target.id, "Page");
    const row = await addRow(notion, source.id, "Row", { To: { relation: [{ id: page.id }] } });
    await notion.client.pages.update({ page_id: page.id, in_trash: true });
    expect((await readValues(notion, row.id)).To).toMatchObject({ relation: [] });
    await notion.client.pages.update({ page_id: page.id, in_trash: false });
    expect((await readValues(notion, row.id)).To).toMatchObject({ relation: [{ id: page.id }] });
  });

  test("refuses unknown databases and pages", async () => {
    const notion = await connectNotion();
    const target = await addDatabase(notion);
    const source = await addDatabase(notion, {
      To: { relation: { database_id: target.id, single_property: {} } },
    });
    await expectRefusal(
      notion.client.databases.update({
        database_id: source.id,
        properties: { Gone: { relation: { database_id: UNKNOWN, single_property: {} } } },
      }),
      "object_not_found",
      `Could not find database with ID: ${UNKNOWN}`,
    );
    await expectRefusal(
      notion.client.pages.create({
        parent: { database_id: source.id },
        properties: { To: { relation: [{ id: UNKNOWN }] } },
      }),
      "object_not_found",
    );
  });
});

describe("a rollup", () => {
  test("computes each function from the related pages", async () => {
    const notion = await connectNotion();
    const items = await addDatabase(notion, {
      Amount: { number: {} },
      Done: { checkbox: {} },
      When: { date: {} },
      Tag: { select: {} },
    });
    const functions = {
      Amount: [
        ["sum", { type: "number", number: 12 }],
        ["average", { type: "number", number: 4 }],
        ["min", { type: "number", number: 2 }],
        ["max", { type: "number", number: 6 }],
        ["median", { type: "number", number: 4 }],
        ["range", { type: "number", number: 4 }],
        ["count", { type: "number", number: 3 }],
        ["count_values", { type: "number", number: 3 }],
        ["empty", { type: "number", number: 1 }],
        ["not_empty", { type: "number", number: 3 }],
        ["percent_empty", { type: "number", number: 0.25 }],
        ["percent_not_empty", { type: "number", number: 0.75 }],
        ["unique", { type: "number", number: 3 }],
      ],
      Done: [
        ["checked", { type: "number", number: 1 }],
        ["unchecked", { type: "number", number: 3 }],
        ["percent_checked", { type: "number", number: 0.25 }],
        ["percent_unchecked", { type: "number", number: 0.75 }],
      ],
      When: [
        ["earliest_date", { type: "date", date: { start: "2024-01-01", end: null, time_zone: null } }],
        ["latest_date", { type: "date", date: { start: "2024-03-01", end: null, time_zone: null } }],
        ["date_range", { type: "date", date: { start: "2024-01-01", end: "2024-03-01", time_zone: null } }],
      ],
    } as const;
    const sums = await addDatabase(notion, {
      Items: { relation: { database_id: items.id, single_property: {} } },
    });
    const added: Record<string, object> = {};
    for (const [rollup_property_name, list] of Object.entries(functions)) {
      for (const [name] of list) {
        added[`${name} ${rollup_property_name}`] = {
          rollup: { relation_property_name: "Items", rollup_property_name, function: name },
        };
      }
    }
    const changed = await notion.call("patch", `databases/${sums.id}`, { properties: added });
    expect((changed.properties as Record<string, object>)["sum Amount"]).toMatchObject({
      type: "rollup",
      rollup: {
        relation_property_name: "Items",
        relation_property_id: sums.properties.Items?.id,
        rollup_property_name: "Amount",
        rollup_property_id: items.properties.Amount?.id,
        function: "sum",
      },
    });
    const values = [
      { Amount: { number: 2 }, When: { date: { start: "2024-01-01" } } },
      { Amount: { number: 4 }, Done: { checkbox: true } },
      { Amount: { number: 6 }, When: { date: { start: "2024-03-01" } } },
      {},
    ];
    const relation = [];
    for (const properties of values) {
      relation.push({ id: (await addRow(notion, items.id, "Item", properties as never)).id });
    }
    const { properties } = await addRow(notion, sums.id, "All", { Items: { relation } });
    // Clients interpret "count" and "count_values" differently: see the next test.
    const seen: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [property, list] of Object.entries(functions)) {
      for (const [name, value] of list) {
        if (name === "count") continue;
        const key = `${name} ${property}`;
        const shown = properties[key];
        seen[key] = shown?.type === "rollup" ? shown.rollup : shown;
        expected[key] = { ...value, function: name };
      }
    }
    expect(seen).toEqual(expected);

    // A row without related pages has empty results.
    const none = (await addRow(notion, sums.id, "None")).properties;
    expect(none["sum Amount"]).toMatchObject({
      rollup: { type: "number", number: expect.toBeOneOf([0, null]) },
    });
    expect(none["max Amount"]).toMatchObject({ rollup: { type: "number", number: null } });
    expect(none["earliest_date When"]).toMatchObject({ rollup: { type: "date", date: null } });
  });

  test("returns the original values as an array, and cannot be written", async () => {
    const notion = await connectNotion();
    const items = await addDatabase(notion, { Amount: { number: {} } });
    const sums = await addDatabase(notion, {
      Items: { relation: { database_id: items.id, single_property: {} } },
      Amounts: {
        rollup: {
          relation_property_name: "Items",
          rollup_property_name: "Amount",
          function: "show_original",
        },
      },
    });
    const first = await addRow(notion, items.id, "One", { Amount: { number: 1 } });
    const second = await addRow(notion, items.id, "Two", { Amount: { number: 2 } });
    const row = await addRow(notion, sums.id, "Row", {
      Items: { relation: [{ id: first.id }, { id: second.id }] },
    });
    expect(row.properties.Amounts).toMatchObject({
      type: "rollup",
      rollup: {
        type: "array",
        array: [
          { type: "number", number: 1 },
          { type: "number", number: 2 },
        ],
        function: "show_original",
      },
    });
    // It changes with its source values.
    await notion.client.pages.update({ page_id: first.id, properties: { Amount: { number: 10 } } });
    expect((await readValues(notion, row.id)).Amounts).toMatchObject({
      rollup: { array: [{ number: 10 }, { number: 2 }] },
    });
    await expectRefusal(
      notion.call("patch", `pages/${row.id}`, { properties: { Amounts: { rollup: {} } } }),
      "validation_error",
    );
  });

  test.each([
    ["an unknown relation", { relation_property_name: "Nothing", rollup_property_name: "Name" }],
    ["an unknown property", { relation_property_name: "Items", rollup_property_name: "Nothing" }],
    ["a property that is not a relation", { relation_property_name: "Name", rollup_property_name: "Name" }],
  ])("refuses %s", async (_, names) => {
    const notion = await connectNotion();
    const items = await addDatabase(notion);
    const { id } = await addDatabase(notion, {
      Items: { relation: { database_id: items.id, single_property: {} } },
    });
    const properties = { Sum: { rollup: { ...names, function: "count" } } };
    await expectRefusal(notion.call("patch", `databases/${id}`, { properties }), "validation_error");
  });
});
