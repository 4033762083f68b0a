import { expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import { printOperations } from "../../../scripts/emit/client/operations.js";
import { build, documentWith, operationWith } from "../model/document.js";

test.each([
  ["/a/../b", true],
  ["/a/%2E%2e", true],
  ["/./a", true],
  ["/a/.../b", false],
  ["/a/.b", false],
])("the client refuses the path %s, which fetch would change: %s", (path, isRefused) => {
  const text = printOperations(build(documentWith({ [path]: { get: operationWith() } })), "runtime");
  expect(text.includes(`path: unreachablePath("${path}")`)).toBe(isRefused);
  expect(text.includes(`path: "${path}"`)).toBe(!isRefused);
});

test("the client reads a media type by status if statuses declare different content for it", () => {
  const respond = (schema: JsonObject) => ({ description: "", content: { "*/*": { schema } } });
  const responses = {
    200: respond({ type: "string", format: "binary" }),
    202: respond({ type: "object" }),
    "2XX": respond({ type: "string", format: "binary" }),
  };
  const text = printOperations(
    build(documentWith({ "/a": { get: operationWith({ responses }) } })),
    "runtime",
  );
  expect(text.replace(/\s+/g, " ")).toContain(
    'read: readByStatus( { 200: readByMediaType({ "*/*": readBytes }), 202: readJson, "2XX": readByMediaType({ "*/*": readBytes }), } )',
  );
});
