import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import openapiTypeScript, { astToString } from "openapi-typescript";
import { expect, onTestFinished, test } from "vitest";
import { emitTypes } from "../../../scripts/emit/types/types.js";
import type { JsonObject } from "../../../scripts/model/model.js";
import { runCompiler } from "../../support/type-check.js";
import { build, documentWith } from "../model/document.js";

const text: JsonObject = { schema: { type: "string" } };
const json: JsonObject = { content: { "application/json": text, "text/plain": {} } };
const thing: JsonObject = { $ref: "#/components/schemas/Thing" };

const DOCUMENT = documentWith(
  {
    "/things/{id}": {
      parameters: [{ name: "id", in: "path", required: true, ...text }],
      get: {
        operationId: "getThing",
        summary: "Gets a thing",
        parameters: [
          { name: "X-Trace", in: "header", example: "a", ...text },
          { $ref: "#/components/parameters/Filter" },
          { name: "session", in: "cookie", required: true, ...text },
        ],
        responses: {
          "200": {
            description: "The thing.",
            headers: { Etag: { required: true, ...text }, "X-Limit": { $ref: "#/components/headers/Limit" } },
            content: { "application/json": { schema: thing } },
          },
          "404": { $ref: "#/components/responses/NotFound" },
          default: { description: "Nothing." },
        },
      },
      put: { operationId: "putThing", requestBody: json, responses: { "204": { description: "Done." } } },
      delete: {
        operationId: "things/delete",
        deprecated: true,
        requestBody: { $ref: "#/components/requestBodies/Reason" },
        responses: { "2XX": { description: "Done.", ...json } },
      },
    },
  },
  {
    components: {
      schemas: { Thing: { type: "object", required: ["id"], properties: { id: { type: "string" } } } },
      parameters: {
        Filter: { name: "filter", in: "query", schema: { type: "object", properties: { a: {}, b: {} } } },
      },
      headers: { Limit: { required: true, schema: { type: "integer" } } },
      requestBodies: { Reason: { required: true, ...json } },
      responses: { NotFound: { description: "Not found.", ...json } },
    },
  },
);

test("types.ts has the layout of openapi-typescript: the types of both are assignable to each other", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "page-service-layout-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const theirs = await openapiTypeScript(JSON.stringify(DOCUMENT));
  write("theirs.ts", astToString(theirs));
  write("ours.ts", emitTypes(build(DOCUMENT)).files[0]?.content ?? "");
  const comparison = write(
    "comparison.ts",
    `import type * as Ours from "./ours.js";
     import type * as Theirs from "./theirs.js";
     export const operations = (own: Ours.operations): Theirs.operations => own;
     export const back = (other: Theirs.operations): Ours.operations => other;
     export const components = (own: Ours.components): Theirs.components => own;
     export const componentsBack = (other: Theirs.components): Ours.components => other;
     // Theirs has the parameters of the path as well.
     export const paths = (other: Theirs.paths): Ours.paths => other;
    `,
  );
  const options = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es5"],
    types: [],
  };
  expect(runCompiler([comparison], options, folder)).toEqual([]);
});
