import { expect, test } from "vitest";
import { Imports } from "../../../../scripts/emit/common/imports.js";

test.each([
  ["openapi-compiler/http", true],
  ["../src/http/index.js", true],
  ["./lib/http/index.js", true],
  ["./vendor/http/index.js", false],
])("the runtime %s is imported before the types: %s", (runtime, isFirst) => {
  const imports = new Imports(runtime);
  imports.importDocumentType("Types.Pet");
  imports.importRuntimeValue("send");
  imports.importRuntimeType("Connection");
  const statements = [
    `import { type Connection, send } from "${runtime}";`,
    'import type * as Types from "./types.js";',
  ];
  expect(imports.printDeclarations()).toEqual(isFirst ? statements : statements.toReversed());
});
