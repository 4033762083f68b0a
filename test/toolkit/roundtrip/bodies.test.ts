import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { createProjectFolder, generateInto } from "../generate/generated.js";
import { openPair, type Pair } from "./pair.js";

/** A body with one field `a`, and values of the field that the client sends. */
interface Case {
  title: string;
  schema: JsonObject;
  encoding?: JsonObject;
  values: unknown[];
}

const FILE = { type: "string", format: "binary" };
const FILES = { type: "array", items: FILE };
const BYTES = new Uint8Array([0, 13, 10, 255]);
const OTHER_BYTES = new Uint8Array([1]);

const PARTS: Case[] = [
  {
    title: "a list of files without duplicates",
    schema: { ...FILES, uniqueItems: true },
    values: [[BYTES, OTHER_BYTES], [BYTES]],
  },
  {
    title: "a list of files or texts without duplicates",
    schema: { type: "array", items: { oneOf: [FILE, { type: "string" }] }, uniqueItems: true },
    values: [
      [BYTES, OTHER_BYTES],
      ["a", BYTES, "b"],
    ],
  },
  { title: "a file or a list of files", schema: { oneOf: [FILE, FILES] }, values: [BYTES, [BYTES, BYTES]] },
];

/** Creates an operation with a body of each case. */
function createDocument(mediaType: string, cases: readonly Case[]): JsonObject {
  const paths = cases.map(({ schema, encoding = {} }, index) => {
    const content = { schema: { type: "object", properties: { a: schema } }, encoding: { a: encoding } };
    const requestBody = { required: true, content: { [mediaType]: content } };
    const responses = { 204: { description: "Received." } };
    return [`/case${index}`, { post: { operationId: `case${index}`, requestBody, responses } }];
  });
  return {
    openapi: "3.1.0",
    info: { title: "Bodies", version: "1" },
    paths: Object.fromEntries(paths),
  };
}

describe.each([["multipart/form-data", PARTS]])(
  "the handler receives what the client sends as %s",
  (mediaType, cases) => {
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
      await pair?.close();
      rmSync(folder, { recursive: true, force: true });
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
  },
);
