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

/**
 * Finds exported functions of several statements and exported classes without a comment, and public methods that no interface
 * documents. The name of a function or method with one statement can say what it does.
 */
function findUndocumented(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const exported = source.statements.filter((statement) => getModifiers(statement).includes("export"));
  // One comment is enough for all overloads.
  const functions = exported.filter(ts.isFunctionDeclaration);
  const clear = new Set(functions.filter((each) => hasComment(each) || hasOneStatement(each)).map(getName));
  return exported.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return clear.has(getName(statement)) ? [] : [locate(statement)];
    if (ts.isVariableStatement(statement)) {
      const makes = statement.declarationList.declarations.some(
        ({ initializer }) =>
          initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
      );
      return makes && !hasComment(statement) ? [locate(statement)] : [];
    }
    if (!ts.isClassDeclaration(statement)) return [];
    const methods = statement.heritageClauses ? [] : statement.members.filter(ts.isMethodDeclaration);
    const complex = methods.filter((method) => isPublic(method) && !hasOneStatement(method));
    return [statement, ...complex].filter((each) => !hasComment(each)).map(locate);
  });

  function locate(node: ts.Declaration | ts.VariableStatement): string {
    return `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${getName(node)}`;
  }
}

function getName(node: ts.Declaration | ts.VariableStatement): string {
  const declaration = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
  return ts.getNameOfDeclaration(declaration)?.getText() ?? "";
}

function getModifiers(node: ts.Node): (string | undefined)[] {
  return ts.canHaveModifiers(node)
    ? (ts.getModifiers(node) ?? []).map(({ kind }) => ts.tokenToString(kind))
    : [];
}

function isPublic(method: ts.MethodDeclaration): boolean {
  return !ts.isPrivateIdentifier(method.name) && !getModifiers(method).includes("private");
}

function hasOneStatement({ body }: ts.FunctionDeclaration | ts.MethodDeclaration): boolean {
  return body?.statements.length === 1;
}

function hasComment(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}

test("every public function of several statements has a comment", () => {
  expect(FILES.length).toBeGreaterThan(200);
  expect(
    FILES.flatMap((file) => findUndocumented(file, readFileSync(path.join(PROJECT, file), "utf8"))),
  ).toEqual([]);
});

test("reports the location of an export without a comment", () => {
  const text = `export function one() {}
/** Documented. */
export function two(a: string): void;
export function two(a: number): void;
export function two() {}
export const three = () => 3;
export const four = 4;
function five() {}
/** Documented. */
export class Six {
  seven() {}
  /** Documented. */
  eight() {}
  private nine() {}
  #ten() {}
  thirteen() {
    return 13;
  }
}
export class Eleven {}
/** Documented. */
export class Twelve extends Six {
  seven() {}
}
export function fourteen() {
  return 14;
}
export function fifteen() {
  const value = 15;
  return value;
}
`;
  expect(findUndocumented("a.ts", text)).toEqual([
    "a.ts:1 one",
    "a.ts:6 three",
    "a.ts:11 seven",
    "a.ts:20 Eleven",
    "a.ts:28 fifteen",
  ]);
});

/** Finds doc comments that start with a relative or question word, such as "Those" or "What". */
function findRelativeOpenings(file: string, text: string): string[] {
  const openings = text.matchAll(
    /\/\*\*?\s*(?:\*\s*)?(?:What|Those|Where|Who|Whose|Which|That|Of|How|As)\s/g,
  );
  return [...openings].map(({ index }) => `${file}:${text.slice(0, index).split("\n").length}`);
}

test("doc comments start with a noun phrase or a verb", () => {
  expect(
    FILES.flatMap((file) => findRelativeOpenings(file, readFileSync(path.join(PROJECT, file), "utf8"))),
  ).toEqual([]);
});

test("reports the location of a doc comment that starts with a relative word", () => {
  expect(
    findRelativeOpenings("a.ts", "/** A value. */\n/** What it is. */\n/**\n * Those that are.\n */"),
  ).toEqual(["a.ts:2", "a.ts:3"]);
});
