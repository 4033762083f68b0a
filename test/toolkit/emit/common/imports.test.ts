import { expect, test } from "vitest";
import { Imports } from "../../../../scripts/emit/common/imports.js";

test("the runtime is imported before the types", () => {
  const imports = new Imports("openapi-compiler/http");
  imports.importDocumentType("Types.Pet");
  imports.importRuntimeValue("send");
  imports.importRuntimeType("Connection");
  expect(imports.printDeclarations()).toEqual([
    'import { type Connection, send } from "openapi-compiler/http";',
    'import type * as Types from "./types.js";',
  ]);
});
