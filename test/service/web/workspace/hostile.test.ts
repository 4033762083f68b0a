import { beforeEach, expect, test } from "vitest";
import { type Client, createClient } from "../../../../src/client/index.js";
import { append, appendIds, paragraph, toggle } from "../../../support/blocks.js";
import { text } from "../../../support/contract.js";
import type { Visitor } from "../../../support/visitor.js";
import { startWeb } from "../visitors.js";
import { findLink } from "./teas.js";

/** Limit for the characters of a page, including some additional markup. */
const MAX_PAGE_CHARACTERS = 4_000_000;

let visitor: Visitor;
let client: Client;

beforeEach(async () => {
  const { url, member } = await startWeb();
  visitor = await member("Ada");
  client = createClient({ baseUrl: url, apiKey: await visitor.createKey("Importer") });
});

function createLongText(length: number, character = "x"): { text: { content: string } }[] {
  return Array.from({ length: length / 2000 }, () => ({ text: { content: character.repeat(2000) } }));
}

async function createPage(title: { text: { content: string } }[] = []): Promise<string> {
  const { body } = await client.createPage({
    body: { parent: { workspace: true }, properties: { title: { title } } },
  });
  return body.id;
}

async function view(id: string, { query = "", status = 200 } = {}): Promise<string> {
  const response = await visitor.get(`/${id.replaceAll("-", "")}${query}`);
  expect(response.status).toBe(status);
  const body = await response.text();
  expect(body.length).toBeLessThan(MAX_PAGE_CHARACTERS);
  return body;
}

function repeat<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

test("synced blocks with copies of themselves do not double the blocks of a page at each level", async () => {
  const id = await createPage();
  const [original = ""] = await appendIds(client, id, [{ synced_block: { synced_from: null } }]);
  const copy = { synced_block: { synced_from: { block_id: original } } };
  await append(client, original, [copy, copy, paragraph("inner")]);
  expect(await view(id)).toContain("inner");
});

test("many tables of contents repeat the headings only up to the size limit of the page", async () => {
  const id = await createPage();
  await append(client, id, repeat(100, { table_of_contents: {} }));
  await append(client, id, repeat(100, { heading_1: { rich_text: createLongText(2000) } }));
  expect(await view(id)).toContain("too long to be shown whole");
});

test("many breadcrumbs and links contain only a shortened long title", async () => {
  const outer = await createPage(createLongText(40_000));
  const { body } = await client.createPage({ body: { parent: { page_id: outer }, properties: {} } });
  await append(client, body.id, repeat(100, { breadcrumb: {} }));
  await append(client, body.id, repeat(100, { link_to_page: { page_id: outer } }));
  await view(body.id);
});

test("a page whose long texts are all escaped is shown in parts, none of which is cut", async () => {
  const id = await createPage();
  for (let block = 0; block < 4; block += 1) {
    await append(client, id, [{ paragraph: { rich_text: createLongText(200_000, "&") } }]);
  }
  await append(client, id, [paragraph("The end.")]);
  const first = await view(id);
  const second = await view(id, { query: findLink(first, "next") });
  for (const part of [first, second]) expect(part).not.toContain("too long to be shown whole");
  expect([first, second].map((part) => part.includes("The end."))).toEqual([false, true]);
  expect(findLink(second, "next")).toBe("");
});

test("links lead to all blocks in a block that alone exceeds the size limit of a page, and to the block after it", async () => {
  const id = await createPage();
  const [outer = ""] = await appendIds(client, id, [toggle("All."), paragraph("The end.")]);
  const [inner = ""] = await appendIds(client, outer, [toggle("All.")]);
  for (let block = 0; block < 12; block += 1) {
    const rich_text = [...text(`Part ${block}.`), ...createLongText(198_000, "&")];
    await append(client, inner, [{ paragraph: { rich_text } }]);
  }
  const seen = new Set<string>();
  let last: string;
  let query: string | undefined = "";
  let parts = 0;
  do {
    last = await view(id, { query });
    for (const [name] of last.matchAll(/Part \d+\./g)) seen.add(name);
    query = /href="[^"?]*([^"]*)">Show more/.exec(last)?.[1] ?? findLink(last, "next");
    parts += 1;
  } while (query !== "" && parts < 10);
  expect([seen.size, parts, last.includes("The end.")]).toEqual([12, 8, true]);
});

test("a link leads to the synced copies for which a page has no space, and to the block after them", async () => {
  const id = await createPage();
  const [original = ""] = await appendIds(client, id, [{ synced_block: { synced_from: null } }]);
  // The JSON of each character takes a byte, and its HTML takes five.
  await append(client, original, [{ paragraph: { rich_text: createLongText(60_000, "&") } }]);
  await append(client, id, repeat(16, { synced_block: { synced_from: { block_id: original } } }));
  await append(client, id, [paragraph("The end.")]);
  const first = await view(id);
  expect(first).toContain("too long to be shown whole");
  expect(first).not.toContain("The end.");
  const second = await view(id, { query: findLink(first, "next") });
  expect(second).not.toContain("too long to be shown whole");
  expect(second).toContain("The end.");
  expect(findLink(second, "next")).toBe("");
});

/** A text without characters, whose HTML is only markup. */
const EMPTY_RUN = {
  text: { content: "" },
  annotations: {
    bold: true,
    italic: true,
    strikethrough: true,
    underline: true,
    code: true,
    color: "red" as const,
  },
};

test("synced copies of a table of texts that consist of annotations are shown in several parts", async () => {
  const id = await createPage();
  const row = { table_row: { cells: repeat(100, repeat(29, EMPTY_RUN)) } };
  const table = { table: { table_width: 100, children: [row] } };
  const original = { synced_block: { synced_from: null, children: [table] } };
  const [block_id = ""] = await appendIds(client, id, [original]);
  await append(client, id, repeat(20, { synced_block: { synced_from: { block_id } } }));
  await append(client, id, [paragraph("The end.")]);
  let page = await view(id);
  let parts = 1;
  while (!page.includes("The end.") && parts < 10) {
    page = await view(id, { query: findLink(page, "next") });
    parts += 1;
  }
  expect([parts, page.includes("The end."), findLink(page, "next")]).toEqual([4, true, ""]);
});

test("long texts leave space for the properties and comments of their page", async () => {
  const databaseId = await createWideTable(1, { rich_text: {} }, { rich_text: text("A property.") });
  const { body } = await client.queryDatabase({ path: { database_id: databaseId }, body: {} });
  const id = body.results[0]?.id ?? "";
  for (let block = 0; block < 16; block += 1) {
    await append(client, id, [{ paragraph: { rich_text: createLongText(200_000) } }]);
  }
  await client.createComment({ body: { parent: { page_id: id }, rich_text: text("A comment.") } });
  const page = await view(id);
  expect([page.includes("A property."), page.includes("A comment.")]).toEqual([true, true]);
});

test("the start page and the search show the titles of pages without reading their other values", async () => {
  // Together they exceed MAX_READ_BYTES.
  const value = { rich_text: createLongText(200_000, "é") };
  const id = await createWideTable(1, { rich_text: {} }, value, 14);
  await client.updateDatabase({ path: { database_id: id }, body: { title: text("Wide table") } });
  for (const path of ["/", "/search"]) {
    const response = await visitor.get(path);
    expect([path, (await response.text()).split("in Wide table").length - 1]).toEqual([path, 14]);
  }
});

test("code that would take minutes to highlight is shown without colors", async () => {
  const id = await createPage();
  const content = "[](".repeat(600);
  const code = { code: { rich_text: repeat(10, { text: { content } }), language: "markdown" as const } };
  await append(client, id, [code]);
  const page = await view(id);
  expect(page).toContain("[](".repeat(600));
  expect(page).not.toContain("hljs-");
});

type Properties = Parameters<Client["createDatabase"]>[0]["body"]["properties"];
type Values = Parameters<Client["createPage"]>[0]["body"]["properties"];

/** Creates a database with `count` properties of a type, and `rows` pages with one value in all of them. */
async function createWideTable(count: number, property: object, value: object, rows = 1): Promise<string> {
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  // The casts: the type of the property is a parameter.
  const properties = Object.fromEntries(names.map((name) => [name, property])) as Properties;
  const values = Object.fromEntries(names.map((name) => [name, value])) as Values;
  const parent = { workspace: true } as const;
  const database = await client.createDatabase({
    body: { parent, properties: { Name: { title: {} }, ...properties } },
  });
  const { id } = database.body;
  for (let row = 0; row < rows; row += 1) {
    await client.createPage({ body: { parent: { database_id: id }, properties: values } });
  }
  return id;
}

/** An address each of whose characters takes five characters as HTML. */
const ESCAPED_URL = `http://a/${"'".repeat(1990)}`;

test("a table of long web addresses shows them up to the size limit of the page", async () => {
  const id = await createWideTable(230, { url: {} }, { url: ESCAPED_URL }, 2);
  expect(await view(id)).toContain("too long to be shown whole");
});

test("a page whose properties are cut says so, and does not call the others empty", async () => {
  const databaseId = await createWideTable(230, { url: {} }, { url: ESCAPED_URL });
  const { body } = await client.queryDatabase({ path: { database_id: databaseId }, body: {} });
  const page = await view(body.results[0]?.id ?? "");
  expect(page).toContain("too long to be shown whole");
  expect(page).not.toContain("Empty properties");
});

test("long links in texts, and long addresses of images and icons, count as text", async () => {
  const id = await createPage();
  const link = { text: { content: "x", link: { url: ESCAPED_URL } } };
  const external = { type: "external" as const, external: { url: ESCAPED_URL } };
  const images = repeat(100, { image: external });
  const icons = repeat(100, { callout: { rich_text: [], icon: external } });
  // Only all of them together exceed the limit.
  await append(client, id, [{ paragraph: { rich_text: repeat(100, link), children: images } }]);
  await append(client, id, [{ paragraph: { rich_text: repeat(50, link), children: icons } }]);
  expect(await view(id)).toContain("too long to be shown whole");

  // A block that alone exceeds the limit is followed by the block after it.
  const other = await createPage();
  const large = { paragraph: { rich_text: repeat(100, link), children: images } };
  const [first = "", end] = await appendIds(client, other, [large, paragraph("The end.")]);
  for (const children of [icons, images]) await append(client, first, children);
  expect(findLink(await view(other), "next")).toBe(`?cursor=${end}`);
});

test("the column headers of a table repeat a long filter only up to the size limit of the page", async () => {
  const id = await createWideTable(400, { checkbox: {} }, { checkbox: true });
  await view(id, { query: `?filter=p0&condition=contains&value=${"(".repeat(10_000)}`, status: 400 });
  await view(id, { query: `?cursor=${"(".repeat(10_000)}`, status: 400 });
});

test("a table with many columns shows fewer rows at once", async () => {
  const id = await createWideTable(400, { checkbox: {} }, { checkbox: true }, 26);
  const page = await view(id);
  expect(page.match(/<th\s+scope="row"/g)).toHaveLength(24);
  expect(page).toContain("Next rows");
});
