import { expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import type { Page } from "../../../../src/domain/page.js";
import type { StoredProperties, StoredValue } from "../../../../src/domain/properties/stored-values.js";
import { parseRichTextRun, type RichText } from "../../../../src/domain/rich-text.js";
import { createSchema, type Option, type PropertyDefinition } from "../../../../src/domain/schema.js";
import { presentPage } from "../../../../src/operations/present/page.js";
import { renderPageJson } from "../../../../src/operations/present/page-json.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { findUnparsedPage, insertPage } from "../../../../src/storage/pages/pages.js";
import { findPage } from "../../../support/pages.js";
import { emptyDatabase, emptyPage, plainProperty, plainRun } from "../../../support/objects.js";
import { Random, takeSeed } from "../../../support/random.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

const TEXTS = ["", "Plan", 'say "type":"mention"', "\\", "}],{", "日本 🚀 ü", "a\nb\u0001"];
const NAMES = ["Name", "2024", "7", "__proto__", 'quo"te\\', "ü 🚀", "constructor", "a:b,c", "id"];
const OPTIONS: readonly Option[] = ["one!", "two%"].map((id, rank) => ({
  id,
  name: `Op"tion ${id}`,
  color: "red",
  description: null,
  rank,
}));

/** Creates a property of each type whose values do not depend on other objects. */
function createProperties(random: Random): PropertyDefinition[] {
  const plain = ["rich_text", "number", "checkbox", "date", "files", "url", "email", "phone_number"] as const;
  const computed = ["created_time", "last_edited_time"] as const;
  const common = { description: null };
  const definitions: PropertyDefinition[] = [
    ...[...plain, ...computed].map((type) => plainProperty(`${type}_`, "", type)),
    { ...common, id: "new_", publicId: "ol%d", name: "", type: "multi_select", options: OPTIONS },
    { ...common, id: "sele", name: "", type: "select", options: OPTIONS },
    { ...common, id: "stat", name: "", type: "status", options: OPTIONS, groups: [] },
    { ...common, id: "numb", name: "", type: "unique_id", prefix: random.pick([null, 'A"B']) },
  ];
  const chosen = [plainProperty("title", "", "title"), ...random.some(definitions)];
  const names = random.shuffle(NAMES);
  return random
    .shuffle(chosen)
    .map((each, index) => ({ ...each, name: names[index] ?? `Property ${index}` }));
}

function createRuns(random: Random): RichText[] {
  const date = { date: { start: "2024-02-29" } };
  return random.some([
    plainRun(random.pick(TEXTS)),
    parseRichTextRun({ text: { content: random.pick(TEXTS), link: { url: "https://example.com/?a=%22" } } }),
    parseRichTextRun({ equation: { expression: random.pick(TEXTS) }, annotations: { bold: true } }),
    ...(random.chance(0.1) ? [parseRichTextRun({ mention: date })] : []),
  ]);
}

function createValue(random: Random, { type }: PropertyDefinition): StoredValue | undefined {
  switch (type) {
    case "title":
    case "rich_text":
      return createRuns(random);
    case "number":
      return random.pick([0, -0.1, 1e21, 5e-324, 123_456_789.123_456_7]);
    case "unique_id":
      return random.below(1000);
    case "checkbox":
      return random.chance(0.5);
    case "date":
      return { start: "2024-02-29", end: random.pick([null, "2024-03-01"]), time_zone: null };
    case "files":
      return random.some([
        { name: random.pick(TEXTS), type: "external" as const, external: { url: "https://example.com" } },
      ]);
    case "select":
    case "status":
      return random.pick(["one!", "two%", "gone"]);
    case "multi_select":
      return random.some(["one!", "two%", "gone"]);
    case "url":
    case "email":
    case "phone_number":
      return random.pick(TEXTS);
    default:
      return undefined;
  }
}

function createPage(random: Random, databaseId: string, definitions: readonly PropertyDefinition[]): Page {
  const values = random.some(definitions, 0.8).map((each) => [each.id, createValue(random, each)]);
  // A value of a property that was removed.
  const properties: StoredProperties = Object.fromEntries([...values, ["gone", 1]].filter(([, value]) => value !== undefined)); // prettier-ignore
  return emptyPage(databaseId, {
    properties,
    createdTime: random.below(2 ** 40),
    lastEditedTime: random.below(2 ** 40),
    inTrash: random.chance(0.2),
    icon: random.pick([null, { type: "emoji", emoji: "🌱" }]),
    cover: random.pick([null, { type: "external", external: { url: 'https://example.com/"' } }]),
  });
}

test("random pages have the JSON of the response body that is made from their values", async () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const scope = readScope(store, workspaceId);
  let rendered = 0;
  for (let round = 0; round < 60; round += 1) {
    const schema = createSchema(createProperties(random));
    const database = emptyDatabase({ schema });
    const pages = Array.from({ length: 5 }, () => createPage(random, database.id, schema.definitions));
    await store.write(workspaceId, async (tx) => {
      await insertDatabase(tx, database);
      for (const page of pages) await insertPage(tx, page);
    });
    for (const { id } of pages) {
      const [stored, found] = [await findUnparsedPage(scope, id), await findPage(scope, id)];
      if (stored === undefined || found === undefined) throw new Error("The page was not found.");
      const json = renderPageJson(scope, stored);
      const hasMention = stored.page.properties.includes('"mention":{');
      expect(json === undefined, `SEED=${seed}, round ${round}`).toBe(hasMention);
      if (json === undefined) continue;
      rendered += 1;
      const { body } = await presentPage(scope, found);
      expect(json, `SEED=${seed}, round ${round}`).toBe(JSON.stringify(body));
    }
  }
  expect(rendered).toBeGreaterThan(200);
});

test("pages outside of databases are rendered with their title", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const scope = readScope(store, workspaceId);
  const properties = { title: [plainRun("Plan")] };
  for (const parent of [{ type: "workspace" } as const, { type: "page_id", id: newId() } as const]) {
    const page = emptyPage("", { parent, properties });
    await store.write(workspaceId, (tx) => insertPage(tx, page));
    const [stored, found] = [await findUnparsedPage(scope, page.id), await findPage(scope, page.id)];
    if (stored === undefined || found === undefined) throw new Error("The page was not found.");
    expect(renderPageJson(scope, stored)).toBe(JSON.stringify((await presentPage(scope, found)).body));
  }
});

test.for(["relation", "people", "created_by", "last_edited_by"] as const)(
  "a page with a property of the type %s is not rendered",
  (type) => {
    const schema = createSchema([
      plainProperty("title", "Title", "title"),
      plainProperty("prop", "Other", type),
    ]);
    const page = { ...emptyPage("a"), icon: null, cover: null, properties: "{}" };
    expect(renderPageJson({ urls: { app: "", api: "" } }, { page, schema })).toBeUndefined();
  },
);
