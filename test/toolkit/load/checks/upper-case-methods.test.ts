import path from "node:path";
import { expect, it } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { createFolder } from "../documents.js";

const load = async (paths: object, webhooks: object = {}) => {
  const document = { openapi: "3.1.0", info: { title: "a", version: "1" }, paths, webhooks };
  const folder = await createFolder({ "openapi.json": JSON.stringify(document) });
  const loaded = await loadDocument(path.join(folder, "openapi.json"));
  return { ...loaded, warnings: loaded.warnings.map(({ position }) => position?.pointer) };
};

const operation = { responses: { 200: { description: "ok" } } };

it("reads methods that are not in lower case", async () => {
  const { document, warnings } = await load(
    { "/a": { GET: operation, Post: operation, put: operation } },
    { b: { PUT: operation } },
  );
  expect(warnings).toEqual(["/paths/~1a/GET", "/paths/~1a/Post", "/webhooks/b/PUT"]);
  expect(document["paths"]).toEqual({ "/a": { get: operation, post: operation, put: operation } });
  expect(document["webhooks"]).toEqual({ b: { put: operation } });
});

it("reads no other method in place of one in lower case", async () => {
  const { document } = await load({ "/a": { GET: { ...operation, summary: "Other." }, get: operation } });
  expect(document["paths"]).toMatchObject({ "/a": { get: operation } });
  expect(document["paths"]).not.toMatchObject({ "/a": { get: { summary: "Other." } } });
});
