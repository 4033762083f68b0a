import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateInto, createProjectFolder } from "../../generate/generated.js";
import { uncheckedFetch } from "../../../support/checked-responses.js";
import { openPair, type Pair } from "../../roundtrip/pair.js";

type Place = "path" | "query" | "header" | "cookie";

/** A parameter with a value and its serialization. */
interface Row {
  name: string;
  in: Place;
  /** The declaration of the parameter, without `name`, `in` and `required`. */
  declared: object;
  value: unknown;
  /** The path segment, the query string, or the header value; undefined if nothing is sent. */
  text: string | undefined;
  /** The value at the handler; null if there is none. */
  received: unknown;
  /** Name of the parameter, by default `color`. */
  called?: string;
}

const STRING = { type: "string" };
const NUMBER = { type: "number" };
const NUMBERS = { type: "array", items: NUMBER };
const STRINGS = { type: "array", items: STRING };
const RGB = {
  type: "object",
  properties: { R: { type: "integer" }, G: { type: "integer" }, B: { type: "integer" } },
};
const LIST = ["blue", "black", "brown"];
/** Characters with a meaning in URLs or as a delimiter. */
const SPECIAL = "/?#[]@!$&'()*+,;=%| \"";

/** A number or a range of numbers. */
const RANGE = {
  style: "deepObject",
  schema: { anyOf: [{ type: "integer" }, { type: "object", properties: { gt: { type: "integer" } } }] },
};

/** Creates a row whose name begins with the place of the parameter. */
function createRow(
  name: `${Place}${" " | ":"}${string}`,
  declared: object,
  value: unknown,
  text: string | undefined,
  received: unknown = value,
): Row {
  // Safe cast: the type of the name.
  const [place] = name.split(/[ :]/) as [Place];
  return { name, in: place, declared, value, text, received };
}

/**
 * The table "Style Examples" of OpenAPI 3.1.1: place and style, then the texts of an empty string, a string, an array and an
 * object; null if the style has none.
 */
const STYLE_EXAMPLES: [`${Place} ${string}`, string | null, string | null, string | null, string][] = [
  ["path matrix", ";color", ";color=blue", ";color=blue,black,brown", ";color=B,150,G,200,R,100"],
  [
    "path matrix, exploded",
    ";color",
    ";color=blue",
    ";color=blue;color=black;color=brown",
    ";B=150;G=200;R=100",
  ],
  ["path label", null, ".blue", ".blue,black,brown", ".B,150,G,200,R,100"],
  ["path label, exploded", null, ".blue", ".blue.black.brown", ".B=150.G=200.R=100"],
  ["path simple", null, "blue", "blue,black,brown", "B,150,G,200,R,100"],
  ["path simple, exploded", null, "blue", "blue,black,brown", "B=150,G=200,R=100"],
  ["header simple", "", "blue", "blue,black,brown", "B,150,G,200,R,100"],
  ["header simple, exploded", "", "blue", "blue,black,brown", "B=150,G=200,R=100"],
  ["query form", "color=", "color=blue", "color=blue,black,brown", "color=B,150,G,200,R,100"],
  ["query form, exploded", "color=", "color=blue", "color=blue&color=black&color=brown", "B=150&G=200&R=100"],
  ["cookie form", "color=", "color=blue", "color=blue,black,brown", "color=B,150,G,200,R,100"],
  // OpenAPI 3.2: an exploded value has several cookies.
  [
    "cookie form, exploded",
    "color=",
    "color=blue",
    "color=blue; color=black; color=brown",
    "B=150; G=200; R=100",
  ],
  ["query spaceDelimited", null, null, "color=blue%20black%20brown", "color=B%20150%20G%20200%20R%20100"],
  ["query pipeDelimited", null, null, "color=blue%7Cblack%7Cbrown", "color=B%7C150%7CG%7C200%7CR%7C100"],
  ["query deepObject, exploded", null, null, null, "color%5BB%5D=150&color%5BG%5D=200&color%5BR%5D=100"],
];

const ROWS: Row[] = [
  ...STYLE_EXAMPLES.flatMap(([name, empty, text, array, object]): Row[] => {
    const style = /\w+ (\w+)/.exec(name)?.[1];
    const explode = name.endsWith(", exploded");
    const row = (schema: object, value: unknown, written: string | null): Row[] =>
      written === null
        ? []
        : [createRow(`${name}: ${JSON.stringify(value)}`, { style, explode, schema }, value, written)];
    return [
      ...row(STRING, "", empty),
      ...row(STRING, "blue", text),
      ...row(STRINGS, LIST, array),
      // Members are in the order of the value.
      ...row(RGB, { B: 150, G: 200, R: 100 }, object),
    ];
  }),
  ...(["path", "query", "header", "cookie"] as const).flatMap((place): Row[] => {
    const named = (text: string): string =>
      place === "query" || place === "cookie" ? `color=${text}` : text;
    return (
      [
        [NUMBER, -1.5, "-1.5"],
        [NUMBER, 1e21, place === "header" ? "1e+21" : "1e%2B21"],
        [{ type: "integer" }, 9007199254740991, "9007199254740991"],
        [{ type: "boolean" }, true, "true"],
        [{ type: "boolean" }, false, "false"],
        [{ type: ["integer", "null"] }, 7, "7"],
        [{ anyOf: [{ type: "boolean" }, { type: "number" }] }, 0.5, "0.5"],
        [{ anyOf: [{ type: "boolean" }, { enum: ["auto"] }] }, true, "true"],
        [{ anyOf: [{ type: "boolean" }, { enum: ["auto"] }] }, "auto", "auto"],
      ] as const
    ).map(([schema, value, text]) =>
      createRow(
        `${place}: ${JSON.stringify(value)} of ${JSON.stringify(schema)}`,
        { schema },
        value,
        named(text),
      ),
    );
  }),
  ...(["path", "query", "cookie"] as const).flatMap((place): Row[] => {
    // The URL standard encodes an apostrophe in a query as %27.
    const special = encodeURIComponent(SPECIAL).replace("'", place === "query" ? "%27" : "'");
    const start = place === "path" ? "" : "color=";
    return [
      createRow(`${place}: special characters`, { schema: STRING }, SPECIAL, start + special),
      createRow(`${place}: unicode`, { schema: STRING }, "é漢🚀", `${start}%C3%A9%E6%BC%A2%F0%9F%9A%80`),
      createRow(
        `${place}: a delimiter in an item`,
        { explode: false, schema: STRINGS },
        [SPECIAL, "a,b", "c"],
        `${start}${special},a%2Cb,c`,
      ),
      createRow(
        `${place}: percent signs`,
        { explode: false, schema: STRINGS },
        ["%2C", "%"],
        `${start}%252C,%25`,
      ),
      createRow(
        `${place}: JSON`,
        { content: { "application/json": { schema: { type: "object" } } } },
        { a: [1, null, "é,"] },
        `${start}%7B%22a%22%3A%5B1%2Cnull%2C%22%C3%A9%2C%22%5D%7D`,
      ),
    ];
  }),
  createRow(
    "header: JSON, in ASCII",
    { content: { "application/json": { schema: { type: "object" } } } },
    { a: "é,漢" },
    '{"a":"\\u00e9,\\u6f22"}',
  ),
  createRow("header: Latin-1", { schema: STRING }, 'é, "a"', 'é, "a"'),
  createRow("header: an empty list", { schema: NUMBERS }, [], ""),
  createRow(
    "path label: a dot in an exploded item",
    { style: "label", explode: true, schema: NUMBERS },
    [3.5, -1],
    ".3%2E5.-1",
  ),
  createRow("path matrix: an empty list", { style: "matrix", schema: NUMBERS }, [], ";color"),
  createRow(
    "path matrix: an empty list, exploded",
    { style: "matrix", explode: true, schema: STRINGS },
    [],
    ";color",
  ),
  createRow(
    "path matrix: empty items, exploded",
    { style: "matrix", explode: true, schema: STRINGS },
    ["", "a"],
    ";color=;color=a",
  ),
  createRow("query: an empty list", { explode: false, schema: NUMBERS }, [], "color="),
  createRow("query: an empty list, exploded", { schema: NUMBERS }, [], undefined, null),
  createRow("query: one empty item, exploded", { schema: STRINGS }, [""], "color="),
  createRow("query: an empty object", { explode: false, schema: RGB }, {}, "color="),
  createRow("query: an empty object, exploded", { schema: RGB }, {}, undefined, null),
  createRow("query: null", { schema: { type: ["string", "null"] } }, null, undefined, null),
  createRow("query: undefined", { schema: STRING }, undefined, undefined, null),
  createRow(
    "query: members that are null or undefined",
    { schema: { type: "object", additionalProperties: { type: ["integer", "null"] } } },
    { R: 1, G: null, B: undefined },
    "R=1",
    { R: 1 },
  ),
  createRow(
    "query: an object of any names, beside other parameters",
    { schema: { type: "object", additionalProperties: STRING } },
    { "a b": "1", __proto__x: "2", constructor: "3" },
    "a%20b=1&__proto__x=2&constructor=3",
  ),
  createRow("query: no type, a text", { schema: {} }, "a,b", "color=a%2Cb"),
  createRow("query: no type, a list", { schema: {} }, ["a", "b"], "color=a&color=b"),
  createRow("query comma: no type, a text", { explode: false, schema: {} }, "a,b", "color=a%2Cb"),
  createRow("query comma: no type, a list", { explode: false, schema: {} }, ["a", "b"], "color=a,b"),
  createRow("query deepObject: no type", { style: "deepObject", schema: {} }, { a: "1" }, "color%5Ba%5D=1"),
  createRow(
    "query: text or a list of it, a text",
    { schema: { anyOf: [STRING, STRINGS] } },
    "a,b",
    "color=a%2Cb",
  ),
  createRow(
    "query: text or a list of it, a list",
    { schema: { anyOf: [STRING, STRINGS] } },
    ["a", "b"],
    "color=a&color=b",
  ),
  createRow(
    "query comma: text or a list of numbers, a text",
    { explode: false, schema: { anyOf: [STRING, NUMBERS] } },
    "1,2",
    "color=1%2C2",
  ),
  createRow(
    "query comma: text or a list of numbers, a list",
    { explode: false, schema: { anyOf: [STRING, NUMBERS] } },
    [1, 2],
    "color=1,2",
  ),
  createRow("header simple: text or an object, a text", { schema: { anyOf: [STRING, RGB] } }, "R=1", "R=1"),
  createRow("query: a number or a range, a number", RANGE, 5, "color=5"),
  createRow("query: a number or a range, a range", RANGE, { gt: 5 }, "color%5Bgt%5D=5"),
  createRow(
    "query deepObject: nested objects and lists",
    {
      style: "deepObject",
      schema: {
        type: "object",
        properties: {
          tags: STRINGS,
          at: { type: "object", properties: { lat: { type: "number" } } },
          all: { type: "array", items: { type: "object", properties: { on: { type: "boolean" } } } },
        },
      },
    },
    { tags: ["a&b", "c"], at: { lat: 1.5 }, all: [{ on: true }, { on: false }] },
    "color%5Btags%5D%5B0%5D=a%26b&color%5Btags%5D%5B1%5D=c&color%5Bat%5D%5Blat%5D=1.5&color%5Ball%5D%5B0%5D%5Bon%5D=true&color%5Ball%5D%5B1%5D%5Bon%5D=false",
  ),
  createRow(
    "query deepObject: a list or a text in an object",
    {
      style: "deepObject",
      schema: { type: "object", additionalProperties: { anyOf: [STRINGS, { enum: [""] }] } },
    },
    { none: "", one: ["a"] },
    "color%5Bnone%5D=&color%5Bone%5D%5B0%5D=a",
  ),
  createRow(
    "query deepObject: a list",
    { style: "deepObject", schema: NUMBERS },
    [1, 2],
    "color%5B0%5D=1&color%5B1%5D=2",
  ),
  createRow(
    "query form: objects in a list are JSON",
    { schema: { type: "array", items: RGB } },
    [{ R: 1 }],
    "color=%7B%22R%22%3A1%7D",
  ),
  ...(
    [
      ["query", "color=5&color=null&color=%7B%22R%22%3A1%7D"],
      ["header", '5,null,{"R":1}'],
    ] as const
  ).map(([place, text]) =>
    createRow(
      `${place}: texts that look like JSON beside objects in a list`,
      { schema: { type: "array", items: { anyOf: [STRING, RGB] } } },
      ["5", "null", { R: 1 }],
      text,
    ),
  ),
  createRow(
    "query form, exploded: a member that is a number or an object",
    { schema: { type: "object", properties: { a: { anyOf: [NUMBER, RGB] }, b: { anyOf: [STRING, RGB] } } } },
    { a: 5, b: "true" },
    "a=5&b=true",
  ),
  ...(
    [
      ["path simple", "5", "R=1"],
      ["path label", ".5", ".R=1"],
      ["path matrix", ";color=5", ";R=1"],
      ["query form", "color=5", "R=1"],
      ["header simple", "5", "R=1"],
      ["cookie form", "color=5", "R=1"],
    ] as const
  ).flatMap(([name, number, object]) => {
    const declared = {
      style: name.split(" ")[1],
      explode: true,
      schema: { oneOf: [{ type: "integer" }, RGB] },
    };
    return [
      createRow(`${name}, exploded: a number instead of an object`, declared, 5, number),
      createRow(`${name}, exploded: an object instead of a number`, declared, { R: 1 }, object),
    ];
  }),
  createRow(
    "query form, exploded: a member that is a list",
    { schema: { type: "object", properties: { a: STRINGS, b: { anyOf: [STRING, NUMBERS] } } } },
    { a: ["5"], b: [7, 8] },
    "a=5&b=7&b=8",
  ),
  createRow(
    "query form: a member that is a list",
    { explode: false, schema: { type: "object", properties: { a: STRINGS } } },
    { a: ["5"] },
    "color=a,%5B%225%22%5D",
  ),
  createRow(
    "query allowReserved: reserved characters stay, except those that end a value",
    { allowReserved: true, schema: STRING },
    "/?#[]@!$&'()*+,;=%:",
    "color=/?%23%5B%5D@!$%26%27()*%2B,;=%25:",
  ),
  createRow(
    "query allowReserved: a comma in an item is encoded",
    { allowReserved: true, explode: false, schema: STRINGS },
    ["a/b", "c,d"],
    "color=a/b,c%2Cd",
  ),
  createRow("cookie: an empty list, exploded", { schema: STRINGS }, [], undefined, null),
  ...["filter[name]", "ids[]", "__proto__", "constructor", "a b", "größe", "a&b=c#", "toString"].map(
    (called) => {
      const encoded = encodeURIComponent(called);
      return {
        ...createRow(`query: the name ${called}`, { schema: NUMBERS }, [1, 2], `${encoded}=1&${encoded}=2`),
        called,
      };
    },
  ),
  ...["__proto__", "constructor", "a-b", "x y"].map((called) => ({
    ...createRow(`path: the name ${called}`, { schema: STRING }, "v", "v"),
    called,
  })),
  ...["constructor", "X-COLOR"].map((called) => ({
    ...createRow(`header: the name ${called}`, { schema: STRING }, "v", "v"),
    called,
  })),
];

let folder: string;
let pair: Pair;

beforeAll(async () => {
  folder = createProjectFolder();
  const paths = Object.fromEntries(
    ROWS.map((row, index) => [createPath(row, index), { get: createOperation(row, index) }]),
  );
  const spec = path.join(folder, "document.json");
  writeFileSync(
    spec,
    JSON.stringify({
      openapi: "3.1.1",
      info: { title: "t", version: "1" },
      paths: { ...paths, ...SEGMENTS },
    }),
  );
  await generateInto(folder, spec);
  pair = await openPair(folder, uncheckedFetch);
});
afterAll(async () => {
  await pair.close();
  rmSync(folder, { recursive: true, force: true });
});

function createPath({ in: place, called = "color" }: Row, index: number): string {
  return place === "path" ? `/rows/${index}/{${called}}/end` : `/rows/${index}`;
}

function createOperation({ in: place, declared, called = "color" }: Row, index: number): object {
  return {
    operationId: `row${index}`,
    parameters: [{ name: called, in: place, required: place === "path", ...declared }],
    responses: { 204: { description: "Done." } },
  };
}

const STYLES: ReadonlySet<string> = new Set(["label", "matrix"]);

/** Paths with several parameters in a segment. Those named after a style have it. */
const SEGMENTS = Object.fromEntries(
  [
    "/files/{name}.{ext}",
    "/spans/{from}-{to}",
    "/things/{x}:run",
    "/users('{id}')",
    "/images/{name}{label}",
    "/cars/{name}{matrix}",
    "/initials/{first}{last}",
  ].map((template, index) => [
    template,
    {
      get: {
        operationId: `segment${index}`,
        parameters: [...template.matchAll(/\{(.*?)\}/g)].map(([, name]) => ({
          name,
          in: "path",
          required: true,
          schema: STRING,
          ...(STYLES.has(name ?? "") ? { style: name } : {}),
        })),
        responses: { 204: { description: "Done." } },
      },
    },
  ]),
);

const MEMBERS = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;

describe("the client serializes like the specification, and the server parses the result", () => {
  test.each(ROWS.map((row, index) => ({ ...row, index })))("$name", async ({ index, ...row }) => {
    const { called = "color", value, text, received } = row;
    const member = MEMBERS[row.in];
    const given = Object.fromEntries([[called, value]]);
    const outcome = await pair.call(`row${index}`, { [member]: given }, { status: 204 });
    expect(outcome.refused ?? outcome.thrown).toBeUndefined();
    expect(getReceivedText(row.in, called, outcome)).toBe(text);
    const got = received === null ? {} : Object.fromEntries([[called, received]]);
    expect(outcome.received).toEqual({ [member]: got });
    // Also compares the prototype, which toEqual ignores.
    expect(Object.keys(Object(outcome.received?.[member]))).toEqual(Object.keys(got));
  });
});

/** Returns the serialized parameter that the server received. */
function getReceivedText(
  place: Place,
  called: string,
  { url = "", headers }: Awaited<ReturnType<Pair["call"]>>,
): string | undefined {
  if (place === "path") return url.split("/")[3];
  if (place === "query") return url.includes("?") ? url.slice(url.indexOf("?") + 1) : undefined;
  const name = place === "cookie" ? "cookie" : called.toLowerCase();
  const index = headers.findIndex((text, at) => at % 2 === 0 && text === name);
  return index === -1 ? undefined : headers[index + 1];
}

describe("parameters in a part of a segment", () => {
  test.each([
    [0, { name: "a.b", ext: "tar.gz" }, "/files/a%2Eb.tar%2Egz"],
    [1, { from: "2026-01-01", to: "a/b" }, "/spans/2026%2D01%2D01-a%2Fb"],
    [2, { x: "a:b" }, "/things/a%3Ab:run"],
    [3, { id: "it's" }, "/users('it%27s')"],
    [4, { name: "a.b/c", label: "d.e" }, "/images/a%2Eb%2Fc.d.e"],
    [5, { name: "a;b", matrix: "c;d/e" }, "/cars/a%3Bb;matrix=c%3Bd%2Fe"],
    [6, { first: "/", last: "%2F." }, "/initials/%2F%252F."],
  ])("%i: %j", async (index, given, url) => {
    const outcome = await pair.call(`segment${index}`, { path: given }, { status: 204 });
    expect(outcome.refused ?? outcome.thrown).toBeUndefined();
    expect(outcome.url).toBe(url);
    expect(outcome.received).toEqual({ path: given });
  });
});

function findRow(name: string): number {
  const index = ROWS.findIndex((row) => row.name === name);
  if (index === -1) throw new Error(`There is no row ${name}.`);
  return index;
}

describe("values without a serialization are not sent", () => {
  test.each([
    ["path: unicode", { path: { color: "" } }, "color is empty, . or .."],
    ["path: unicode", { path: { color: "." } }, "color is empty, . or .."],
    ["path: unicode", { path: { color: ".." } }, "color is empty, . or .."],
    ["path: unicode", { path: {} }, "color is empty, . or .."],
    ["path: unicode", {}, "color is empty, . or .."],
    ["path: a delimiter in an item", { path: { color: [] } }, "color is empty, . or .."],
    ["path: a delimiter in an item", { path: { color: [""] } }, "a list of one empty string"],
    ["query: no type, a text", { query: { color: { a: 1 } } }, "an object needs a declared type"],
    ["query: a delimiter in an item", { query: { color: [""] } }, "a list of one empty string"],
    [`query spaceDelimited: ${JSON.stringify(LIST)}`, { query: { color: ["a b"] } }, 'the delimiter " "'],
    [`query pipeDelimited: ${JSON.stringify(LIST)}`, { query: { color: ["a|b"] } }, 'the delimiter "|"'],
    [`header simple: ${JSON.stringify(LIST)}`, { headers: { color: ["a,b"] } }, 'the delimiter ","'],
    ["query deepObject: nested objects and lists", { query: { color: { "a[b]": 1 } } }, "contains brackets"],
    ["header: Latin-1", { headers: { color: "漢" } }, "ByteString"],
    ["header: Latin-1", { headers: { color: "a\r\nX-Injected: b" } }, "header"],
  ])("%s: %j", async (name, given, message) => {
    const outcome = await pair.call(`row${findRow(name)}`, given, { status: 204 });
    expect(outcome.url).toBeUndefined();
    expect(outcome.thrown).toBeInstanceOf(TypeError);
    expect(String(outcome.thrown)).toContain(message);
  });
});

describe("the server parses the notations of other clients", () => {
  test.each<[name: string, sent: string, received: unknown]>([
    ['query form, exploded: "blue"', "color=a+b%20c", "a b c"],
    [`query form: ${JSON.stringify(LIST)}`, "color=a+b,c", ["a b", "c"]],
    [`query form: ${JSON.stringify(LIST)}`, "color=a&color=b,c", ["a", "b", "c"]],
    ["query: an empty list", "color=1%2c2%2C3", [1, 2, 3]],
    [`query pipeDelimited: ${JSON.stringify(LIST)}`, "color=a|b%7cc", ["a", "b", "c"]],
    [`query spaceDelimited: ${JSON.stringify(LIST)}`, "color=a+b", ["a", "b"]],
    ["query deepObject: nested objects and lists", "color[tags][]=a&color[tags][]=b", { tags: ["a", "b"] }],
    ["query deepObject: nested objects and lists", "color[tags]=a&color[tags]=b", { tags: ["a", "b"] }],
    ["query deepObject: nested objects and lists", "color[all][][on]=true", { all: [{ on: true }] }],
    [
      "query deepObject: nested objects and lists",
      "color[tags][10]=b&color[tags][9]=a",
      { tags: ["a", "b"] },
    ],
    ["query deepObject: nested objects and lists", "color[tags][999999999]=a", { tags: ["a"] }],
    [
      "query deepObject: a list or a text in an object",
      "color[a]=&color[b][0]=&color[c]=x&color[d]=x&color[d]=y",
      { a: "", b: [""], c: ["x"], d: ["x", "y"] },
    ],
    [
      "query deepObject: nested objects and lists",
      "color[at][lat]=1.5&other[x]=1&colour[y]=2",
      { at: { lat: 1.5 } },
    ],
    ['query form, exploded: "blue"', "other=1&color=a&=2&&x", "a"],
    ["query form, exploded: a member that is a list", "a=5&b=x", { a: ["5"], b: "x" }],
    ["query form, exploded: a member that is a list", "a=&a=6&b=7&b=8", { a: ["", "6"], b: [7, 8] }],
    ["query form: a member that is a list", "color=a,5", { a: ["5"] }],
    ["query form, exploded: a member that is a list", "b=%7B%7D", { b: "{}" }],
  ])("%s: %s", async (name, sent, received) => {
    const index = findRow(name);
    const outcome = await pair.ask(`/rows/${index}?${sent}`);
    expect(outcome.refused).toBeUndefined();
    expect(outcome.received).toEqual({ query: { color: received } });
  });

  test.each<[name: string, cookie: string, received: unknown]>([
    ['cookie form, exploded: ["blue","black","brown"]', "color=a&color=b; other=1", ["a", "b"]],
    ['cookie form: ["blue","black","brown"]', "x=1; color=a%2Cb,c", ["a,b", "c"]],
    ['cookie form, exploded: "blue"', "color=100%; color=second", "100%"],
    ['cookie form, exploded: {"B":150,"G":200,"R":100}', "R=1; color=x; __proto__=1; R=2", { R: 1 }],
  ])("%s: %s", async (name, cookie, received) => {
    const outcome = await pair.ask(`/rows/${findRow(name)}`, { cookie });
    expect(outcome.received).toEqual({ cookies: { color: received } });
  });

  test("names of a deepObject never change a prototype", async () => {
    const index = findRow("query deepObject: nested objects and lists");
    const { received } = await pair.ask(
      `/rows/${index}?color[__proto__][polluted]=1&color[constructor][prototype][polluted]=2&color[at][__proto__]=3`,
    );
    // The cast: the next line fails when there is no such thing.
    const { color } = (received?.query ?? {}) as { color: Record<string, Record<string, unknown>> };
    expect(Object.keys(color)).toEqual(["__proto__", "constructor", "at"]);
    expect(Object.getPrototypeOf(color)).toBe(Object.prototype);
    expect(Object.keys(color.at ?? {})).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each<[name: string, sent: string, message: string]>([
    [
      'query form, exploded: "blue"',
      "color=a&color=b%20c",
      'query.color should be sent once, instead was `["a","b c"]`.',
    ],
    [`query form: {"B":150,"G":200,"R":100}`, "color=R,1&color=R,2", "query.color should be sent once"],
    ["query: JSON", "color=1&color=2", "query.color should be sent once"],
    ["query: JSON", "color=%7B", "query.color should be JSON."],
    [
      'query form, exploded: "blue"',
      `color=${"a".repeat(200)}&color=b`,
      `query.color should be sent once, instead was \`["${"a".repeat(98)}…\`.`,
    ],
    [
      'query form, exploded: "blue"',
      "color=%E9",
      'query.color should be percent-encoded UTF-8, instead was `"%E9"`.',
    ],
    [
      "query deepObject: nested objects and lists",
      "color[at][lat]=1&color[at][lat]=2",
      "should be sent once for each name",
    ],
    [
      "query deepObject: nested objects and lists",
      `color${"[a]".repeat(21)}=1`,
      "should be nested at most 20 deep, instead was `21`.",
    ],
    ["query: an empty list", "color=1,x", 'query.color[1] should be a number, instead was `"x"`.'],
  ])("%s: %s is refused", async (name, sent, message) => {
    const { status, refused } = await pair.ask(`/rows/${findRow(name)}?${sent}`);
    expect(status).toBe(599);
    expect(refused).toContain(message);
  });
});
