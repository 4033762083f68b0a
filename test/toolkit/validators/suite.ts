import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type JsonValue, isObject } from "../../../scripts/json.js";
import { METASCHEMAS } from "../../../scripts/json-schema/generated/metaschemas.js";
import type { Source } from "../../../scripts/model/schema/resource.js";
import { PROJECT } from "../../support/api-document.js";
import { compileValidator, Refused } from "./compiled.js";

/** Folders that can contain the suite, newest first: ../shared/specs, and where `.ci/run` unpacks Debian's copy. */
const FOLDERS = [
  path.join(PROJECT, "../shared/specs/json-schema-suite"),
  path.join(PROJECT, "node_modules/.cache/json-schema-test-suite"),
];

/** The files of the suite for one draft, and the documents that its references target. */
export interface Suite {
  folder: string;
  tests: string;
  remotes: string;
}

/** A schema of the suite with its test values. */
export interface SuiteCase {
  file: string;
  description: string;
  schema: JsonValue;
  tests: { description: string; data: unknown; valid: boolean }[];
}

/**
 * Finds the official JSON Schema test suite: in JSON_SCHEMA_SUITE (the folder with `tests` and `remotes`), in
 * ../shared/specs, or where `.ci/run` unpacks Debian's copy.
 */
export function findSuite(): Suite | undefined {
  const folders = [process.env.JSON_SCHEMA_SUITE ?? "", ...FOLDERS];
  const found = folders.find(
    (folder) => folder !== "" && existsSync(path.join(folder, "tests/draft2020-12")),
  );
  return found === undefined
    ? undefined
    : { folder: found, tests: path.join(found, "tests/draft2020-12"), remotes: path.join(found, "remotes") };
}

/** Reads the required cases of draft 2020-12, without the subfolder `optional`. */
export function readRequiredCases(suite: Suite): SuiteCase[] {
  return jsonFiles(suite.tests).flatMap((file) =>
    // The cast: the format of the suite's files.
    (JSON.parse(readFileSync(path.join(suite.tests, file), "utf8")) as SuiteCase[]).map((each) => ({
      ...each,
      file,
    })),
  );
}

/** Reads the documents that the suite's references target: its remotes and the metaschemas of the draft. */
export function readSuiteSources(suite: Suite): Source[] {
  const metaschemas = Object.entries(METASCHEMAS).map(([uri, document]): Source => ({
    uri,
    document,
    dialect: "json-schema",
  }));
  return [...metaschemas, ...remotes(suite.remotes, "")];
}

function remotes(folder: string, below: string): Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): Source[] => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return remotes(file, `${below}${entry.name}/`);
    const uri = `http://localhost:1234/${below}${entry.name}`;
    return [{ uri, document: readJson(file), dialect: "json-schema" }];
  });
}

function jsonFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort();
}

function readJson(file: string): JsonValue {
  // The cast: JSON.parse returns JSON values.
  return JSON.parse(readFileSync(file, "utf8")) as JsonValue;
}

function withId(schema: JsonValue): JsonValue {
  return isObject(schema) ? { $id: "https://example.test/case", ...schema } : schema;
}

/** Result of the compiler on a suite. */
export interface Score {
  passed: number;
  refused: string[];
  wrong: string[];
}

/**
 * Compiles every case, alone or as a component of an OpenAPI document, and validates its values. A component gets an
 * `$id`, because otherwise `#` in it refers to the OpenAPI document.
 */
export function runSuite(
  cases: readonly SuiteCase[],
  others: readonly Source[],
  dialect: "json-schema" | "openapi-3.1" = "json-schema",
): Score {
  const score: Score = { passed: 0, refused: [], wrong: [] };
  for (const { file, description, schema, tests } of cases) {
    const name = (test: { description: string }): string => `${file}: ${description}: ${test.description}`;
    try {
      const validate =
        dialect === "json-schema"
          ? compileValidator(schema, { others })
          : compileValidator(
              { openapi: "3.1.0", components: { schemas: { Case: withId(schema) } } },
              { others, dialect, pointer: "/components/schemas/Case" },
            );
      for (const test of tests) {
        if (validate(test.data) === test.valid) score.passed += 1;
        else score.wrong.push(name(test));
      }
    } catch (error) {
      // Counts refusals, and rethrows other errors.
      const list = error instanceof Refused ? score.refused : score.wrong;
      for (const test of tests) list.push(`${name(test)} (${String(error)})`);
    }
  }
  return score;
}
