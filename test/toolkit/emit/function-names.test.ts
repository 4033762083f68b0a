import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { chooseFunctionNames, RUNTIME_NAMES } from "../../../scripts/emit/client/function-names.js";

/** Exports of the client runtime that client.ts and programs import, but operations.ts does not. */
const NOT_IMPORTED = [
  "ApiError Around AttemptOptions AttemptResult BoundOperations ClientOptions ErrorResponse Failure FileInput HttpConnection",
  "NamedFile Operation bindOperations connect",
].flatMap((names) => names.split(" "));

test("every export of the client runtime that operations.ts may import is reserved", () => {
  const url = new URL("../../../src/fetch/index.ts", import.meta.url);
  const { statements } = ts.createSourceFile("index.ts", readFileSync(url, "utf8"), ts.ScriptTarget.Latest);
  const exported = statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [],
  );
  expect([...RUNTIME_NAMES, ...NOT_IMPORTED].sort()).toEqual(exported.sort());
});

test("an operation that is called like a function of the runtime, a reserved word or a parameter gets another function name", () => {
  const names = chooseFunctionNames(["writeLines", "delete", "options", "writeLinesOperation", "getBook"]);
  expect(Object.fromEntries(names)).toEqual({
    writeLines: "writeLinesOperation2",
    delete: "deleteOperation",
    options: "optionsOperation",
    writeLinesOperation: "writeLinesOperation",
    getBook: "getBook",
  });
});
