import { expect, test } from "vitest";
import { newId } from "../../src/domain/ids.js";
import { createClient } from "../../src/client/index.js";
import { appendBlockChildren } from "../../src/operations/append-block-children.js";
import { runWrite } from "../../src/operations/execution/run-write.js";
import { Scopes } from "../../src/operations/execution/scope.js";
import { append, childrenOf, paragraph, textOf } from "../support/blocks.js";
import { addPage, connect, readError, readList } from "../support/contract.js";
import { Random, takeSeed } from "../support/random.js";
import { createPrincipal, URLS } from "../support/scope.js";

test("appends after the child in `after` in the order of the request, and at the end without `after`", async () => {
  const { client, rootDatabaseId, send } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const [first] = await append(client, page, [paragraph("1"), paragraph("2")]);
  await append(client, page, [paragraph("1.1"), paragraph("1.2")], first?.id);
  await append(client, page, [paragraph("3")]);
  await append(client, page, [paragraph("1.0")], first?.id.replaceAll("-", ""));
  expect((await childrenOf(client, page)).map(textOf)).toEqual(["1", "1.0", "1.1", "1.2", "2", "3"]);
  // A block in the trash keeps its position.
  await client.deleteBlock({ path: { block_id: first?.id ?? "" } });
  await append(client, page, [paragraph("0")], first?.id);
  expect((await childrenOf(client, page)).map(textOf)).toEqual(["0", "1.0", "1.1", "1.2", "2", "3"]);

  const [inside] = await append(client, page, [paragraph("4", [paragraph("5")])]);
  const [deeper] = await childrenOf(client, inside?.id ?? "");
  const { body: child } = await client.createPage({ body: { parent: { page_id: page }, properties: {} } });
  await append(client, page, [paragraph("7")]);
  await append(client, page, [paragraph("6")], child.id);
  expect((await childrenOf(client, page)).map(textOf).slice(-4)).toEqual(["4", "child_page", "6", "7"]);
  for (const after of [deeper?.id, page, crypto.randomUUID()]) {
    const body = { children: [paragraph("8")], after };
    const error = await readError(await send("PATCH", `/v1/blocks/${page}/children`, body));
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toContain("is not a child of");
  }
});

test("hundreds of random appends, including concurrent ones, keep their order", async () => {
  const random = new Random(takeSeed());
  const { client, rootDatabaseId, baseUrl, key } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const model: string[] = [];
  const idOf = new Map<string, string>();
  let count = 0;
  for (let round = 0; round < 80; round++) {
    // Mostly at a few positions, so that gaps are split repeatedly.
    const at =
      model.length === 0 || random.below(4) === 0
        ? undefined
        : model[random.below(Math.min(3, model.length))];
    const texts = Array.from({ length: 1 + random.below(10) }, () => String(count++));
    const added = await append(
      client,
      page,
      texts.map((text) => paragraph(text)),
      at === undefined ? undefined : idOf.get(at),
    );
    for (const block of added) idOf.set(textOf(block), block.id);
    model.splice(at === undefined ? model.length : model.indexOf(at) + 1, 0, ...texts);
  }
  expect((await childrenOf(client, page, 1 + random.below(100))).map(textOf)).toEqual(model);

  // With retries, because on a busy machine 30 writes can take longer than one may wait.
  const patientClient = createClient({ baseUrl, apiKey: key });
  const together = Array.from({ length: 30 }, (_, index) => [`${index} a`, `${index} b`, `${index} c`]);
  await Promise.all(
    together.map((texts) =>
      append(
        patientClient,
        page,
        texts.map((text) => paragraph(text)),
      ),
    ),
  );
  const last = (await childrenOf(client, page)).map(textOf).slice(model.length);
  // The blocks of each request are together; the order of requests is arbitrary.
  expect(last).toHaveLength(90);
  for (const texts of together) {
    const start = last.indexOf(texts[0] ?? "");
    expect(last.slice(start, start + 3)).toEqual(texts);
  }
});

test("700 insertions at the same position keep the order and short position keys", async () => {
  const { client, rootDatabaseId, service, workspaceId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const [first] = await append(client, page, [paragraph("first"), paragraph("last")]);
  const expected = ["last"];
  const principal = { ...createPrincipal(workspaceId), userId: newId() };
  // 50 appends in one transaction, because 700 requests take ten times as long.
  for (let start = 0; start < 700; start += 50) {
    const texts = Array.from({ length: 50 }, (_, index) => String(start + index));
    await runWrite(new Scopes(service.store, URLS), principal, async (scope) => {
      for (const text of texts)
        await appendBlockChildren(scope, page, { children: [paragraph(text)], after: first?.id });
    });
    expected.unshift(...texts.toReversed());
  }
  expect((await childrenOf(client, page)).map(textOf)).toEqual(["first", ...expected]);
  const rows = await service.store.read
    .selectFrom("blocks")
    .select("position")
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "=", page)
    .execute();
  expect(Math.max(...rows.map((row) => row.position.length))).toBeLessThanOrEqual(100);
});

test("3,000 blocks: pages of any size return each block once and in order during concurrent changes", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const texts = Array.from({ length: 3_000 }, (_, index) => String(index));
  const ids: string[] = [];
  for (let start = 0; start < texts.length; start += 100) {
    const added = await append(
      client,
      page,
      texts.slice(start, start + 100).map((text) => paragraph(text)),
    );
    ids.push(...added.map(({ id }) => id));
  }
  const all = await childrenOf(client, page);
  expect(all.map(textOf)).toEqual(texts);
  expect(all.map(({ id }) => id)).toEqual(ids);

  let round = 0;
  const parts = await readList(async (from) => {
    const query = { page_size: 97, ...from };
    const { body } = await client.listBlockChildren({ path: { block_id: page }, query });
    const cursor = body.next_cursor;
    round += 1;
    if (round % 10 === 0 && cursor !== null) {
      // Deletes the block that the cursor names, and inserts one before its position.
      await append(client, page, [paragraph("new")], body.results.at(-1)?.id);
      await client.deleteBlock({ path: { block_id: cursor } });
      texts.splice(texts.indexOf(String(ids.indexOf(cursor))), 1);
    }
    return { body };
  });
  const seen = parts.flatMap(({ results }) => results.map(textOf));
  expect(seen).toEqual(texts);
});

test("list parameters: sizes, cursors and errors", async () => {
  const { client, rootDatabaseId, send } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const added = await append(
    client,
    page,
    ["1", "2", "3"].map((text) => paragraph(text)),
  );
  const path = `/v1/blocks/${page}/children`;
  const read = async (query: string) => (await send("GET", `${path}${query}`)).json();
  expect(await read("")).toMatchObject({
    object: "list",
    results: added,
    next_cursor: null,
    has_more: false,
    type: "block",
    block: {},
  });
  expect(await read("?page_size=2")).toMatchObject({
    results: added.slice(0, 2),
    next_cursor: added[2]?.id,
    has_more: true,
  });
  expect(await read("?page_size=3")).toMatchObject({ results: added, next_cursor: null, has_more: false });
  expect(await read("?page_size=0&start_cursor=null")).toMatchObject({ results: added });
  expect(await read(`?start_cursor=${added[1]?.id.replaceAll("-", "")}`)).toMatchObject({
    results: added.slice(1),
  });
  const refusals: [string, string][] = [
    ["?page_size=101", "query failed validation: query.page_size should be ≤ `100`, instead was `101`."],
    ["?page_size=-1", "query failed validation: query.page_size should be ≥ `0`, instead was `-1`."],
    [
      "?start_cursor=abc",
      'query failed validation: query.start_cursor should be a valid uuid, instead was `"abc"`.',
    ],
    [
      `?start_cursor=${page}`,
      `The start_cursor provided is invalid: ${page}. Use the next_cursor of the last response of the same list.`,
    ],
  ];
  for (const [query, message] of refusals) {
    const error = await readError(await send("GET", path + query));
    expect(error).toMatchObject({ status: 400, code: "validation_error", message });
  }
});
