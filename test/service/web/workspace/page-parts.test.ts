import { expect, test } from "vitest";
import {
  append,
  appendIds,
  type BlockInput,
  childrenOf,
  paragraph,
  toggle,
} from "../../../support/blocks.js";
import { text } from "../../../support/contract.js";
import { readText } from "../visitors.js";
import { addTea, findLink, startWithTeas } from "./teas.js";

test("a page of 1,200 blocks is shown in two parts", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Long", 1);
  await client.updatePage({
    path: { page_id: page.id },
    body: { cover: { external: { url: "https://example.com/cover.png" } } },
  });
  for (let part = 0; part < 12; part += 1) {
    const lines = Array.from({ length: 100 }, (_, index) => paragraph(`Line ${part * 100 + index}.`));
    await append(client, page.id, lines);
  }
  const first = await readText(visitor, `/${page.id}`);
  expect([first.includes("Line 999."), first.includes("Line 1000.")]).toEqual([true, false]);
  const second = await readText(visitor, `/${page.id}${findLink(first, "next")}`);
  expect([second.includes("Line 1000."), second.includes("Line 1199.")]).toEqual([true, true]);
  expect([first, second].map((part) => part.includes("First part"))).toEqual([false, true]);
  const cover =
    '<img class="cover" src="https://example.com/cover.png" alt="" referrerpolicy="no-referrer" />';
  expect([first, second].map((part) => part.includes(cover))).toEqual([true, false]);
});

test("the address of a block leads to the part of the page that shows it", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Long", 1);
  const [early = ""] = await appendIds(client, page.id, [paragraph("Early.")]);
  const hundred = Array.from({ length: 100 }, () => paragraph("Between."));
  for (let part = 0; part < 10; part += 1) await append(client, page.id, hundred);
  const end = [paragraph("Late."), paragraph("Removed.")];
  const [late = "", removed = ""] = await appendIds(client, page.id, end);
  const [nested = ""] = await appendIds(client, late, [paragraph("Nested.")]);
  await client.deleteBlock({ path: { block_id: removed } });
  const path = `/${page.id.replaceAll("-", "")}`;
  for (const [id, query] of [
    [early, ""],
    [early.toUpperCase(), ""],
    [late, `?cursor=${late}`],
    [nested, `?cursor=${nested}`],
    [removed, ""],
  ] as const) {
    const response = await visitor.get(`/${id}`);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `${path}${query}#${id.replaceAll("-", "").toLowerCase()}`,
    ]);
  }
  const part = await readText(visitor, `${path}?cursor=${nested}`);
  expect(part).toContain(`id="${nested.replaceAll("-", "")}"`);
});

test("a page with many copies of blocks is shown in parts with all of its own blocks", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Copies", 1);
  const children = Array.from({ length: 99 }, () => paragraph("Copied."));
  const original = { synced_block: { synced_from: null, children } };
  const [block_id = ""] = await appendIds(client, page.id, [original, paragraph("Before.")]);
  const copies = Array.from({ length: 40 }, () => ({ synced_block: { synced_from: { block_id } } }));
  await append(client, page.id, [...copies, paragraph("The end.")]);
  const first = await readText(visitor, `/${page.id}`);
  expect([first.includes("Before."), first.includes("The end.")]).toEqual([true, false]);
  const second = await readText(visitor, `/${page.id}${findLink(first, "next")}`);
  expect([second.includes("Before."), second.includes("The end.")]).toEqual([false, true]);
});

test("links to the other children of each block whose children are not all shown", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Toggles", 1);
  const lines = Array.from({ length: 99 }, () => paragraph("Line."));
  for (let part = 0; part < 23; part += 1) await append(client, page.id, [toggle("Toggle.", lines)]);
  const shown = await readText(visitor, `/${page.id}`);
  // 2,000 lines: all lines of some blocks, a part of another block, and none of the last two.
  const links = [...shown.matchAll(/href="([^"]+)">Show more/g)].map(([, link = ""]) => link);
  expect([shown.split("Line.").length - 1, links.length]).toEqual([2000, 3]);
  // 99 lines of each of the last two blocks, and of the first one its last line again with the lines that were not shown.
  for (const [index, lines] of [80, 99 * 2, 99].entries()) {
    const rest = await readText(visitor, links[index] ?? "");
    expect([index, rest.split("Line.").length - 1]).toEqual([index, lines]);
  }
  // The address of a line that is not shown leads to a part that shows it.
  const [first] = await childrenOf(client, page.id);
  for (let part = 0; part < 20; part += 1) await append(client, first?.id ?? "", lines);
  const last = (await childrenOf(client, first?.id ?? "")).at(-1)?.id.replaceAll("-", "") ?? "";
  const location = (await visitor.get(`/${last}`)).headers.get("location") ?? "";
  expect(await readText(visitor, location)).toContain(`id="${last}"`);
});

test("blocks in more than 24 levels, and their copies on other pages, can be reached by links", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Deep", 1);
  const [original = ""] = await appendIds(client, page.id, [{ synced_block: { synced_from: null } }]);
  let deepest = original;
  for (let level = 1; level <= 60; level += 1) {
    [deepest = ""] = await appendIds(client, deepest, [toggle(`Level ${level}.`)]);
  }
  const { body: other } = await addTea(fixture, "Copy", 1);
  await append(client, other.id, [{ synced_block: { synced_from: { block_id: original } } }]);
  for (const { id } of [page, other]) {
    let shown = await readText(visitor, `/${id}`);
    for (const last of [24, 48]) {
      expect([shown.includes(`Level ${last}.`), shown.includes(`Level ${last + 1}.`)]).toEqual([true, false]);
      shown = await readText(visitor, /href="([^"]+)">Show more/.exec(shown)?.[1] ?? "");
    }
    expect(shown).toContain("Level 60.");
    expect(shown).not.toContain("Show more");
  }
  const response = await visitor.get(`/${deepest}`);
  expect(await readText(visitor, response.headers.get("location") ?? "")).toContain("Level 60.");
});

test("the part of a page that begins inside a block leads to the blocks after it", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: around } = await addTea(fixture, "Around", 1);
  const { body: page } = await client.createPage({
    body: { parent: { page_id: around.id }, properties: {} },
  });
  await append(client, around.id, [paragraph("Not in the page.")]);
  const [outer = "", after = ""] = await appendIds(client, page.id, [toggle("Outer."), toggle("After.")]);
  const children = [toggle("Inner."), toggle("Removed."), toggle("Beside.")];
  const [inner = "", removed = "", beside = ""] = await appendIds(client, outer, children);
  await client.deleteBlock({ path: { block_id: removed } });
  const [innermost = ""] = await appendIds(client, inner, [toggle("Innermost.")]);
  const [last = ""] = await appendIds(client, after, [toggle("Last.")]);
  for (const [first, next] of [
    [innermost, beside],
    [beside, after],
    [after, ""],
    [last, ""],
  ]) {
    const part = await readText(visitor, `/${page.id}?cursor=${first}`);
    expect([first, findLink(part, "next")]).toEqual([first, next === "" ? "" : `?cursor=${next}`]);
  }
  const { body: other } = await addTea(fixture, "Other", 1);
  expect((await visitor.get(`/${other.id}?cursor=${inner}`)).status).toBe(400);
});

test("a table that is continued keeps its columns and its header", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "Table", 1);
  const cells = (...texts: string[]) => ({ table_row: { cells: texts.map(text) } });
  const children = [cells("City", "Nights"), cells("Lisbon", "3"), cells("Porto", "2")];
  const table = { table: { table_width: 2, has_column_header: true, children } };
  const [tableId = ""] = await appendIds(client, page.id, [table]);
  const rows = await childrenOf(client, tableId);
  const readTable = (part: string): string[] =>
    [...part.matchAll(/<(th|td)[^>]*>([^<]+)<\/\1>/g)].map(([, tag, text]) => `${tag} ${text}`);
  const header = ["th City", "th Nights"];
  const lisbon = ["td Lisbon", "td 3"];
  const porto = ["td Porto", "td 2"];
  for (const [row, shown] of [
    [0, [...header, ...lisbon, ...porto]],
    [1, [...header, ...lisbon, ...porto]],
    [2, [...header, ...porto]],
  ] as const) {
    const part = await readText(visitor, `/${page.id}?cursor=${rows[row]?.id}`);
    expect([row, readTable(part)]).toEqual([row, shown]);
  }
});

test("the part of a page that begins inside a numbered list goes on with its numbers", async () => {
  const fixture = await startWithTeas();
  const { client, visitor } = fixture;
  const { body: page } = await addTea(fixture, "List", 1);
  const item = (content: string): BlockInput => ({ numbered_list_item: { rich_text: text(content) } });
  const children = [item("Other."), { divider: {} }, ...["One.", "Removed.", "Two.", "Three."].map(item)];
  const [other, , one, removed, two, three] = await appendIds(client, page.id, children);
  await client.deleteBlock({ path: { block_id: removed ?? "" } });
  for (const [first, start] of [
    [other, undefined],
    [one, undefined],
    [two, "2"],
    [three, "3"],
  ]) {
    const part = await readText(visitor, `/${page.id}?cursor=${first}`);
    const [list = ""] = /<ol[^>]*>\s*<li[^>]*>\s*(Other|One|Two|Three)/.exec(part) ?? [];
    expect([first, /start="(\d+)"/.exec(list)?.[1]]).toEqual([first, start]);
  }

  let lastId = "";
  for (let added = 0; added < 5100; added += 100) {
    const items = Array.from({ length: 100 }, () => item("More."));
    lastId = (await appendIds(client, page.id, items)).at(-1) ?? "";
  }
  expect(await readText(visitor, `/${page.id}?cursor=${lastId}`)).toContain('<ol start="5103" ');
});
