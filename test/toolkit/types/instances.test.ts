import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emitTypes } from "../../../scripts/emit/types/types.js";
import { emitValidators } from "../../../scripts/emit/validators/emit-validators.js";
import type { JsonObject, JsonValue } from "../../../scripts/json.js";
import type { GeneratedFile } from "../../../scripts/emit/generated-file.js";
import { Workspace } from "../generate/workspace.js";
import { build, documentWith, operationWith } from "../model/document.js";
import type { Case } from "./cases/case.js";
import { CASES } from "./cases.js";

/** Creates a document with the schema in a request body, and a target for references. */
function documentOf({ schema, schemas = {}, openapi = "3.1.0" }: Case): JsonObject {
  const json = (value: JsonValue): JsonObject => ({ content: { "application/json": { schema: value } } });
  const other = { type: "object", properties: { other: { type: "string" } }, required: ["other"] };
  return {
    ...documentWith(
      {
        "/s": {
          post: operationWith({ operationId: "op", requestBody: { required: true, ...json(schema) } }),
        },
        "/other/{id}": {
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          get: operationWith({ responses: { 200: { description: "d", ...json(other) } } }),
        },
      },
      { components: { schemas } },
    ),
    openapi,
  };
}

/** Creates a file with one line for each value and code sample, and lists the lines with expected errors. */
function createCheck(each: Case): { text: string; wrong: Set<number> } {
  const lines = [
    `import type { components, operations } from "./types.js";`,
    `export type C = components["schemas"];`,
    `export type S = operations["op"]["requestBody"]["content"]["application/json"];`,
  ];
  const wrong = new Set<number>();
  const add = (line: string, isRight: boolean): void => {
    lines.push(line);
    if (!isRight) wrong.add(lines.length);
  };
  for (const [values, isRight] of [
    [each.accepts, true],
    [each.refuses, false],
    [each.typeRefuses ?? [], false],
  ] as const) {
    for (const value of values) add(`export const v${lines.length}: S = ${printLiteral(value)};`, isRight);
  }
  for (const [code, isRight] of [
    [each.reads ?? [], true],
    [each.misreads ?? [], false],
  ] as const) {
    for (const line of code) add(`export function f${lines.length}(s: S): void { ${line} void s; }`, isRight);
  }
  return { text: lines.join("\n"), wrong };
}

/** Prints a value as an expression on one line, with escaped line ends. */
function printLiteral(value: JsonValue): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028");
}

let workspace: Workspace;
/** Compiler errors by file and line. */
const said = new Map<string, Map<number, string>>();
const folderOf = (index: number): string => `case${index}`;

beforeAll(() => {
  workspace = new Workspace();
  const files: string[] = [];
  const write = (folder: string, emitted: readonly GeneratedFile[]): void => {
    for (const { path, content } of emitted) workspace.write(`${folder}/${path}`, content);
  };
  for (const [index, each] of CASES.entries()) {
    const api = build(documentOf(each));
    write(folderOf(index), emitTypes(api).files);
    write(folderOf(index), emitValidators(api).files);
    workspace.write(`${folderOf(index)}/check.ts`, createCheck(each).text);
    files.push(`${folderOf(index)}/check.ts`);
  }
  // One program for all cases, so that the libraries are read once.
  const options = {
    types: [],
    noEmit: true,
    noUnusedLocals: false,
    noPropertyAccessFromIndexSignature: false,
  };
  for (const error of workspace.compile(files, options)) {
    const [, name = "", line = "", message = ""] = /^(.*?):(\d+) (.*)$/s.exec(error) ?? [];
    const lines = said.get(name) ?? new Map<number, string>();
    said.set(name, lines.set(Number(line), message));
  }
});
afterAll(() => workspace.remove());

describe("types and validators agree on values", () => {
  test.each(CASES.map((each, index) => [each.name, each, index] as const))("%s", async (_, each, index) => {
    expect(said.get(`${folderOf(index)}/types.ts`)).toBeUndefined();
    const { text, wrong } = createCheck(each);
    const found = said.get(`${folderOf(index)}/check.ts`) ?? new Map<number, string>();
    const lines = text
      .split("\n")
      .map((line, number) => [line, found.has(number + 1), found.get(number + 1)] as const);
    expect(lines.filter(([, isWrong], number) => isWrong !== wrong.has(number + 1))).toEqual([]);

    const { validators } = await workspace.import(`${folderOf(index)}/validators.js`);
    // The cast: the type of the emitted declarations.
    const table = validators as { op: { body?: Record<string, (data: unknown) => boolean> } };
    const check = table.op.body?.["application/json"] ?? (() => true);
    expect(each.accepts.filter((value) => !check(value))).toEqual([]);
    expect(each.refuses.filter((value) => check(value))).toEqual([]);
  });
});
