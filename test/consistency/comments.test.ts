import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { PROJECT } from "../support/api-document.js";

const FILES = ["src", "scripts"].flatMap((folder) =>
  readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.posix.join(folder, file)),
);

/** The exported functions and classes of a module without a comment, and public methods that no interface tells of. */
function undocumented(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const exported = source.statements.filter((statement) => modifiers(statement).includes("export"));
  // Of several signatures one tells of all.
  const told = new Set(exported.filter(ts.isFunctionDeclaration).filter(hasComment).map(nameOf));
  return exported.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return told.has(nameOf(statement)) ? [] : [place(statement)];
    if (ts.isVariableStatement(statement)) {
      const makes = statement.declarationList.declarations.some(
        ({ initializer }) =>
          initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
      );
      return makes && !hasComment(statement) ? [place(statement)] : [];
    }
    if (!ts.isClassDeclaration(statement)) return [];
    const methods = statement.heritageClauses ? [] : statement.members.filter(ts.isMethodDeclaration);
    return [statement, ...methods.filter(isPublic)].filter((each) => !hasComment(each)).map(place);
  });

  function place(node: ts.Declaration | ts.VariableStatement): string {
    return `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${nameOf(node)}`;
  }
}

function nameOf(node: ts.Declaration | ts.VariableStatement): string {
  const declaration = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
  return ts.getNameOfDeclaration(declaration)?.getText() ?? "";
}

function modifiers(node: ts.Node): (string | undefined)[] {
  return ts.canHaveModifiers(node)
    ? (ts.getModifiers(node) ?? []).map(({ kind }) => ts.tokenToString(kind))
    : [];
}

function isPublic(method: ts.MethodDeclaration): boolean {
  return !ts.isPrivateIdentifier(method.name) && !modifiers(method).includes("private");
}

function hasComment(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}

test("every public function has a comment", () => {
  expect(FILES.length).toBeGreaterThan(200);
  expect(FILES.flatMap((file) => undocumented(file, readFileSync(path.join(PROJECT, file), "utf8")))).toEqual(
    [],
  );
});

test("what has none is found, and told by its place", () => {
  const text = `export function one() {}
/** Told. */
export function two(a: string): void;
export function two(a: number): void;
export function two() {}
export const three = () => 3;
export const four = 4;
function five() {}
/** Told. */
export class Six {
  seven() {}
  /** Told. */
  eight() {}
  private nine() {}
  #ten() {}
}
export class Eleven {}
/** Told. */
export class Twelve extends Six {
  seven() {}
}
`;
  expect(undocumented("a.ts", text)).toEqual([
    "a.ts:1 one",
    "a.ts:6 three",
    "a.ts:11 seven",
    "a.ts:17 Eleven",
  ]);
});
