import { describe, expect, test } from "vitest";
import { connect, title } from "../support/contract.js";

const FUNCTIONS = ["sum", "average", "median", "range"] as const;

/** Adds a number X, a relation Next between pages, and a rollup of X of the linked pages for each function. */
async function connectWithRollups() {
  const { client, rootDatabaseId } = await connect();
  const path = { database_id: rootDatabaseId };
  const relation = { database_id: rootDatabaseId, single_property: {} };
  await client.updateDatabase({ path, body: { properties: { X: { number: {} }, Next: { relation } } } });
  const rollup = { relation_property_name: "Next", rollup_property_name: "X" };
  const properties = Object.fromEntries(
    FUNCTIONS.map((each) => [each, { rollup: { ...rollup, function: each } }]),
  );
  await client.updateDatabase({ path, body: { properties } });
  const addPage = async (values: object) =>
    (await client.createPage({ body: { parent: path, properties: { ...values } } })).body;
  return { client, path, addPage };
}

describe("numbers at the limits of their type", () => {
  test("filters and sorts by rollups of numbers whose sum overflows", async () => {
    const { client, path, addPage } = await connectWithRollups();
    const ids = [];
    for (const X of [1.7e308, 1.7e308, -1.7e308]) ids.push((await addPage({ X })).id);
    const all = await addPage({ Title: title("all"), Next: { relation: ids.map((id) => ({ id })) } });
    const two = await addPage({
      Title: title("two"),
      Next: { relation: ids.slice(0, 2).map((id) => ({ id })) },
    });
    const query = async (body: object): Promise<string[]> => {
      const { body: list } = await client.queryDatabase({ path, body });
      return list.results.map(({ id }) => id);
    };
    for (const name of FUNCTIONS) {
      const filter = { property: name, rollup: { number: { greater_than: 1e100 } } };
      const sorts = [{ property: name, direction: "descending" }];
      expect(await query({ filter, sorts }), name).toContain((name === "range" ? all : two).id);
    }
  });

  test("filters and sorts by rollups of numbers whose sum or average underflows", async () => {
    const { client, path, addPage } = await connectWithRollups();
    // As decimal numbers, 21 times 5e-324 and -1.04e-322 have a sum that is too small for a double.
    const numbers = [0, -1.04e-322, ...Array.from({ length: 21 }, () => 5e-324)];
    const links = [];
    for (const X of numbers) links.push({ id: (await addPage({ X })).id });
    const all = await addPage({ Next: { relation: links } });
    const two = await addPage({ Next: { relation: [links[0], links[2]] } });
    for (const name of FUNCTIONS) {
      const filter = { property: name, rollup: { number: { less_than: 1e-100 } } };
      const sorts = [{ property: name, direction: "ascending" as const }];
      const { body } = await client.queryDatabase({ path, body: { filter, sorts } });
      const ids = body.results.map(({ id }) => id);
      expect(ids, name).toEqual(expect.arrayContaining([all.id, two.id]));
    }
  });

  test.each([
    [[0.1, 0.2, 0.3], { sum: 0.6, average: 0.2, median: 0.2, range: 0.2 }],
    [[1e17, 6, -1e17], { sum: 6, average: 2, median: 6, range: 2e17 }],
  ])("rollups of %j have results without rounding errors, which filters find", async (numbers, results) => {
    const { client, path, addPage } = await connectWithRollups();
    const targets = [];
    for (const X of numbers) targets.push({ id: (await addPage({ X })).id });
    const page = await addPage({ Next: { relation: targets } });
    for (const name of FUNCTIONS) {
      const number = results[name];
      expect(page).toHaveProperty(["properties", name, "rollup", "number"], number);
      const filter = { property: name, rollup: { number: { equals: number } } };
      const { body: list } = await client.queryDatabase({ path, body: { filter } });
      expect([name, list.results.map(({ id }) => id)]).toEqual([name, [page.id]]);
    }
  });

  test("refuses a cursor with a forged position", async () => {
    const { client, send, rootDatabaseId } = await connect();
    const path = { database_id: rootDatabaseId };
    const relation = { database_id: rootDatabaseId, single_property: {} };
    await client.updateDatabase({ path, body: { properties: { Next: { relation } } } });
    const targets = [];
    for (let count = 0; count < 2; count += 1) {
      const { body } = await client.createPage({ body: { parent: path, properties: {} } });
      targets.push({ id: body.id });
    }
    const { body: page } = await client.createPage({
      body: { parent: path, properties: { Next: { relation: targets } } },
    });
    const address = `/v1/pages/${page.id}/properties/Next?page_size=1`;
    // The cast: the property items of a relation are a list.
    const { next_cursor } = (await (await send("GET", address)).json()) as { next_cursor: string };
    // The cast: a cursor is a JSON array.
    const [name] = JSON.parse(Buffer.from(next_cursor, "base64url").toString()) as unknown[];
    for (const position of [2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, 1.5, null]) {
      const cursor = Buffer.from(JSON.stringify([name, position])).toString("base64url");
      const { status } = await send("GET", `${address}&start_cursor=${cursor}`);
      expect([position, status]).toEqual([position, 400]);
    }
  });
});
