import { expect, test } from "vitest";
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
