import { describe, expect, test } from "vitest";
import {
  addDatabase,
  addRow,
  addTopPage,
  connectNotion,
  expectRefusal,
  fullDatabase,
  fullPage,
  getName,
  UNKNOWN,
  plainText,
  text,
  TIME,
  PROPERTIES,
  UUID,
} from "./setup.js";

const CONFIGURATIONS = {
  ...PROPERTIES,
  Price: { number: { format: "dollar" } },
  Choice: { select: { options: [{ name: "One", color: "red" }, { name: "Two" }] } },
  Tags: { multi_select: { options: [{ name: "a" }, { name: "b", color: "green" }] } },
  State: { status: {} },
  Ticket: { unique_id: { prefix: "TASK" } },
} as const;

describe("databases.create", () => {
  test("returns the database with all given fields", async () => {
    const notion = await connectNotion();
    const page_id = await addTopPage(notion);
    const me = { object: "user", id: (await notion.client.users.me({})).id };
    const database = fullDatabase(
      await notion.client.databases.create({
        parent: { type: "page_id", page_id },
        title: text("Books"),
        description: text("What we read"),
        icon: { type: "emoji", emoji: "📚" },
        cover: { type: "external", external: { url: "https://example.com/cover.png" } },
        is_inline: true,
        properties: { Title: { title: {} } },
      }),
    );
    expect(database).toMatchObject({
      object: "database",
      created_by: me,
      last_edited_by: me,
      title: plainText("Books"),
      description: plainText("What we read"),
      icon: { type: "emoji", emoji: "📚" },
      cover: { type: "external", external: { url: "https://example.com/cover.png" } },
      parent: { type: "page_id", page_id },
      is_inline: true,
      archived: false,
      in_trash: false,
      public_url: null,
      properties: { Title: { id: "title", name: "Title", type: "title", description: null, title: {} } },
    });
    expect(database.id).toMatch(UUID);
    expect(database.created_time).toMatch(TIME);
    expect(database.last_edited_time).toMatch(TIME);
    expect(database.url).toContain(database.id.replaceAll("-", ""));
    expect(await notion.client.databases.retrieve({ database_id: database.id })).toMatchObject({
      ...database,
    });
  });

  test("fills in defaults for omitted fields", async () => {
    const notion = await connectNotion();
    const page_id = await addTopPage(notion);
    const database = await notion.call("post", "databases", {
      parent: { page_id },
      properties: { Name: { title: {} } },
    });
    expect(database).toMatchObject({ title: [], description: [], icon: null, cover: null, is_inline: false });
  });

  test("creates a property of every type", async () => {
    const notion = await connectNotion();
    const { properties } = await addDatabase(notion, CONFIGURATIONS as never);
    expect(Object.keys(properties).toSorted()).toEqual(["Name", ...Object.keys(CONFIGURATIONS)].toSorted());
    for (const [name, configuration] of Object.entries(CONFIGURATIONS)) {
      const [type] = Object.keys(configuration);
      expect(properties[name]).toMatchObject({ name, type, description: null });
    }
    const ids = Object.values(properties).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // Ids are inserted into paths without encoding.
    for (const id of ids) expect(id).toMatch(/^([A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+$/);
    expect(properties.Number).toMatchObject({ number: { format: "number" } });
    expect(properties.Price).toMatchObject({ number: { format: "dollar" } });
    expect(properties.Choice).toMatchObject({
      select: {
        options: [
          { name: "One", color: "red", description: null },
          { name: "Two", description: null },
        ],
      },
    });
    expect(properties.Ticket).toMatchObject({ unique_id: { prefix: "TASK" } });
    for (const name of [
      "Text",
      "When",
      "Who",
      "Files",
      "Done",
      "Link",
      "Mail",
      "Phone",
      "Created",
      "Editor",
    ]) {
      const schema = properties[name];
      expect(schema).toMatchObject({ [schema?.type ?? ""]: {} });
    }
  });

  test("creates the groups of a status", async () => {
    const notion = await connectNotion();
    const { State } = (await addDatabase(notion, { State: { status: {} } } as never)).properties;
    if (State?.type !== "status") throw new Error("State is not a status.");
    const { options, groups } = State.status;
    expect(groups.length).toBeGreaterThan(0);
    const grouped = groups.flatMap(({ option_ids }) => option_ids);
    expect(grouped.toSorted()).toEqual(options.map(({ id }) => id).toSorted());
    expect(groups.map(({ name }) => name)).toEqual(["To-do", "In progress", "Complete"]);
  });

  test.each([
    ["no title property", { Text: { rich_text: {} } }, "Title is not provided"],
    ["two title properties", { A: { title: {} }, B: { title: {} } }, ""],
    ["a formula", { A: { title: {} }, F: { formula: { expression: "1" } } }, "ormula"],
    ["an unknown type", { A: { title: {} }, B: { wish: {} } }, ""],
    ["two types", { A: { title: {} }, B: { number: {}, checkbox: {} } }, ""],
    ["an unknown number format", { A: { title: {} }, B: { number: { format: "doubloon" } } }, "format"],
    ["an option with a comma", { A: { title: {} }, B: { select: { options: [{ name: "a,b" }] } } }, "comma"],
    [
      "an unknown color",
      { A: { title: {} }, B: { select: { options: [{ name: "a", color: "mauve" }] } } },
      "color",
    ],
    [
      "a duplicate option",
      { A: { title: {} }, B: { select: { options: [{ name: "a" }, { name: "a" }] } } },
      "",
    ],
    [
      "a relation to an unknown database",
      { A: { title: {} }, B: { relation: { database_id: "x", single_property: {} } } },
      "uuid",
    ],
  ])("refuses %s", async (_, properties, message) => {
    const notion = await connectNotion();
    const page_id = await addTopPage(notion);
    await expectRefusal(
      notion.call("post", "databases", { parent: { page_id }, properties }),
      "validation_error",
      message,
    );
  });

  test("refuses unknown and missing parents", async () => {
    const { client, call } = await connectNotion();
    const properties = { Name: { title: {} } } as const;
    await expectRefusal(
      client.databases.create({ parent: { page_id: UNKNOWN }, properties }),
      "object_not_found",
      `Could not find page with ID: ${UNKNOWN}`,
    );
    await expectRefusal(
      call("post", "databases", { properties }),
      "validation_error",
      "body failed validation: body.parent should be defined, instead was `undefined`.",
    );
    await expectRefusal(call("post", "databases", {}), "validation_error", /^body failed validation/);
  });

  test("creates a database in the workspace", async () => {
    const { call } = await connectNotion();
    const database = await call("post", "databases", {
      parent: { type: "workspace", workspace: true },
      properties: { Name: { title: {} } },
    });
    expect(database.parent).toEqual({ type: "workspace", workspace: true });
  });
});

describe("databases.retrieve", () => {
  test("accepts ids with and without dashes, and reports unknown ones", async () => {
    const notion = await connectNotion();
    const { client, call } = notion;
    const database = await addDatabase(notion);
    const undashed = database.id.replaceAll("-", "");
    expect((await client.databases.retrieve({ database_id: undashed })).id).toBe(database.id);
    expect((await client.databases.retrieve({ database_id: undashed.toUpperCase() })).id).toBe(database.id);
    await expectRefusal(
      client.databases.retrieve({ database_id: UNKNOWN }),
      "object_not_found",
      `Could not find database with ID: ${UNKNOWN}`,
    );
    await expectRefusal(
      client.databases.retrieve({ database_id: "books" }),
      "validation_error",
      'path failed validation: path.database_id should be a valid uuid, instead was `"books"`.',
    );
    const page = await addRow(notion, database.id, "One");
    await expectRefusal(
      client.databases.retrieve({ database_id: page.id }),
      "validation_error",
      /is a page, not a database/,
    );
    await expectRefusal(
      client.pages.retrieve({ page_id: database.id }),
      "validation_error",
      /is a database, not a page/,
    );
    expect(await call("get", `databases/${undashed}`)).toMatchObject({ id: database.id });
  });
});

describe("databases.list (deprecated)", () => {
  test("returns the databases of the workspace in pages", async () => {
    const notion = await connectNotion();
    const added = [await addDatabase(notion), await addDatabase(notion), await addDatabase(notion)];
    const { results, ...list } = await notion.client.databases.list({});
    expect(list).toMatchObject({
      object: "list",
      type: "database",
      database: {},
      has_more: false,
      next_cursor: null,
    });
    const ids = results.map(({ id }) => id);
    for (const { id } of added) expect(ids).toContain(id);
    expect(ids).toContain(notion.rootDatabaseId);
    const first = await notion.client.databases.list({ page_size: 2 });
    expect(first.results.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await notion.client.databases.list({ start_cursor: first.next_cursor ?? "" });
    expect(rest.results.map(({ id }) => id)).toEqual(ids.slice(2));
    await notion.client.databases.update({ database_id: added[0]?.id ?? "", in_trash: true });
    const left = await notion.client.databases.list({});
    expect(left.results.map(({ id }) => id)).not.toContain(added[0]?.id);
  });
});

describe("databases.update", () => {
  test("changes only the given fields of title, description, icon, cover and is_inline", async () => {
    const notion = await connectNotion();
    const before = await addDatabase(notion, { Number: { number: {} } });
    const database_id = before.id;
    const update = async (changes: object) =>
      fullDatabase(await notion.client.databases.update({ database_id, ...changes }));
    expect((await update({ title: text("New") })).title).toEqual(plainText("New"));
    expect((await update({ description: text("Words") })).description).toEqual(plainText("Words"));
    expect((await update({ icon: { emoji: "🌳" } })).icon).toEqual({ type: "emoji", emoji: "🌳" });
    const cover = { type: "external", external: { url: "https://example.com/a.png" } };
    expect((await update({ cover })).cover).toEqual(cover);
    expect((await update({ is_inline: true })).is_inline).toBe(true);
    const after = await update({});
    expect(after).toMatchObject({ title: plainText("New"), cover, is_inline: true });
    expect(after.properties).toEqual(before.properties);
    const removed = { icon: null, cover: null };
    expect(await update(removed)).toMatchObject({ ...removed, title: plainText("New"), is_inline: true });
  });

  test("adds, renames and removes properties with their values", async () => {
    const notion = await connectNotion();
    const { client } = notion;
    const database = await addDatabase(notion, { Number: { number: {} }, Text: { rich_text: {} } });
    const database_id = database.id;
    const page = await addRow(notion, database_id, "Row", { Number: { number: 7 } });
    const id = database.properties.Number?.id ?? "";

    let changed = fullDatabase(
      await client.databases.update({
        database_id,
        properties: { Number: { name: "Count" }, Added: { checkbox: {} }, Text: null },
      }),
    );
    expect(Object.keys(changed.properties).toSorted()).toEqual(["Added", "Count", "Name"]);
    expect(changed.properties.Count).toMatchObject({ id, name: "Count", type: "number" });
    let values = fullPage(await client.pages.retrieve({ page_id: page.id })).properties;
    expect(Object.keys(values).toSorted()).toEqual(["Added", "Count", "Name"]);
    expect(values.Count).toEqual({ id, type: "number", number: 7 });
    expect(values.Added).toMatchObject({ type: "checkbox", checkbox: false });

    // By id, with a configuration and a name.
    changed = fullDatabase(
      await client.databases.update({
        database_id,
        properties: { [id]: { name: "Sum", number: { format: "euro" } } },
      }),
    );
    expect(changed.properties.Sum).toMatchObject({ id, name: "Sum", number: { format: "euro" } });
    // The title property can be renamed.
    changed = fullDatabase(
      await client.databases.update({ database_id, properties: { Name: { name: "Label" } } }),
    );
    expect(changed.properties.Label).toMatchObject({ id: "title", type: "title" });
    values = fullPage(await client.pages.retrieve({ page_id: page.id })).properties;
    expect(values.Label).toMatchObject({ id: "title", title: plainText("Row") });
  });

  test("reuses the names of renamed properties", async () => {
    const notion = await connectNotion();
    const database = await addDatabase(notion, { A: { number: {} }, B: { number: {} } });
    const page = await addRow(notion, database.id, "Row", { A: { number: 1 }, B: { number: 2 } });
    await notion.client.databases.update({
      database_id: database.id,
      properties: { A: { name: "B" }, B: { name: "A" } },
    });
    const { properties } = fullPage(await notion.client.pages.retrieve({ page_id: page.id }));
    expect(properties).toMatchObject({ A: { number: 2 }, B: { number: 1 } });
  });

  test("converts values if possible when a property gets another type", async () => {
    const notion = await connectNotion();
    const database = await addDatabase(notion, {
      Number: { number: {} },
      Choice: { select: {} },
      Text: { rich_text: {} },
    });
    const database_id = database.id;
    const page = await addRow(notion, database_id, "Row", {
      Number: { number: 42 },
      Choice: { select: { name: "Red" } },
      Text: { rich_text: text("3.5") },
    });
    const read = async () => fullPage(await notion.client.pages.retrieve({ page_id: page.id })).properties;
    await notion.client.databases.update({
      database_id,
      properties: { Number: { rich_text: {} }, Choice: { multi_select: {} }, Text: { number: {} } },
    });
    expect(await read()).toMatchObject({
      Number: { type: "rich_text", rich_text: plainText("42") },
      Choice: { type: "multi_select", multi_select: [{ name: "Red" }] },
      Text: { type: "number", number: 3.5 },
    });
    await notion.client.databases.update({ database_id, properties: { Choice: { checkbox: {} } } });
    expect(await read()).toMatchObject({ Choice: { type: "checkbox", checkbox: false } });
  });

  test("adds and removes options", async () => {
    const notion = await connectNotion();
    const database = await addDatabase(notion, {
      Choice: { select: { options: [{ name: "One", color: "red" }, { name: "Two" }] } },
    });
    const page = await addRow(notion, database.id, "Row", { Choice: { select: { name: "Two" } } });
    const changed = fullDatabase(
      await notion.client.databases.update({
        database_id: database.id,
        properties: { Choice: { select: { options: [{ name: "One" }, { name: "Three", color: "blue" }] } } },
      }),
    );
    expect(changed.properties.Choice).toMatchObject({
      select: {
        options: [
          { name: "One", color: "red" },
          { name: "Three", color: "blue" },
        ],
      },
    });
    const { properties } = fullPage(await notion.client.pages.retrieve({ page_id: page.id }));
    expect(properties.Choice).toMatchObject({ select: null });
  });

  test.each([
    ["to remove the title property", { Name: null }, ""],
    ["to give the title property another type", { Name: { number: {} } }, ""],
    ["a second title property", { Other: { title: {} } }, ""],
    ["the name of another property", { Number: { name: "Name" } }, ""],
    ["to change an unknown property", { Nothing: { name: "Something" } }, "Nothing"],
    ["to remove an unknown property", { Nothing: null }, "Nothing"],
  ])("refuses %s", async (_, properties, message) => {
    const notion = await connectNotion();
    const database = await addDatabase(notion, { Number: { number: {} } });
    await expectRefusal(
      notion.call("patch", `databases/${database.id}`, { properties }),
      "validation_error",
      message,
    );
    const after = fullDatabase(await notion.client.databases.retrieve({ database_id: database.id }));
    expect(after.properties).toEqual(database.properties);
  });

  test("moves the database with its pages to the trash and back, and refuses other changes there", async () => {
    const notion = await connectNotion();
    const { client } = notion;
    const { id: database_id } = await addDatabase(notion);
    const page = await addRow(notion, database_id, "Row");
    for (const field of ["in_trash", "archived"] as const) {
      const trashed = fullDatabase(await client.databases.update({ database_id, [field]: true }));
      expect(trashed).toMatchObject({ archived: true, in_trash: true });
      expect(await client.databases.retrieve({ database_id })).toMatchObject({ in_trash: true });
      expect(await client.pages.retrieve({ page_id: page.id })).toMatchObject({ in_trash: true });
      await expectRefusal(
        client.databases.update({ database_id, title: text("No") }),
        "validation_error",
        /^Can't edit/,
      );
      const restored = fullDatabase(await client.databases.update({ database_id, [field]: false }));
      expect(restored).toMatchObject({ archived: false, in_trash: false });
      expect(await client.pages.retrieve({ page_id: page.id })).toMatchObject({ in_trash: false });
    }
    const { results } = await client.databases.query({ database_id });
    expect(results.map(getName)).toEqual(["Row"]);
  });
});
