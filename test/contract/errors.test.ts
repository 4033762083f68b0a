import { describe, expect, test } from "vitest";
import { addPage, connect, readError, getError, UNKNOWN } from "../support/contract.js";

test("an error has object, status, code, message and the request id of its header", async () => {
  const { send } = await connect();
  const response = await send("GET", `/v1/pages/${UNKNOWN}`);
  const error = await readError(response);
  expect(error).toEqual({
    object: "error",
    status: 404,
    code: "object_not_found",
    message: expect.stringContaining(`Could not find page with ID: ${UNKNOWN}.`),
    request_id: response.headers.get("X-Request-Id"),
  });
});

/** Invalid bodies of a POST, and the message after `body failed validation: `. */
const INVALID_BODIES: [unknown, string][] = [
  [
    {},
    "body.parent should be defined, instead was `undefined`.\nbody.properties should be defined, instead was `undefined`.",
  ],
  [{ parent: {}, properties: {} }, "body.parent.database_id should be defined, instead was `undefined`."],
  [
    { parent: { database_id: "x" }, properties: {} },
    'body.parent.database_id should be a valid uuid, instead was `"x"`.',
  ],
  [{ parent: { database_id: UNKNOWN } }, "body.properties should be defined, instead was `undefined`."],
  [
    { parent: { database_id: UNKNOWN }, properties: {}, colour: 1 },
    "body.colour should be not present, instead was `1`.",
  ],
  [
    {
      parent: { database_id: UNKNOWN },
      properties: {
        "My Notes": { rich_text: Array.from({ length: 101 }, () => ({ text: { content: "" } })) },
      },
    },
    'body.properties["My Notes"].rich_text.length should be ≤ `100`, instead was `101`.',
  ],
  [[], "body should be an object, instead was `[]`."],
  [null, "body should be an object, instead was `null`."],
];

describe("400 validation_error:", () => {
  test("a malformed id names the path parameter", async () => {
    const { send } = await connect();
    const ids = ["abc", "0191d5a2", `${UNKNOWN}0`, "%7B%7D", "0191d5a2-9c40-7f7e-8d21-64b1f0a7c91g"];
    // An id has either all dashes or none.
    for (const id of [...ids, UNKNOWN.replace("-", ""), `${UNKNOWN.replaceAll("-", "").slice(1)}-`]) {
      for (const [method, body] of [["GET"], ["PATCH", {}]] as const) {
        const error = await readError(await send(method, `/v1/pages/${id}`, body));
        expect(error).toMatchObject({ status: 400, code: "validation_error" });
        const seen = decodeURIComponent(id);
        expect(error.message).toBe(
          `path failed validation: path.page_id should be a valid uuid, instead was \`"${seen}"\`.`,
        );
      }
    }
  });

  test("an invalid body, with the location, the expectation and the value", async () => {
    const { send } = await connect();
    for (const [body, message] of INVALID_BODIES) {
      const error = await readError(await send("POST", "/v1/pages", body));
      expect(error).toMatchObject({
        status: 400,
        code: "validation_error",
        message: `body failed validation: ${message}`,
      });
    }
  });

  test("an icon without content, with two contents, or with a type that differs from its content", async () => {
    const { send, client, rootDatabaseId } = await connect();
    const id = await addPage({ client, rootDatabaseId });
    const refusals: [icon: object, message: string][] = [
      [{ emoji: 1 }, "body.icon.emoji should be a string, instead was `1`."],
      [{ emoji: "abc" }, 'body.icon.emoji should be an emoji, instead was `"abc"`.'],
      [{ emoji: "1" }, 'body.icon.emoji should be an emoji, instead was `"1"`.'],
      [{}, "body.icon.emoji should be defined, instead was `undefined`."],
      [{ type: "external", emoji: "🧭" }, "body.icon.external should be defined, instead was `undefined`."],
      [
        { emoji: "🧭", external: { url: "https://example.org" } },
        'body.icon.external should be not present, instead was `{"url":"https://example.org"}`.',
      ],
    ];
    for (const [icon, message] of refusals) {
      const error = await readError(await send("PATCH", `/v1/pages/${id}`, { icon }));
      expect(error).toMatchObject({
        status: 400,
        code: "validation_error",
        message: `body failed validation: ${message}`,
      });
    }
  });

  test("accepts emojis of one and of several code points as icons", async () => {
    const connected = await connect();
    const path = { page_id: await addPage(connected) };
    for (const emoji of ["🧭", "❤️", "1️⃣", "#️⃣", "ℹ️", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦", "👍🏽", "Ⓜ️"]) {
      const { body } = await connected.client.updatePage({ path, body: { icon: { emoji } } });
      expect(body.icon).toEqual({ type: "emoji", emoji });
    }
  });

  test("a missing body", async () => {
    const { send } = await connect();
    for (const [method, path] of [
      ["POST", "/v1/pages"],
      ["PATCH", `/v1/pages/${UNKNOWN}`],
    ] as const) {
      const error = await readError(await send(method, path));
      expect(error).toMatchObject({
        status: 400,
        code: "validation_error",
        message: "body failed validation: body should be defined, instead was `undefined`.",
      });
    }
  });

  test("a page in the trash can be retrieved and restored, but not edited", async () => {
    const connected = await connect();
    const { client } = connected;
    const path = { page_id: await addPage(connected) };
    expect((await client.updatePage({ path, body: { in_trash: true } })).body).toMatchObject({
      in_trash: true,
      archived: true,
    });
    const error = await getError(client.updatePage({ path, body: { icon: { emoji: "🧭" } } }));
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toMatch(/^Can't edit block that is archived/);
    expect((await client.retrievePage({ path })).body).toMatchObject({ in_trash: true, icon: null });
    const restored = await client.updatePage({ path, body: { archived: false, icon: { emoji: "🧭" } } });
    expect(restored.body).toMatchObject({ in_trash: false, archived: false, icon: { emoji: "🧭" } });
    const both = { archived: true, in_trash: false };
    expect(await getError(client.updatePage({ path, body: both }))).toMatchObject({ status: 400 });
  });
});

test("messages shorten long values of the request", async () => {
  const { send, rootDatabaseId } = await connect();
  const long = "x".repeat(2000);
  const query = `/v1/databases/${rootDatabaseId}/query`;
  const database = `/v1/databases/${rootDatabaseId}`;
  const requests: [string, string, unknown?][] = [
    ["GET", `/v1/users?start_cursor=${long}`],
    ["POST", query, { start_cursor: long }],
    ["POST", query, { filter: { property: long, number: { equals: 1 } } }],
    ["POST", query, { sorts: [{ property: long, direction: "ascending" }] }],
    ["POST", `${query}?filter_properties=${long}`, {}],
    ["POST", "/v1/pages", { parent: { database_id: rootDatabaseId }, properties: { [long]: { number: 1 } } }],
    ["PATCH", database, { properties: { [long]: null } }],
    ["PATCH", database, { properties: { [long]: { formula: {} } } }],
    ["PATCH", database, { properties: { [long]: { number: {}, select: {} } } }],
    ["PATCH", database, { properties: { [long]: { type: "number", select: {} } } }],
    ["PATCH", database, { properties: { [long]: { number: {} }, Title: { name: long } } }],
    [
      "PATCH",
      database,
      { properties: { R: { rollup: { relation_property_name: long, function: "count" } } } },
    ],
  ];
  for (const [method, path, body] of requests) {
    const { status, message } = await readError(await send(method, path, body));
    expect([status, message], message).toEqual([400, expect.stringContaining(`${"x".repeat(100)}…`)]);
    expect(message).not.toContain("x".repeat(101));
  }
  const response = await send("POST", query, {}, { "Content-Type": `text/${long}` });
  expect((await readError(response)).message).toMatch(/^Unsupported content type text\/x{95}…; send /);
});

describe("the media type and the size of a body:", () => {
  test("another or no content type, and a content encoding: 400 invalid_request; a charset is accepted", async () => {
    const { send, rootDatabaseId } = await connect();
    const body = { parent: { database_id: rootDatabaseId }, properties: {} };
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json5", ""]) {
      const error = await readError(await send("POST", "/v1/pages", body, { "Content-Type": type }));
      expect(error).toMatchObject({ status: 400, code: "invalid_request" });
      expect(error.message).toContain("send application/json");
    }
    const gzip = await send("POST", "/v1/pages", body, { "Content-Encoding": "gzip" });
    expect(await readError(gzip)).toMatchObject({ status: 400, code: "invalid_request" });
    for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON"]) {
      expect((await send("POST", "/v1/pages", body, { "Content-Type": type })).status).toBe(200);
    }
  });

  test("accepts exactly 512,000 bytes", async () => {
    const { send, rootDatabaseId } = await connect();
    const json = JSON.stringify({ parent: { database_id: rootDatabaseId }, properties: {} });
    const exact = json + " ".repeat(512_000 - json.length);
    expect((await send("POST", "/v1/pages", exact)).status).toBe(200);
  });
});
