import path from "node:path";
import { expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { createFolder } from "../documents.js";

const load = async (paths: object, components: object = {}) => {
  const document = { openapi: "3.0.3", info: { title: "a", version: "1" }, paths, components };
  const folder = await createFolder({ "openapi.json": JSON.stringify(document) });
  const loaded = await loadDocument(path.join(folder, "openapi.json"));
  return { ...loaded, warnings: loaded.warnings.map(({ position }) => position?.pointer) };
};

const RESPONSES = { 200: { description: "ok" } };

it("reads methods that are not in lower case", async () => {
  const operation = { responses: RESPONSES };
  const { document, warnings } = await load({ "/a": { GET: operation, Post: operation, put: operation } });
  expect(warnings).toEqual(["/paths/~1a/GET", "/paths/~1a/Post"]);
  expect(document["paths"]).toEqual({ "/a": { get: operation, post: operation, put: operation } });
});

it("reads the keywords of a parameter or header without a schema as its schema", async () => {
  const parameters = [
    { name: "a", in: "query", required: true, type: "integer", format: "int64", minimum: 1, default: 2 },
    { name: "b", in: "header", type: "array", items: { type: "string" } },
  ];
  const headers = { "X-A": { description: "d", type: "string", enum: ["x"] } };
  const schema = { type: "string", in: "query", name: "n" };
  const responses = { 200: { description: "ok", headers } };
  const { document, warnings } = await load(
    { "/a": { get: { parameters, responses } } },
    { schemas: { A: schema } },
  );
  expect(warnings).toEqual([
    "/paths/~1a/get/parameters/0/type",
    "/paths/~1a/get/parameters/1/type",
    "/paths/~1a/get/responses/200/headers/X-A/type",
    "/components/schemas/A/in",
    "/components/schemas/A/name",
  ]);
  expect(document).toMatchObject({
    paths: {
      "/a": {
        get: {
          parameters: [
            {
              name: "a",
              in: "query",
              required: true,
              schema: { type: "integer", format: "int64", minimum: 1, default: 2 },
            },
            { name: "b", in: "header", schema: { type: "array", items: { type: "string" } } },
          ],
          responses: {
            200: { headers: { "X-A": { description: "d", schema: { type: "string", enum: ["x"] } } } },
          },
        },
      },
    },
    components: { schemas: { A: schema } },
  });
});
