import type { PageObjectResponse } from "@notionhq/client/build/src/api-endpoints.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  PROPERTIES,
  addDatabase,
  addRow,
  connectNotion,
  expectRefusal,
  fullDatabase,
  fullPage,
  type Notion,
  openNotion,
  plainText,
  getRefusal,
  text,
} from "./setup.js";

let notion: Notion;
let database_id: string;
let page_id: string;
let person: string;

beforeAll(async () => {
  notion = await openNotion();
  person = await notion.addPerson("Ada", "ada@example.com");
  const database = await addDatabase(notion, {
    ...PROPERTIES,
    Choice: { select: { options: [{ name: "One", color: "red" }] } },
    Tags: { multi_select: { options: [{ name: "a", color: "blue" }] } },
  });
  database_id = database.id;
  await notion.call("patch", `databases/${database_id}`, {
    properties: { State: { status: {} }, Ticket: { unique_id: { prefix: "T" } } },
  });
  page_id = (await addRow(notion, database_id, "Page")).id;
});
afterAll(() => notion.service.close());

/** Writes a value, and returns the stored value without id and type. */
async function writeAndRead(name: string, value: unknown): Promise<unknown> {
  await notion.call("patch", `pages/${page_id}`, { properties: { [name]: value } });
  const shown = fullPage(await notion.client.pages.retrieve({ page_id })).properties[name];
  if (shown === undefined) throw new Error(`The page has no property ${name}.`);
  return new Map(Object.entries(shown)).get(shown.type);
}

const date = (start: string, end: string | null = null, time_zone: string | null = null) => ({
  start,
  end,
  time_zone,
});

// The values in requests and in responses.
describe("returns a value as it was written:", () => {
  test.each<[string, unknown, unknown]>([
    ["Name", text("Title"), plainText("Title")],
    ["Name", [], []],
    ["Text", text("Words"), plainText("Words")],
    ["Text", text("äöü 漢字 🚀\n\t \"'<>&"), plainText("äöü 漢字 🚀\n\t \"'<>&")],
    ["Text", [], []],
    ["Text", [...text("a"), ...text("b")], [...plainText("a"), ...plainText("b")]],
    ["Number", 0, 0],
    ["Number", -1.5, -1.5],
    ["Number", 1e21, 1e21],
    ["Number", 123456789012345, 123456789012345],
    ["Number", null, null],
    ["Choice", null, null],
    ["Tags", [], []],
    ["State", null, null],
    ["When", { start: "2024-02-29" }, date("2024-02-29")],
    ["When", { start: "2024-02-29", end: null, time_zone: null }, date("2024-02-29")],
    ["When", { start: "2024-02-28", end: "2024-03-01" }, date("2024-02-28", "2024-03-01")],
    ["When", null, null],
    ["Who", [], []],
    ["Files", [], []],
    ["Done", true, true],
    ["Done", false, false],
    ["Done", null, false],
    ["Link", "https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
    ["Link", null, null],
    ["Mail", "ada@example.com", "ada@example.com"],
    ["Mail", null, null],
    ["Phone", "+1 (555) 010-0199 ext. 5", "+1 (555) 010-0199 ext. 5"],
    ["Phone", null, null],
  ])("%s %j", async (name, value, expected) => {
    const type = TYPES[name] ?? "";
    expect(await writeAndRead(name, { [type]: value })).toEqual(expected);
    // Sends it with a type, in the format of responses, and bare.
    expect(await writeAndRead(name, { type, [type]: value })).toEqual(expected);
    expect(await writeAndRead(name, { id: "any", name, type, [type]: value })).toEqual(expected);
    expect(await writeAndRead(name, value)).toEqual(expected);
  });

  test("dates with times keep their moment", async () => {
    const stored = (await writeAndRead("When", {
      date: { start: "2024-05-04T10:00:00.000+02:00", end: "2024-05-04T12:30:00Z" },
    })) as { start: string; end: string; time_zone: unknown };
    expect(Date.parse(stored.start)).toBe(Date.parse("2024-05-04T08:00:00Z"));
    expect(Date.parse(stored.end)).toBe(Date.parse("2024-05-04T12:30:00Z"));
    expect(stored.time_zone).toBeNull();
    const zoned = (await writeAndRead("When", {
      date: { start: "2024-05-04T10:00:00", time_zone: "America/New_York" },
    })) as { start: string; time_zone: unknown };
    expect(zoned).toMatchObject({
      start: expect.stringContaining("2024-05-04T10:00:00"),
      time_zone: "America/New_York",
    });
  });

  test("people by id, with or without dashes, or as complete users", async () => {
    const user = await notion.client.users.retrieve({ user_id: person });
    for (const value of [
      { id: person },
      { id: person.replaceAll("-", "") },
      { object: "user", id: person },
      user,
    ]) {
      expect(await writeAndRead("Who", { people: [value] })).toEqual([
        expect.objectContaining({ object: "user", id: person }),
      ]);
    }
    const bot = await notion.client.users.me({});
    expect(await writeAndRead("Who", [{ id: bot.id }, { id: person }])).toMatchObject([
      { id: bot.id },
      { id: person },
    ]);
  });

  test("files are returned as they were sent, with any host", async () => {
    const external = { name: "a.txt", external: { url: "https://example.com/a.txt" } };
    expect(await writeAndRead("Files", { files: [external] })).toEqual([{ type: "external", ...external }]);
    expect(await writeAndRead("Files", { files: [{ type: "external", ...external }] })).toEqual([
      { type: "external", ...external },
    ]);
    const url = "https://example.com/b.pdf";
    const files = [
      { name: "b.pdf", type: "file", file: { url, expiry_time: "2026-12-01T00:00:00.000Z" } },
      { name: "c.pdf", type: "file", file: { url } },
    ];
    expect(await writeAndRead("Files", { files })).toEqual(files);
  });

  test("rich text of every type", async () => {
    const { rich_text, expected } = await richTexts();
    expect(await writeAndRead("Text", { rich_text })).toMatchObject(expected);
    // The retrieved value can be sent back.
    const page = fullPage(await notion.client.pages.retrieve({ page_id }));
    await notion.client.pages.update({
      page_id,
      properties: { Text: page.properties.Text } as never,
    });
    const again = fullPage(await notion.client.pages.retrieve({ page_id }));
    expect(again.properties.Text).toEqual(page.properties.Text);
  });
});

const TYPES: Record<string, string> = {
  Name: "title",
  Text: "rich_text",
  Number: "number",
  Choice: "select",
  Tags: "multi_select",
  State: "status",
  When: "date",
  Who: "people",
  Files: "files",
  Done: "checkbox",
  Link: "url",
  Mail: "email",
  Phone: "phone_number",
};

async function richTexts(): Promise<{ rich_text: object[]; expected: object[] }> {
  const target = await addRow(notion, database_id, "Target");
  const plain = {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: "default",
  };
  return {
    rich_text: [
      { text: { content: "bold" }, annotations: { bold: true } },
      {
        type: "text",
        text: { content: "red", link: null },
        annotations: { color: "red_background", code: true },
      },
      { text: { content: "link", link: { url: "https://example.com/" } } },
      { equation: { expression: "e=mc^2" } },
      { mention: { user: { id: person } } },
      { mention: { page: { id: target.id } } },
      { mention: { database: { id: database_id } } },
      {
        type: "mention",
        mention: { type: "date", date: { start: "2024-01-01" } },
        annotations: { italic: true },
      },
      { mention: { template_mention: { template_mention_date: "today" } } },
      { text: { content: "echo" }, plain_text: "ignored", href: null },
    ],
    expected: [
      { type: "text", plain_text: "bold", annotations: { ...plain, bold: true }, href: null },
      { annotations: { ...plain, code: true, color: "red_background" } },
      { text: { content: "link", link: { url: "https://example.com/" } }, href: "https://example.com/" },
      { type: "equation", equation: { expression: "e=mc^2" }, plain_text: "e=mc^2", annotations: plain },
      {
        type: "mention",
        mention: { type: "user", user: { object: "user", id: person } },
        plain_text: "@Ada",
      },
      {
        mention: { type: "page", page: { id: target.id } },
        plain_text: "Target",
        href: expect.stringContaining(target.id.replaceAll("-", "")),
      },
      { mention: { type: "database", database: { id: database_id } }, plain_text: "Database" },
      { mention: { type: "date", date: date("2024-01-01") }, annotations: { ...plain, italic: true } },
      {
        mention: {
          type: "template_mention",
          template_mention: { type: "template_mention_date", template_mention_date: "today" },
        },
      },
      { plain_text: "echo" },
    ],
  };
}

describe("options", () => {
  test("are created by writing their name, and keep their id and colour", async () => {
    const choice = (await writeAndRead("Choice", { select: { name: "Fresh", color: "green" } })) as {
      id: string;
    };
    expect(choice).toMatchObject({ name: "Fresh", color: "green", id: expect.any(String) });
    const { Choice } = fullDatabase(await notion.client.databases.retrieve({ database_id })).properties;
    expect(Choice?.type === "select" && Choice.select.options.map(({ name }) => name)).toEqual([
      "One",
      "Fresh",
    ]);
    expect(await writeAndRead("Choice", { select: { id: choice.id } })).toEqual(choice);
    expect(await writeAndRead("Choice", { name: "Fresh" })).toEqual(choice);
    expect(await writeAndRead("Choice", { select: { name: "One" } })).toMatchObject({ color: "red" });
  });

  test("of a multi_select are replaced completely, in the given order", async () => {
    expect(await writeAndRead("Tags", { multi_select: [{ name: "c" }, { name: "a" }] })).toMatchObject([
      { name: "c" },
      { name: "a", color: "blue" },
    ]);
    expect(await writeAndRead("Tags", [{ name: "a" }])).toMatchObject([{ name: "a" }]);
  });

  test("of a status are those of the database", async () => {
    const { State } = fullDatabase(await notion.client.databases.retrieve({ database_id })).properties;
    if (State?.type !== "status") throw new Error("State is not a status.");
    const [option] = State.status.options;
    expect(await writeAndRead("State", { status: { name: option?.name } })).toMatchObject({
      name: option?.name,
      id: option?.id,
    });
    expect(await writeAndRead("State", { status: { id: option?.id } })).toMatchObject({ name: option?.name });
    await expectRefusal(
      notion.call("patch", `pages/${page_id}`, { properties: { State: { status: { name: "Unheard of" } } } }),
      "validation_error",
    );
  });

  test("refuse commas and unknown ids", async () => {
    await expectRefusal(
      notion.call("patch", `pages/${page_id}`, { properties: { Choice: { select: { name: "a,b" } } } }),
      "validation_error",
      "Invalid select option, commas not allowed: a,b",
    );
    await expectRefusal(
      notion.call("patch", `pages/${page_id}`, { properties: { Choice: { select: { id: "nope" } } } }),
      "validation_error",
    );
    await expectRefusal(
      notion.call("patch", `pages/${page_id}`, { properties: { Tags: { multi_select: [{ name: "x,y" }] } } }),
      "validation_error",
      "commas not allowed",
    );
  });
});

describe("a page", () => {
  test("shows every property of its database, with its empty value", async () => {
    const { properties } = await addRow(notion, database_id, "");
    const empty = (name: string): unknown => {
      const value = properties[name];
      return value && new Map(Object.entries(value)).get(value.type);
    };
    for (const name of ["Name", "Text", "Tags", "Who", "Files"]) expect(empty(name), name).toEqual([]);
    for (const name of ["Number", "Choice", "When", "Link", "Mail", "Phone"])
      expect(empty(name), name).toBeNull();
    expect(empty("Done")).toBe(false);
  });

  test("has computed times, users and a number", async () => {
    const page = await addRow(notion, database_id, "One");
    const next = await addRow(notion, database_id, "Two");
    const me = (await notion.client.users.me({})).id;
    expect(page.properties).toMatchObject({
      Created: { type: "created_time", created_time: page.created_time },
      Edited: { type: "last_edited_time", last_edited_time: page.last_edited_time },
      Author: { type: "created_by", created_by: { object: "user", id: me } },
      Editor: { type: "last_edited_by", last_edited_by: { object: "user", id: me } },
      Ticket: { type: "unique_id", unique_id: { prefix: "T", number: expect.any(Number) } },
    });
    const numberOf = ({ properties: { Ticket } }: PageObjectResponse): number | null =>
      Ticket?.type === "unique_id" ? Ticket.unique_id.number : null;
    expect(numberOf(next)).toBe((numberOf(page) ?? 0) + 1);
  });

  test("keeps values that an update does not name", async () => {
    const page = await addRow(notion, database_id, "Whole", {
      Number: { number: 5 },
      Text: { rich_text: text("kept") },
    });
    const changed = fullPage(
      await notion.client.pages.update({ page_id: page.id, properties: { Number: { number: null } } }),
    );
    expect(changed.properties).toMatchObject({
      Number: { number: null },
      Text: { rich_text: plainText("kept") },
      Name: { title: plainText("Whole") },
    });
    expect(fullPage(await notion.client.pages.update({ page_id: page.id }))).toMatchObject({
      properties: changed.properties,
    });
  });

  test("accepts ids of properties in the format of responses", async () => {
    const { properties } = fullDatabase(await notion.client.databases.retrieve({ database_id }));
    const id = properties.Number?.id ?? "";
    for (const [number, key] of [id, decodeURIComponent(id)].entries()) {
      const page = fullPage(await notion.client.pages.update({ page_id, properties: { [key]: { number } } }));
      expect(page.properties.Number).toMatchObject({ id, number });
    }
    const page = fullPage(
      await notion.client.pages.update({ page_id, properties: { title: { title: text("By id") } } }),
    );
    expect(page.properties.Name).toMatchObject({ title: plainText("By id") });
  });

  test("returns only the requested properties", async () => {
    const page = await addRow(notion, database_id, "Filtered", { Number: { number: 1 } });
    const { Number: number, Done } = page.properties;
    const ids = [number?.id ?? "", Done?.id ?? ""];
    const one = fullPage(await notion.client.pages.retrieve({ page_id: page.id, filter_properties: ids }));
    expect(Object.keys(one.properties).toSorted()).toEqual(["Done", "Number"]);
    const { results } = await notion.client.databases.query({
      database_id,
      filter_properties: ["title"],
      page_size: 2,
    });
    for (const result of results) expect(Object.keys(fullPage(result).properties)).toEqual(["Name"]);
  });
});

describe("a value of another type is refused:", () => {
  const WRONG: [string, unknown][] = [
    ["Name", { number: 1 }],
    ["Text", { rich_text: "text" }],
    ["Number", { number: "1" }],
    ["Number", { checkbox: true }],
    ["Choice", { select: "One" }],
    ["Choice", { select: [] }],
    ["Tags", { multi_select: { name: "a" } }],
    ["When", { date: "2024-01-01" }],
    ["When", { date: { start: "soon" } }],
    ["When", { date: { end: "2024-01-01" } }],
    ["When", { date: { start: "2024-02-30" } }],
    ["When", { date: { start: "2024-02-02", end: "2024-02-01" } }],
    ["When", { date: { start: "2024-02-02T00:00:00", time_zone: "Mars/Olympus" } }],
    ["Who", { people: [{ id: "ada" }] }],
    ["Who", { people: [{ id: "00000000-0000-4000-8000-000000000000" }] }],
    ["Files", { files: [{ external: { url: "https://example.com" } }] }],
    ["Done", { checkbox: "yes" }],
    ["Link", { url: 5 }],
    ["Mail", { email: {} }],
    ["Phone", { phone_number: 5550100 }],
    ["Created", { created_time: "2024-01-01T00:00:00.000Z" }],
    ["Edited", { last_edited_time: "2024-01-01T00:00:00.000Z" }],
    ["Author", { created_by: {} }],
    ["Editor", { last_edited_by: {} }],
    ["Ticket", { unique_id: { number: 4 } }],
  ];
  test.each(WRONG)("%s %j", async (name, value) => {
    const before = fullPage(await notion.client.pages.retrieve({ page_id })).properties;
    const code = JSON.stringify(value).includes("00000000")
      ? /object_not_found|validation_error/
      : /validation_error/;
    const error = await getRefusal(
      notion.call("patch", `pages/${page_id}`, { properties: { [name]: value } }),
    );
    expect(error.code).toMatch(code);
    const after = fullPage(await notion.client.pages.retrieve({ page_id })).properties;
    expect(after).toEqual(before);
  });

  test("with the messages of Notion", async () => {
    const patch = (properties: object) => notion.call("patch", `pages/${page_id}`, { properties });
    await expectRefusal(
      patch({ Nothing: { number: 1 } }),
      "validation_error",
      "Nothing is not a property that exists.",
    );
    await expectRefusal(
      patch({ Number: { checkbox: true } }),
      "validation_error",
      "Number is expected to be number.",
    );
  });

  test("if it exceeds its limit", async () => {
    const patch = (properties: object) => notion.call("patch", `pages/${page_id}`, { properties });
    const long = (length: number): string => "x".repeat(length);
    const many = (length: number, item: (index: number) => unknown) =>
      Array.from({ length }, (_, index) => item(index));
    await expectRefusal(
      patch({ Text: { rich_text: text(long(2001)) } }),
      "validation_error",
      /body\.properties\.Text\.rich_text\[0\]\.text\.content\.length should be ≤ `2000`/,
    );
    await patch({ Text: { rich_text: text(long(2000)) } });
    await expectRefusal(
      patch({ Text: { rich_text: many(101, () => text("a")[0]) } }),
      "validation_error",
      /rich_text\.length should be ≤ `100`/,
    );
    await expectRefusal(
      patch({ Text: { rich_text: [{ equation: { expression: long(1001) } }] } }),
      "validation_error",
      "≤ `1000`",
    );
    await expectRefusal(
      patch({
        Text: { rich_text: [{ text: { content: "a", link: { url: `https://e.x/${long(2000)}` } } }] },
      }),
      "validation_error",
      "≤ `2000`",
    );
    await expectRefusal(
      patch({ Link: { url: `https://e.x/${long(2000)}` } }),
      "validation_error",
      "≤ `2000`",
    );
    await expectRefusal(patch({ Mail: { email: `${long(200)}@e.x` } }), "validation_error", "≤ `200`");
    await expectRefusal(patch({ Phone: { phone_number: long(201) } }), "validation_error", "≤ `200`");
    await expectRefusal(
      patch({ Tags: { multi_select: many(101, (index) => ({ name: `t${index}` })) } }),
      "validation_error",
      "≤ `100`",
    );
    await expectRefusal(
      patch({ Who: { people: many(101, () => ({ id: person })) } }),
      "validation_error",
      "≤ `100`",
    );
  });
});

describe("a page of a page", () => {
  test("has only a title", async () => {
    const own = await connectNotion();
    const parent = await own.call("post", "pages", {
      parent: { type: "workspace", workspace: true },
      properties: { title: text("Bare") },
    });
    const page = fullPage(
      await own.client.pages.create({
        parent: { page_id: parent.id },
        properties: { title: { title: text("Child") } },
        icon: { emoji: "🌱" } as never,
        cover: { external: { url: "https://example.com/c.png" } } as never,
      }),
    );
    expect(page).toMatchObject({
      parent: { type: "page_id", page_id: parent.id },
      properties: { title: { id: "title", type: "title", title: plainText("Child") } },
      icon: { type: "emoji", emoji: "🌱" },
      cover: { type: "external", external: { url: "https://example.com/c.png" } },
      archived: false,
      in_trash: false,
      public_url: null,
    });
    expect(Object.keys(page.properties)).toEqual(["title"]);
    await expectRefusal(
      own.client.pages.create({ parent: { page_id: parent.id }, properties: { Number: { number: 1 } } }),
      "validation_error",
    );
  });
});
