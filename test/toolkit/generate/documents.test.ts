import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { formatDiagnostic } from "../../../scripts/print-diagnostics.js";
import { findSkipReason, type Needs, SPECS } from "../../support/documents.js";
import { findTypeErrors, generateInto, listSources, createTemporaryFolder } from "./generated.js";
import { testUnless } from "../../support/requirements.js";

/** Published documents, with the number of operations as counted in their text. */
const DOCUMENTS: { file: string; count: number; needs?: Needs }[] = [
  { file: "superset.json", count: 140 },
  { file: "opencode.yaml", count: 131 },
  { file: "openai.yaml", count: 162, needs: "all" },
  { file: "rebilly.yaml", count: 542, needs: "all" },
  { file: "github.json", count: 1223, needs: "all" },
];
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Lists the operations of openapi.json as `METHOD path`. */
function listOperations(folder: string): string[] {
  const document: { paths: Record<string, object> } = JSON.parse(
    readFileSync(path.join(folder, "openapi.json"), "utf8"),
  );
  return Object.entries(document.paths).flatMap(([template, item]) =>
    METHODS.filter((method) => Object.hasOwn(item, method)).map(
      (method) => `${method.toUpperCase()} ${template}`,
    ),
  );
}

describe("published documents", () => {
  for (const { file, count, needs } of DOCUMENTS) {
    const why = findSkipReason(path.join(SPECS, file), needs);
    if (why !== undefined) console.log(`Skipped ${file}: ${why}.`);
    testUnless(why)(`${file} gives code that compiles, with all its operations`, async () => {
      const folder = createTemporaryFolder();
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const generated = await generateInto(folder, path.join(SPECS, file));
      const { operations } = (await import(path.join(folder, "routes.ts"))) as {
        operations: Record<string, { method: string; path: string }>;
      };
      const table = Object.values(operations).map((operation) => `${operation.method} ${operation.path}`);
      expect(table).toHaveLength(count);
      expect(table.sort()).toEqual(listOperations(folder).sort());
      expect(findTypeErrors(listSources(generated))).toEqual([]);
      for (const warning of generated.warnings) {
        expect(formatDiagnostic(warning)).toMatch(/\.(json|yaml):\d+:\d+ {2}warning {2}\S/);
      }
    });
  }
});
