import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Change, getLargestBump } from "../../../../scripts/project/diff/change.js";
import { compareDocuments } from "../../../../scripts/project/diff/compare.js";

type Json = Record<string, unknown>;
type Part = Json | boolean;

const TEXT = { type: "string" };
const object = (properties: Json, rest: Json = {}): Json => ({ type: "object", properties, ...rest });
const TWO = object({ a: TEXT, b: TEXT }, { required: ["b"] });

/** Schemas before and after, with the ratings of the change in a request, in a response, and in a component of both. */
const SCHEMAS: [name: string, before: Part, after: Part, ratings: string][] = [
  ["a description", object({ a: TEXT }), object({ a: { ...TEXT, description: "d" } }), "patch patch patch"],
  ["a new optional property", object({}), object({ a: TEXT }), "minor minor minor"],
  ["a new required property", object({}), object({ a: TEXT }, { required: ["a"] }), "major minor major"],
  ["a property removed", TWO, object({ b: TEXT }, { required: ["b"] }), "patch major major"],
  [
    "a property made required",
    object({ a: TEXT }),
    object({ a: TEXT }, { required: ["a"] }),
    "major patch major",
  ],
  ["a property made optional", TWO, object({ a: TEXT, b: TEXT }), "patch major major"],
  ["another type", object({ a: TEXT }), object({ a: { type: "integer" } }), "major major major"],
  ["null allowed", object({ a: TEXT }), object({ a: { type: ["string", "null"] } }), "patch major major"],
  ["null refused", object({ a: { type: ["string", "null"] } }), object({ a: TEXT }), "major patch major"],
  ["a narrower enum", { enum: ["x", "y"] }, { enum: ["x"] }, "major patch major"],
  ["a wider enum", { enum: ["x"] }, { enum: ["x", "y"] }, "patch major major"],
  [
    "a lower maximum",
    { type: "string", maxLength: 9 },
    { type: "string", maxLength: 5 },
    "major patch major",
  ],
  ["a pattern", TEXT, { type: "string", pattern: "^x" }, "major patch major"],
  [
    "a new member of a union",
    { oneOf: [object({ a: TEXT })] },
    { oneOf: [object({ a: TEXT }), TEXT] },
    "minor major major",
  ],
  [
    "no other properties",
    object({ a: TEXT }),
    object({ a: TEXT }, { additionalProperties: false }),
    "major patch major",
  ],
  // Properties that are called like keywords.
  ["a property prefixItems", object({}), object({ prefixItems: TEXT }), "minor minor minor"],
  [
    "the description of a property discriminator",
    object({ discriminator: TEXT }),
    object({ discriminator: { ...TEXT, description: "d" } }),
    "patch patch patch",
  ],
  // Breaking changes that `redocly diff` does not report.
  ["readOnly", object({ a: TEXT }), object({ a: { ...TEXT, readOnly: true } }), "major patch major"],
  ["writeOnly", object({ a: TEXT }), object({ a: { ...TEXT, writeOnly: true } }), "patch major major"],
  ["patternProperties", object({}), object({}, { patternProperties: { "^x": TEXT } }), "major minor major"],
  ["prefixItems", { type: "array" }, { type: "array", prefixItems: [TEXT] }, "major minor major"],
  ["no more readOnly", object({ a: { ...TEXT, readOnly: true } }), object({ a: TEXT }), "patch patch patch"],
  [
    "no more writeOnly",
    object({ a: { ...TEXT, writeOnly: true } }),
    object({ a: TEXT }),
    "patch patch patch",
  ],
  [
    "another pattern",
    object({}, { patternProperties: { "^x": TEXT } }),
    object({}, { patternProperties: { "^x": TEXT, "^y": TEXT } }),
    "major minor major",
  ],
  [
    "another item",
    { type: "array", prefixItems: [TEXT] },
    { type: "array", prefixItems: [TEXT, TEXT] },
    "major minor major",
  ],
  [
    "no more patternProperties",
    object({}, { patternProperties: { "^x": TEXT } }),
    object({}),
    "patch major major",
  ],
  ["nothing allowed", object({ a: true }), object({ a: false }), "major patch major"],
  ["no more text allowed", object({ a: TEXT }), object({ a: false }), "major major major"],
  ["false as else", { if: TEXT, else: true }, { if: TEXT, else: false }, "major patch major"],
  ["false in an enum", { enum: [true] }, { enum: [true, false] }, "patch major major"],
  ["a boolean default", { default: true }, { default: false }, "patch patch patch"],
  [
    "another discriminator",
    { oneOf: [{ $ref: "#/components/schemas/Kind" }], discriminator: { propertyName: "a" } },
    { oneOf: [{ $ref: "#/components/schemas/Kind" }], discriminator: { propertyName: "b" } },
    "major major major",
  ],
  [
    "a discriminator",
    { oneOf: [{ $ref: "#/components/schemas/Kind" }] },
    { oneOf: [{ $ref: "#/components/schemas/Kind" }], discriminator: { propertyName: "a" } },
    "minor minor minor",
  ],
];

const OK = { "200": { description: "d" } };
const PARAMETER = { name: "q", in: "query", schema: TEXT };
const BODY = { content: { "application/json": { schema: TEXT } } };
const withHeader = (members: Json): Json => ({
  responses: { "200": { description: "d", headers: { "X-A": { ...members, schema: TEXT } } } },
});

/** Operations before and after, undefined if missing, with the rating of the change. */
const OPERATIONS: [name: string, before: Json | undefined, after: Json | undefined, bump: string][] = [
  ["an operation added", undefined, {}, "minor"],
  ["an operation removed", {}, undefined, "major"],
  ["another operationId", {}, { operationId: "other" }, "major"],
  ["a summary", {}, { summary: "s" }, "patch"],
  ["a status added", {}, { responses: { ...OK, "409": { description: "d" } } }, "minor"],
  ["a status removed", { responses: { ...OK, "409": { description: "d" } } }, {}, "major"],
  ["an optional parameter added", {}, { parameters: [PARAMETER] }, "minor"],
  ["a required parameter added", {}, { parameters: [{ ...PARAMETER, required: true }] }, "major"],
  [
    "a parameter made required",
    { parameters: [PARAMETER] },
    { parameters: [{ ...PARAMETER, required: true }] },
    "major",
  ],
  ["a parameter removed", { parameters: [PARAMETER] }, {}, "major"],
  [
    "another style",
    { parameters: [{ ...PARAMETER, schema: { type: "array", items: TEXT } }] },
    { parameters: [{ ...PARAMETER, explode: false, schema: { type: "array", items: TEXT } }] },
    "major",
  ],
  [
    "a media type added",
    { requestBody: BODY },
    { requestBody: { content: { ...BODY.content, "text/plain": {} } } },
    "minor",
  ],
  [
    "a media type removed",
    { requestBody: { content: { ...BODY.content, "text/plain": {} } } },
    { requestBody: BODY },
    "major",
  ],
  ["an optional body added", {}, { requestBody: BODY }, "minor"],
  // Breaking changes that `redocly diff` does not report.
  ["a required body added", {}, { requestBody: { ...BODY, required: true } }, "major"],
  [
    "a response header made optional",
    withHeader({ required: true }),
    withHeader({ required: false }),
    "major",
  ],
  [
    "a response header no more deprecated",
    withHeader({ deprecated: true }),
    withHeader({ deprecated: false }),
    "patch",
  ],
];

let folder: string;
let changes: Change[];
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "ratings-"));
  const write = (name: string, document: Json): string => {
    writeFileSync(path.join(folder, name), JSON.stringify(document));
    return path.join(folder, name);
  };
  // All pairs are in one document, each with its own operations.
  changes = await compareDocuments(
    write("old.json", createDocument(1, 1)),
    write("new.json", createDocument(2, 2)),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a document with one side of all pairs. */
function createDocument(schema: 1 | 2, operation: 1 | 2): Json {
  const paths: Json = {};
  const schemas: Json = { Kind: object({ a: TEXT, b: TEXT }) };
  const content = (value: unknown): Json => ({ content: { "application/json": { schema: value } } });
  SCHEMAS.forEach((pair, index) => {
    const reference = { $ref: `#/components/schemas/Both${index}` };
    schemas[`Both${index}`] = pair[schema];
    const post = (name: string, request: unknown, response: unknown): Json => ({
      post: {
        operationId: `${name}${index}`,
        requestBody: content(request),
        responses: { "200": { description: "d", ...content(response) } },
      },
    });
    paths[`/request${index}`] = post("request", pair[schema], TEXT);
    paths[`/response${index}`] = post("response", TEXT, pair[schema]);
    paths[`/both${index}`] = post("both", reference, reference);
  });
  OPERATIONS.forEach((pair, index) => {
    const one = pair[operation];
    paths[`/operation${index}`] = {
      get: { operationId: `always${index}`, responses: OK },
      ...(one && { post: { operationId: `operation${index}`, responses: OK, ...one } }),
    };
  });
  paths[operation === 1 ? "/named/{old}" : "/named/{new}"] = {
    get: {
      operationId: "named",
      parameters: [{ name: operation === 1 ? "old" : "new", in: "path", required: true, schema: TEXT }],
      responses: OK,
    },
  };
  // Its request body is used by a path item in the components.
  schemas.Shared = schema === 1 ? object({ a: TEXT }) : object({ a: { ...TEXT, readOnly: true } });
  paths["/shared"] = { $ref: "#/components/pathItems/Shared" };
  const pathItems = {
    Shared: {
      post: {
        operationId: "shared",
        requestBody: content({ $ref: "#/components/schemas/Shared" }),
        responses: {
          200: {
            description: "d",
            ...content(schema === 1 ? object({ b: TEXT }) : object({ b: { ...TEXT, writeOnly: true } })),
          },
        },
      },
    },
  };
  schemas.Filter = schema === 1 ? { type: "object" } : { type: "object", patternProperties: { "^a": TEXT } };
  paths["/filtered"] = {
    parameters: [
      { name: "filter", in: "query", schema: { $ref: "#/components/schemas/Filter" } },
      { name: "own", in: "query", schema: schema === 1 ? TEXT : { ...TEXT, readOnly: true } },
    ],
    get: { operationId: "filtered", responses: OK },
  };
  // Messages of both directions: those of a webhook and of a callback, each with a component.
  const receive = (name: string): Json => {
    schemas[name] = schema === 1 ? object({ a: TEXT }) : object({ a: { ...TEXT, writeOnly: true } });
    const both = object({ own: schemas[name], shared: { $ref: `#/components/schemas/${name}` } });
    return { post: { operationId: name, requestBody: content(both), responses: OK } };
  };
  const webhooks = { event: receive("Event") };
  paths["/subscribed"] = {
    post: {
      operationId: "subscribe",
      responses: OK,
      callbacks: { done: { "{$request.body#/url}": receive("Done") } },
    },
  };
  const components = { schemas, pathItems };
  return { openapi: "3.1.0", info: { title: "t", version: "1" }, paths, webhooks, components };
}

function findBump(route: string): string {
  return getLargestBump(changes.filter((change) => change.path.startsWith(`#/paths/~1${route}`)));
}

test.each(SCHEMAS.map(([name, , , ratings], index) => ({ name, index, ratings })))(
  "a change of a schema in a request, a response and both: $name is $ratings",
  ({ index, ratings }) => {
    const found = ["request", "response", "both"].map((place) => findBump(`${place}${index}/`));
    expect(found.join(" ")).toBe(ratings);
  },
);

test("a new constraint on a component that only a parameter of a path item uses is major", () => {
  expect(
    changes.filter(({ bump, newSide }) => bump === "major" && newSide?.pointer.includes("/Filter/")),
  ).toMatchObject([{ reasons: [{ rule: "schema-constraint-changed" }] }]);
});

test("a parameter of a path item is a part of requests", () => {
  const found = changes.filter(({ path: at }) => at.startsWith("#/paths/~1filtered/parameters/1"));
  expect(found).toMatchObject([{ reasons: [{ rule: "read-only-added" }] }]);
});

test.each([
  ["webhook", "#/webhooks/", "Event"],
  ["callback", "#/paths/~1subscribed/", "Done"],
])("the message of a %s can be one of both directions", (_, start, component) => {
  const found = changes.filter(
    ({ path: at, newSide }) => at.startsWith(start) || newSide?.pointer.includes(`/${component}/`),
  );
  expect(found.map(({ bump }) => bump)).toEqual(["major", "major"]);
});

test("the parts of a path item in the components have the direction that its operations give them", () => {
  const found = changes.filter(({ path: at }) => at.startsWith("#/paths/~1shared/"));
  expect(found.map(({ reasons }) => reasons.map(({ rule }) => rule))).toEqual([
    ["read-only-added"],
    ["write-only-added"],
  ]);
});

describe("a change of an operation", () => {
  test.each(OPERATIONS.map(([name, , , bump], index) => ({ name, index, bump })))(
    "$name is $bump",
    ({ index, bump }) => expect(findBump(`operation${index}/`)).toBe(bump),
  );

  test("a renamed path parameter is major, because generated code uses its name", () => {
    const { bump, reasons } =
      changes.find(({ property, path: at }) => property === "name" && at.includes("named")) ?? {};
    expect({ bump, reasons }).toEqual({
      bump: "major",
      reasons: [
        { rule: "path-parameter-renamed", message: expect.stringContaining('"old" was renamed to "new"') },
      ],
    });
  });
});

test("every major change has a reason and a location", () => {
  for (const change of changes) {
    if (change.bump === "major") expect(change.reasons, change.path).not.toEqual([]);
    expect((change.newSide ?? change.oldSide)?.position).toMatchObject({
      file: expect.stringContaining(folder),
      line: 1,
    });
  }
});
