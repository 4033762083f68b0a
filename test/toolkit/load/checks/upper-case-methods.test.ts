import path from "node:path";
import { expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { createFolder } from "../documents.js";

const load = async (paths: object) => {
  const document = { openapi: "3.0.3", info: { title: "a", version: "1" }, paths };
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
