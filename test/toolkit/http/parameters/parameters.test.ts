import { describe, expect, test } from "vitest";
import type { HttpParameter } from "../../../../src/http/index.js";
import { sendRequest, parameter, serve, serveExpress } from "../server.js";

const OBJECT = { R: 100, G: 200 } as const;
const DEEP_JSON = `${"[".repeat(100)}${"]".repeat(100)}`;
const INTEGERS = { R: "integer", G: "integer" } as const;
const STRINGS = { items: "string" } as const;
const ANY_OBJECT = { properties: {}, additionalProperties: "string" } as const;

// The tables of OpenAPI's "Style Examples" are in parameters-wire.test.ts.
describe("path parameters that the client writes differently", () => {
  const cases: [string, Partial<HttpParameter>, string, unknown][] = [
    ["label text with a dot", { style: "label", type: "string", explode: true }, ".a.b", "a.b"],
    ["matrix text with a comma", { style: "matrix", type: "string", explode: false }, ";p=a,b", "a,b"],
    [
      "matrix object with one member, exploded",
      { style: "matrix", type: { properties: INTEGERS }, explode: true },
      ";R=100",
      { R: 100 },
    ],
  ];
  test.for(cases)("%s", async ([, part, sent, expected]) => {
    const url = await serve({
      operation: { parameters: [parameter({ in: "path", required: true, ...part })] },
      at: "/things/:p",
    });
    expect(await sendRequest(`${url}/things/${sent}`)).toMatchObject({
      status: 200,
      body: { path: { p: expected } },
    });
  });
});

test.each([false, true])("a label without items is an empty list, exploded: %s", async (explode) => {
  const label = parameter({ in: "path", required: true, style: "label", type: STRINGS, explode });
  const url = await serve({ operation: { path: "/things/v{p}", parameters: [label] }, at: "/things/v:p" });
  expect(await sendRequest(`${url}/things/v.`)).toMatchObject({ status: 200, body: { path: { p: [] } } });
});

test.each([
  ["label", ".c,d"],
  ["matrix", ";q=c,d"],
])("a list ends where a parameter of the style %s begins", async (style, sent) => {
  const list = parameter({ in: "path", required: true, style: "simple", type: STRINGS, explode: false });
  const url = await serve({
    operation: { path: "/things/{p}{q}", parameters: [list, { ...list, name: "q", style }] },
    at: /^\/things\/(?<p>[^/]+?)(?<q>[.;][^/]*)$/,
  });
  expect(await sendRequest(`${url}/things/a%2Cb,x${sent}`)).toMatchObject({
    status: 200,
    body: { path: { p: ["a,b", "x"], q: ["c", "d"] } },
  });
});

test("text of a path can have any characters beside a list", async () => {
  const list = parameter({ in: "path", required: true, style: "simple", type: STRINGS, explode: false });
  const url = await serve({
    operation: { path: "/things(a)/{p}", parameters: [list] },
    at: /^\/things.a.\/(?<p>[^/]+?)$/,
  });
  expect(await sendRequest(`${url}/things(a)/a%2Cb,c`)).toMatchObject({
    body: { path: { p: ["a,b", "c"] } },
  });
});

test("a list ends where the router finds a value of an enum", async () => {
  const list = parameter({ in: "path", required: true, style: "simple", type: STRINGS, explode: false });
  const url = await serve({
    operation: { path: "/things/{p}{q}", parameters: [list, { ...list, name: "q", type: "string" }] },
    at: /^\/things\/(?<p>[^/]+?)(?<q>\.csv)$/,
  });
  expect(await sendRequest(`${url}/things/a,b.csv`)).toMatchObject({
    status: 200,
    body: { path: { p: ["a", "b"], q: ".csv" } },
  });
});

test("the router ignores the letter case and the last slash of a path, and so does the decoding of a list", async () => {
  const list = parameter({ in: "path", required: true, style: "simple", type: STRINGS });
  const url = await serve({ operation: { path: "/things/{p}", parameters: [list] }, at: "/things/:p{/}" });
  expect(await sendRequest(`${url}/THINGS/a%2Cb,c/`)).toMatchObject({ body: { path: { p: ["a,b", "c"] } } });
});

describe("query parameters that the client writes differently", () => {
  const cases: [string, Partial<HttpParameter>, string, unknown][] = [
    ["text in percent and plus", {}, "p=a%26b+c%C3%A9+d", "a&b cé d"],
    ["number", { type: "number" }, "p=-1.5e3", -1500],
    ["number with a capital E", { type: "number" }, "p=1E3", 1000],
    ["number without digits before or after the point", { type: { items: "number" } }, "p=.5&p=5.", [0.5, 5]],
    ["invalid number stays text", { type: "number" }, "p=0x10", "0x10"],
    ["empty number stays text", { type: "integer" }, "p=", ""],
    ["integer above 53 bits stays text", { type: "integer" }, "p=9007199254740993", "9007199254740993"],
    ["number above 53 bits", { type: "number" }, "p=9007199254740993", 9007199254740992],
    [
      "number above 53 bits in a list",
      { type: { items: "number" } },
      "p=9007199254740993",
      [9007199254740992],
    ],
    [
      "integer above 53 bits of several types stays text",
      { type: "numberOrBoolean" },
      "p=9007199254740993",
      "9007199254740993",
    ],
    ["large integer with all digits", { type: "integer" }, "p=-1152921504606846976", -(2 ** 60)],
    ["large integer with zeros at its end", { type: "integer" }, "p=1152921504606847000", 2 ** 60],
    ["Infinity stays text", { type: "number" }, "p=Infinity", "Infinity"],
    ["boolean in capitals stays text", { type: "boolean" }, "p=TRUE", "TRUE"],
    ["array of one, exploded", { type: STRINGS }, "p=a,b", ["a,b"]],
    ["object, exploded", { type: { properties: INTEGERS } }, "R=100&G=200&other=1", OBJECT],
    [
      "object with a comma in a name",
      { type: { properties: {}, additionalProperties: "integer" }, explode: false },
      "p=a%2Cb,1",
      { "a,b": 1 },
    ],
    [
      "booleans with an encoded comma",
      { type: { items: "boolean" }, explode: false },
      "p=true%2Cfalse",
      [true, false],
    ],
    [
      "numbers or booleans with an encoded comma",
      { type: { items: "numberOrBoolean" }, explode: false },
      "p=1%2Ctrue",
      [1, true],
    ],
    [
      "object with a property of the same name, or a number",
      { type: { properties: { p: "integer" }, scalarType: "integer" } },
      "p=1",
      { p: 1 },
    ],
    [
      "deep object",
      { type: { properties: INTEGERS }, style: "deepObject" },
      "p[R]=100&p%5BG%5D=200&q[R]=1",
      OBJECT,
    ],
    [
      "deep object with a list that is not declared",
      { type: ANY_OBJECT, style: "deepObject" },
      "p[a][1]=y&p[a][0]=x&p[b][1]=z&p[c][00]=x",
      { a: ["x", "y"], b: { 1: "z" }, c: { "00": "x" } },
    ],
    [
      "deep object with a number as a name",
      { type: { properties: { 0: "integer" } }, style: "deepObject" },
      "p[0]=1",
      { 0: 1 },
    ],
    [
      "tuple",
      { type: { items: "string", prefixItems: ["integer", "boolean"] } },
      "p=1&p=true&p=1",
      [1, true, "1"],
    ],
    [
      "tuple with a comma in its first item",
      { type: { items: "number", prefixItems: ["string"] }, explode: false },
      "p=a%2Cb,1",
      ["a,b", 1],
    ],
    [
      "deep object with a text beside an object",
      { type: { properties: { a: ANY_OBJECT } }, style: "deepObject" },
      "p[a]=null",
      { a: "null" },
    ],
    ["JSON of 100 levels", { type: "json" }, `p=${DEEP_JSON}`, JSON.parse(DEEP_JSON)],
    ["empty text that is allowed", { allowEmptyValue: true }, "p=", ""],
    ["empty boolean that is allowed", { type: "boolean", allowEmptyValue: true }, "p=", true],
  ];
  test.for(cases)("%s", async ([, part, sent, expected]) => {
    const url = await serve({ operation: { parameters: [parameter(part)] } });
    expect(await sendRequest(`${url}/things?${sent}`)).toMatchObject({
      status: 200,
      body: { query: { p: expected } },
    });
  });

  test("missing parameters are undefined", async () => {
    const objects = [
      parameter({ name: "a" }),
      parameter({ name: "b", type: STRINGS }),
      parameter({ name: "c", type: { properties: { g: "integer" } }, style: "deepObject" }),
      parameter({ name: "d", type: { properties: INTEGERS } }),
      parameter({ name: "e", type: { properties: {} }, explode: false }),
      // Without a value, as `allowEmptyValue` permits.
      parameter({ name: "f", type: "number", allowEmptyValue: true }),
    ];
    const url = await serve({ operation: { parameters: objects } });
    expect((await sendRequest(`${url}/things?f=&g=1&c[x=1&c[x]y=1&cx]=1`)).body).toEqual({ query: {} });
    expect((await sendRequest(`${url}/things`)).body).toEqual({ query: {} });
  });

  test("an exploded object of any names has no members of deep objects", async () => {
    const parameters = [
      parameter({ type: ANY_OBJECT }),
      parameter({ name: "deep", type: { properties: INTEGERS }, style: "deepObject" }),
    ];
    const url = await serve({ operation: { parameters } });
    expect((await sendRequest(`${url}/things?a=1&deep[R]=100&deep[G]=200&other[R]=1`)).body).toEqual({
      query: { p: { a: "1", "other[R]": "1" }, deep: OBJECT },
    });
    expect((await sendRequest(`${url}/things`)).body).toEqual({ query: {} });
  });

  test("errors are reported in the order path, query, headers and cookies", async () => {
    const names = ["cookie", "header", "query", "path"] as const;
    const parameters = names.map((name) => parameter({ name: "p", in: name, type: "json" }));
    const url = await serve({ operation: { path: "/things/{p}", parameters }, at: "/things/:p" });
    const getPart = async (path: string, headers: Record<string, string>) =>
      /\w+\.p/.exec(JSON.stringify((await sendRequest(`${url}${path}`, { headers })).body))?.[0];
    expect([
      await getPart("/things/{?p={", { p: "{", cookie: "p={" }),
      await getPart("/things/1?p={", { p: "{", cookie: "p={" }),
      await getPart("/things/1?p=1", { p: "{", cookie: "p={" }),
      await getPart("/things/1?p=1", { p: "1", cookie: "p={" }),
    ]).toEqual(["path.p", "query.p", "headers.p", "cookies.p"]);
  });

  test("only the members of an exploded object are reserved for it", async () => {
    const parameters = [
      parameter({ type: ANY_OBJECT }),
      parameter({ name: "deep", type: { properties: { a: "string" } }, style: "deepObject" }),
      parameter({ name: "list", type: { properties: { b: "string" } }, explode: false }),
      parameter({ name: "own", type: { properties: { c: "string" } } }),
    ];
    const url = await serve({ operation: { parameters } });
    expect((await sendRequest(`${url}/things?a=1&b=2&c=3`)).body).toEqual({
      query: { p: { a: "1", b: "2" }, own: { c: "3" } },
    });
  });

  test("deep objects have at most 20 levels", async () => {
    const url = await serve({
      operation: { parameters: [parameter({ type: ANY_OBJECT, style: "deepObject" })] },
    });
    const send = (levels: number) => sendRequest(`${url}/things?p${"[a]".repeat(levels)}=1`);
    expect((await send(20)).status).toBe(200);
    expect((await send(21)).status).toBe(400);
  });
});

describe("header and cookie parameters", () => {
  const cases: [string, Partial<HttpParameter>, string, unknown][] = [
    ["array with spaces", { type: { items: "integer" } }, "1, 2 ,3", [1, 2, 3]],
  ];
  test.for(cases)("header: %s", async ([, part, sent, expected]) => {
    const declared = parameter({ in: "header", style: "simple", explode: false, name: "X-P", ...part });
    const url = await serve({ operation: { parameters: [declared] } });
    expect(await sendRequest(`${url}/things`, { headers: { "x-p": sent } })).toMatchObject({
      status: 200,
      body: { headers: { "X-P": expected } },
    });
  });

  test("takes the Accept-Language that fetch sends by default for none", async () => {
    const send = async (language: string, required = false) => {
      const declared = parameter({ in: "header", style: "simple", name: "Accept-Language", required });
      const url = await serve({ operation: { parameters: [declared] } });
      return (await sendRequest(`${url}/things`, { headers: { "accept-language": language } })).body;
    };
    expect(await send("*")).toEqual({ headers: {} });
    expect(await send("*", true)).toEqual({ headers: { "Accept-Language": "*" } });
    expect(await send("de")).toEqual({ headers: { "Accept-Language": "de" } });
  });

  test("decodes declared cookies, and ignores others", async () => {
    const declared = ["a", "b", "c", "d"].map((name) =>
      parameter({ in: "cookie", name, type: name === "b" ? "integer" : "string" }),
    );
    const url = await serve({ operation: { parameters: declared } });
    const { body } = await sendRequest(`${url}/things`, {
      headers: { cookie: "other=1; %61=x%20y ; b=7; =nothing; novalue; c=100%" },
    });
    expect(body).toEqual({ cookies: { a: "x y", b: 7, c: "100%" } });
  });

  test("refuses invalid JSON in a cookie with its location", async () => {
    const url = await serve({ operation: { parameters: [parameter({ in: "cookie", type: "json" })] } });
    const { body } = await sendRequest(`${url}/things`, { headers: { cookie: "p={" } });
    expect(body).toMatchObject({
      reason: "invalid_value",
      message: expect.stringMatching(/^cookies failed/),
    });
  });
});

test.for<[string, Partial<HttpParameter>, path: string, cookie: string, RegExp]>([
  [
    "NUL in a path",
    { in: "path", style: "simple" },
    "%00",
    "",
    /^path failed validation: path\.p has.*U\+0000/,
  ],
  ["NUL in a query", {}, "1?p=a%00", "", /^query failed validation: query\.p has the character U\+0000/],
  ["NUL in a name", { type: ANY_OBJECT }, "1?a%00=1", "", /^query failed.*U\+0000/],
  ["NUL in a cookie", { in: "cookie" }, "1", "p=%00", /^cookies failed.*U\+0000/],
  ["half of a pair in JSON", { type: "json" }, String.raw`1?p="\ud800"`, "", /^query failed.*surrogate pair/],
  ["deep JSON", { type: "json" }, `1?p=${"[".repeat(101)}${"]".repeat(101)}`, "", /at most 100 levels deep/],
])("refuses %s", async ([, part, sent, cookie, message]) => {
  const declared = parameter(part);
  const url = await serve({ operation: { parameters: [declared] }, at: "/things/:p" });
  const response = await sendRequest(`${url}/things/${sent}`, { headers: { cookie } });
  expect(response).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
});

test("decodes parameters in an Express app below a path", async () => {
  const mount = {
    operation: {
      parameters: [
        parameter({ in: "path", name: "p", style: "simple", type: "integer" }),
        parameter({ name: "q", type: STRINGS }),
      ],
    },
    at: "/things/:p",
  };
  for (const parsed of [false, true]) {
    const url = await serveExpress(mount, parsed);
    expect((await sendRequest(`${url}/things/7?q=a&q=b`)).body).toEqual({
      path: { p: 7 },
      query: { q: ["a", "b"] },
    });
  }
});
