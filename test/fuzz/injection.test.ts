import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, type Client, filter, paginate, property, sort } from "../../src/client/index.js";
import { type RunningService, startService } from "../support/service.js";

// Texts with a meaning in languages that code could insert them into: SQL of both databases, LIKE patterns, JSON paths,
// templates and other encodings.
const PAYLOADS = [
  "' OR '1'='1",
  "' OR 1=1 --",
  "'; DROP TABLE pages; --",
  "'; DELETE FROM property_values; --",
  "') OR ('1'='1",
  "' UNION SELECT key_id FROM api_keys --",
  "' AND (SELECT COUNT(*) FROM sqlite_master) > 0 --",
  "'||(SELECT hash FROM api_keys LIMIT 1)||'",
  "1; SELECT pg_sleep(10)",
  "$1",
  "$$; DROP SCHEMA public; $$",
  "?",
  "?1",
  ":name",
  "@name",
  "%",
  "_",
  "%_%",
  "\\%",
  "\\",
  "\\\\",
  "\\'",
  '"',
  '""',
  '" OR ""="',
  "`",
  "``; DROP TABLE pages",
  "[x]",
  "]",
  "$.a.b",
  '$."a"[0]',
  "->>'$.x'",
  "#>>'{a,b}'",
  "{}",
  "{{7*7}}",
  "${7*7}",
  "<%= 7*7 %>",
  "#{7*7}",
  "/* comment",
  "*/ x /*",
  "-- comment",
  "# comment",
  "\u00a0' OR 1=1",
  "\u02bc OR 1=1",
  "\uff07 OR 1=1",
  "%27%20OR%201=1",
  "\r\n; DROP TABLE pages",
  "\t'\t",
  "__proto__",
  "constructor",
] as const;
const FRAMES: ((payload: string) => string)[] = [
  (payload) => `a${payload}`,
  (payload) => `${payload}b`,
  (payload) => `x ${payload} y`,
  (payload) => `'${payload}'`,
  (payload) => `"${payload}"`,
  (payload) => `(${payload})`,
  (payload) => `${payload}${payload}`,
  (payload) => `${payload};`,
  (payload) => `é${payload}🚀`,
];
/** Every payload alone and in three frames, which rotate from payload to payload. */
const TEXTS = [
  ...new Set(
    PAYLOADS.flatMap((payload, index) => [
      payload,
      ...[0, 1, 2].map((turn) => FRAMES[(3 * index + turn) % FRAMES.length]?.(payload) ?? payload),
    ]),
  ),
];

/** Maximum number of properties in one database of this test. */
const MAX_PROPERTIES = 50;

let running: RunningService;
let client: Client;
const parent = { type: "workspace", workspace: true } as const;

beforeAll(async () => {
  running = await startService();
  client = createClient({ baseUrl: running.baseUrl, apiKey: running.key });
});
afterAll(() => running.service.close());

async function addDatabase(names: string[]): Promise<string> {
  const properties = Object.fromEntries(names.map((name) => [name, { rich_text: {} }]));
  const { body } = await client.createDatabase({
    body: { parent, properties: { T: { title: {} }, ...properties } },
  });
  return body.id;
}

test("there are about 200 different texts", () => {
  expect(TEXTS.length).toBeGreaterThanOrEqual(190);
});

describe("a text that is code in another language", () => {
  test("is stored unchanged as a value, and a filter finds only this value", async () => {
    const database_id = await addDatabase(["Text"]);
    const option = { Choice: { select: {} } };
    await client.updateDatabase({ path: { database_id }, body: { properties: option } });
    const ids = new Map<string, string>();
    for (const text of TEXTS) {
      const { body } = await client.createPage({
        body: {
          parent: { database_id },
          properties: {
            T: property.title(text),
            Text: property.text(text),
            ...(text.includes(",") ? {} : { Choice: property.select(text) }),
          },
        },
      });
      expect(body.properties).toMatchObject({ T: { title: [{ text: { content: text } }] } });
      expect(body.properties).toMatchObject({ Text: { rich_text: [{ plain_text: text }] } });
      ids.set(body.id, text);
    }
    const findTexts = async (built: object): Promise<(string | undefined)[]> => {
      const texts: (string | undefined)[] = [];
      const body = { filter: built };
      for await (const { id } of paginate(client.queryDatabase, { path: { database_id }, body }))
        texts.push(ids.get(id));
      return texts;
    };
    const foldCase = (text: string): string => text.normalize("NFC").toLowerCase();
    for (const text of TEXTS) {
      expect(await findTexts(filter.text("Text").equals(text))).toEqual([text]);
      const holding = TEXTS.filter((other) => foldCase(other).includes(foldCase(text)));
      expect(await findTexts(filter.text("T").contains(text))).toEqual(holding);
      if (!text.includes(",")) expect(await findTexts(filter.select("Choice").equals(text))).toEqual([text]);
    }
    const { body: whole } = await client.search({ body: { query: "'; DROP TABLE pages; --" } });
    expect(whole.results.length).toBeGreaterThan(0);
    const count = (await findTexts(filter.text("T").is_not_empty())).length;
    expect(count).toBe(TEXTS.length);
  });

  test("works as the name of a property in values, filters and sorts", async () => {
    for (let start = 0; start < TEXTS.length; start += MAX_PROPERTIES) {
      const names = TEXTS.slice(start, start + MAX_PROPERTIES);
      const database_id = await addDatabase(names);
      const { body: database } = await client.retrieveDatabase({ path: { database_id } });
      expect(Object.keys(database.properties).sort()).toEqual(["T", ...names].sort());
      const rows: string[] = [];
      for (const half of ["b", "a"]) {
        const values = Object.fromEntries(names.map((name) => [name, property.text(`${half} ${name}`)]));
        const { body } = await client.createPage({ body: { parent: { database_id }, properties: values } });
        for (const name of names) {
          expect(body.properties[name]).toMatchObject({ rich_text: [{ plain_text: `${half} ${name}` }] });
        }
        rows.push(body.id);
      }
      const [b, a] = rows;
      for (const name of names) {
        const query = async (body: object): Promise<string[]> =>
          (await client.queryDatabase({ path: { database_id }, body })).body.results.map(({ id }) => id);
        expect(await query({ filter: filter.text(name).equals(`a ${name}`) })).toEqual([a]);
        expect(await query({ sorts: [sort.ascending(name)] })).toEqual([a, b]);
        expect(await query({ sorts: [sort.descending(name)] })).toEqual([b, a]);
      }
    }
  });

  test("finds nothing as a search, and gets 400 as a cursor, an id or an unknown property", async () => {
    for (const text of TEXTS) {
      const { body } = await client.search({ body: { query: `${text} which no title holds` } });
      expect(body.results).toEqual([]);
      const statuses = await Promise.all(
        [
          client.queryDatabase({
            path: { database_id: running.rootDatabaseId },
            body: { start_cursor: text },
          }),
          client.queryDatabase({
            path: { database_id: running.rootDatabaseId },
            body: { filter: filter.text(`no ${text}`).equals("x") },
          }),
          client.retrievePage({ path: { page_id: text } }),
          client.retrieveUser({ path: { user_id: text } }),
        ].map((call) => call.then(({ status }) => status).catch(({ status }: { status: number }) => status)),
      );
      expect(statuses).toEqual([400, 400, 400, 400]);
    }
  });
});
