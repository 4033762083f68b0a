import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { createProjectFolder, generateInto } from "../generate/generated.js";
import { openPair, type Pair } from "./pair.js";

/** The schema of a body with the field `a`, and values of the field that the client sends. */
interface Case {
  title: string;
  schema: JsonObject;
  contentType?: string;
  style?: string;
  values: unknown[];
}

const FILE = { type: "string", format: "binary" };
const TEXT = { type: "string" };
const FILES = { type: "array", items: FILE };
const withField = (a: JsonObject): JsonObject => ({ type: "object", properties: { a } });
const BYTES = new Uint8Array([0, 13, 10, 255]);
const OTHER_BYTES = new Uint8Array([1]);

const PARTS: Case[] = [
  {
    title: "a list of files without duplicates",
    schema: withField({ ...FILES, uniqueItems: true }),
    values: [[BYTES, OTHER_BYTES], [BYTES]],
  },
  {
    title: "a list of files or texts without duplicates",
    schema: withField({ type: "array", items: { oneOf: [FILE, TEXT] }, uniqueItems: true }),
    values: [
      [BYTES, OTHER_BYTES],
      ["a", BYTES, "b"],
    ],
  },
  {
    title: "a file or a list of files",
    schema: withField({ oneOf: [FILE, FILES] }),
    values: [BYTES, [BYTES, BYTES]],
  },
  {
    title: "a file of either of two schemas, or a text",
    schema: withField({ oneOf: [FILE, { $ref: "#/components/schemas/Image" }, TEXT] }),
    values: [BYTES, "a"],
  },
  {
    title: "a list of files or a text",
    schema: withField({ oneOf: [FILES, TEXT] }),
    values: [[BYTES], [BYTES, BYTES], "a"],
  },
  {
    title: "a number or a short text, beside a file",
    schema: { properties: { a: { type: ["integer", "string"], maxLength: 3 }, file: FILE } },
    values: [1234, "abc"],
  },
  {
    title: "an undeclared number, beside undeclared files",
    schema: { type: "object", patternProperties: { "^a": { type: "integer" }, "^b": FILES } },
    values: [5],
  },
  {
    title: "an undeclared file, beside undeclared numbers",
    schema: { type: "object", patternProperties: { "^a": FILE }, additionalProperties: { type: "integer" } },
    values: [BYTES],
  },
  {
    title: "an undeclared list of files, beside undeclared texts",
    schema: { type: "object", patternProperties: { "^a": FILES, "^b": TEXT } },
    values: [[BYTES], [BYTES, OTHER_BYTES]],
  },
  {
    title: "an undeclared text of limited length, beside undeclared files",
    schema: {
      type: "object",
      patternProperties: { "^a": { ...TEXT, maxLength: 1 } },
      additionalProperties: FILE,
    },
    values: ["a"],
  },
  {
    title: "a file in one branch and a number in another",
    schema: { oneOf: [withField(FILE), withField({ type: "integer" })] },
    values: [BYTES, 5],
  },
  {
    title: "a list of files in one branch and a text in another",
    schema: { oneOf: [withField(FILES), withField(TEXT)] },
    values: [[BYTES], [BYTES, BYTES], "a"],
  },
];

const JSON_TYPE = "application/json";
const TEXT_OR_OBJECT = { anyOf: [TEXT, { type: "object" }] };

const NULLABLE_LIST = "a list of texts or nulls";

const patterns = { "^a": { type: ["integer", "string"], maxLength: 3 }, "^b": { type: "boolean" } };

const FIELDS: Case[] = [
  {
    title: "a number or a short text, beside undeclared fields of another type",
    schema: { type: "object", patternProperties: patterns },
    values: [1234, "abc"],
  },
  {
    title: "a list of numbers, beside undeclared fields of another type",
    schema: {
      type: "object",
      patternProperties: { "^a": { type: "array", items: { type: "integer" } }, "^b": TEXT },
    },
    values: [[1, 2]],
  },
  {
    title: NULLABLE_LIST,
    schema: withField({ type: "array", items: { type: ["string", "null"] } }),
    values: [["null", ""]],
  },
  {
    title: "a list of texts as JSON",
    schema: withField({ type: "array", items: TEXT }),
    contentType: JSON_TYPE,
    values: [["a", "b"], ["5"], [""], ['"', "[1]", "{"]],
  },
  {
    title: "a list of any values as JSON",
    schema: withField({ type: "array" }),
    contentType: JSON_TYPE,
    values: [["a", 1, null, [2], { b: 3 }]],
  },
  {
    title: "a text or an object as JSON",
    schema: withField(TEXT_OR_OBJECT),
    contentType: JSON_TYPE,
    values: ["a", "5", "{", { b: "c" }],
  },
  {
    title: "a list of texts and objects as JSON",
    schema: withField({ type: "array", items: TEXT_OR_OBJECT }),
    contentType: JSON_TYPE,
    values: [["a", { b: "c" }, "{}"]],
  },
  {
    title: "a text or a list of other values as JSON",
    schema: withField({ anyOf: [TEXT, { type: "array", items: { type: ["boolean", "null"] } }] }),
    contentType: JSON_TYPE,
    values: ["a", "true", [true], [null], [true, false]],
  },
  {
    title: "a text as the first of several types, which is not JSON",
    schema: withField(TEXT),
    contentType: `text/plain, ${JSON_TYPE}`,
    values: ["a", "5", '"b"', ""],
  },
  {
    title: "a list of texts as the first of several types, which is JSON",
    schema: withField({ type: "array", items: TEXT }),
    contentType: `${JSON_TYPE}, text/plain`,
    values: [["a", "5"]],
  },
];

/** Fields that are files in a multipart body. */
const FORM_FIELDS: Case[] = [
  { title: "a field without a type", schema: withField({}), values: ["a", ["a", "b"], ["a,b", ""]] },
  {
    title: "a field without a type in the style form",
    schema: withField({}),
    style: "form",
    values: ["a", ["a", "b"]],
  },
];

/** Creates an operation with a body of each case. */
function createDocument(mediaType: string, cases: readonly Case[]): JsonObject {
  const paths = cases.map(({ schema, contentType, style }, index) => {
    const content = {
      schema,
      encoding: { a: { ...(contentType && { contentType }), ...(style && { style }) } },
    };
    const requestBody = { required: true, content: { [mediaType]: content } };
    const responses = { 204: { description: "Received." } };
    return [`/case${index}`, { post: { operationId: `case${index}`, requestBody, responses } }];
  });
  return {
    openapi: "3.1.0",
    info: { title: "Bodies", version: "1" },
    paths: Object.fromEntries(paths),
    components: { schemas: { Image: { type: "string", contentMediaType: "image/png" } } },
  };
}

describe.each([
  ["multipart/form-data", [...PARTS, ...FIELDS]],
  ["application/x-www-form-urlencoded", [...FIELDS, ...FORM_FIELDS]],
])("the handler receives what the client sends as %s", (mediaType, cases) => {
  const folder = createProjectFolder();
  let pair: Pair;
  beforeAll(async () => {
    const spec = path.join(folder, "document.yaml");
    // JSON is valid YAML.
    writeFileSync(spec, JSON.stringify(createDocument(mediaType, cases)));
    await generateInto(folder, spec);
    pair = await openPair(folder, uncheckedFetch);
  });
  afterAll(async () => {
    await pair.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a null in a list is skipped", async () => {
    const index = cases.findIndex(({ title }) => title === NULLABLE_LIST);
    const body = { a: ["a", null, "b"] };
    const { received } = await pair.call(`case${index}`, { body }, { status: 204 });
    expect(received).toEqual({ body: { a: ["a", "b"] } });
  });

  test.each(cases.map(({ title, values }, index) => [title, index, values] as const))(
    "%s",
    async (_, index, values) => {
      for (const a of values) {
        const { received, refused } = await pair.call(`case${index}`, { body: { a } }, { status: 204 });
        expect(refused).toBeUndefined();
        expect(received).toEqual({ body: { a } });
      }
    },
  );
});
