import { expect, test } from "vitest";
import { createDocumentLoaders, loadOnce } from "../../../src/web/documents.js";
import { createStaticResponse } from "../../../src/web/static-response.js";
test("a document is loaded once, and again after a failure and while it is missing", async () => {
  const document = await createStaticResponse("text/plain", Buffer.from("Text"));
  const results = [() => Promise.reject(new Error("a failure")), async () => undefined, async () => document];
  const load = loadOnce(() => (results.shift() ?? (() => Promise.reject(new Error("loaded again"))))());
  await expect(load()).rejects.toThrow("a failure");
  expect(await load()).toBeUndefined();
  expect(await load()).toBe(document);
  expect(await load()).toBe(document);
});

test("requests for one document at the same time share its file", () => {
  const addresses = { baseUrl: "http://localhost", appUrl: "http://localhost" };
  for (const load of createDocumentLoaders(addresses).values()) expect(load()).toBe(load());
});
