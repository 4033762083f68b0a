import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished } from "vitest";
import { formatDiagnostic } from "../../../scripts/print-diagnostics.js";
import { PROJECT } from "../../support/api-document.js";
import { findSkipReason, type Needs, SPECS } from "../../support/documents.js";
import {
  buildModel,
  createProjectFolder,
  findTypeErrors,
  type Generated,
  generateInto,
  listSources,
} from "./generated.js";
import { type Inventory, createInventory } from "./inventory.js";
import { testUnless } from "../../support/requirements.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures", import.meta.url));

const DOCUMENTS: { file: string; needs?: Needs }[] = [
  { file: path.join(PROJECT, "spec/openapi.yaml") },
  { file: path.join(FIXTURES, "generate/shapes.yaml") },
  { file: path.join(FIXTURES, "generate/everything.yaml") },
  { file: path.join(FIXTURES, "orchard/openapi.yaml") },
  { file: path.join(SPECS, "superset.json") },
  { file: path.join(SPECS, "opencode.yaml") },
  { file: path.join(SPECS, "openai.yaml"), needs: "all" },
  { file: path.join(SPECS, "rebilly.yaml"), needs: "all" },
  { file: path.join(SPECS, "github.json"), needs: "all" },
];

/** The part of the operations table of routes.ts that this test reads. */
type Table = Record<
  string,
  {
    method: string;
    path: string;
    parameters: { name: string; in: string }[];
    body?: { mediaTypes: Record<string, unknown> };
    responseMediaTypes: Record<string, unknown>;
  }
>;

/** Lists the generated parts from the table of routes.ts, and parts of types.ts and client.ts from the model. */
function listGenerated(table: Table, generated: Generated): Inventory {
  const lines = Object.values(table).flatMap((operation) => {
    const name = `${operation.method.toLowerCase()} ${operation.path}`;
    return [
      name,
      ...operation.parameters.map((parameter) => `${name} parameter ${parameter.in} ${parameter.name}`),
      ...Object.keys(operation.body?.mediaTypes ?? {}).map((type) => `${name} body ${type}`),
      ...Object.keys(operation.responseMediaTypes).map((status) => `${name} response ${status}`),
    ];
  });
  for (const operation of buildModel(generated).operations) {
    const name = `${operation.method} ${operation.path}`;
    for (const { key, mediaTypes, headers } of operation.responses) {
      lines.push(...mediaTypes.map((type) => `${name} response ${key} ${type.name}`));
      lines.push(...headers.map((header) => `${name} response ${key} header ${header.name}`));
    }
  }
  return lines.sort();
}

describe("everything that a document declares is generated, and the code compiles", () => {
  for (const { file, needs } of DOCUMENTS) {
    const why = findSkipReason(file, needs);
    if (why !== undefined) console.log(`Not counted: ${path.basename(file)}: ${why}.`);
    testUnless(why)(path.relative(PROJECT, file), async () => {
      const folder = createProjectFolder();
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const generated = await generateInto(folder, file);
      const { operations } = (await import(path.join(folder, "routes.ts"))) as { operations: Table };
      const declared = createInventory(file);
      // Includes openapi.json, which contains webhooks and callbacks.
      const code = declared.filter((line) => !/^webhook | callback /.test(line));
      expect(listGenerated(operations, generated)).toEqual(code);
      expect(createInventory(path.join(folder, "openapi.json"))).toEqual(declared);
      expect(findTypeErrors(listSources(generated))).toEqual([]);
      for (const warning of generated.warnings) {
        expect(formatDiagnostic(warning)).toMatch(/\.(json|ya?ml):\d+:\d+ {2}warning {2}\S/);
      }
      const count = (pattern: RegExp) => declared.filter((line) => pattern.test(line)).length;
      console.log(
        `${path.basename(file)}: ${count(/^(?!webhook )\S+ \S+$/)} operations, ${count(/ parameter /)} parameters, ` +
          `${count(/ body /)} request and ${count(/ response \S+ (?!header )/)} response media types, ` +
          `${count(/ response \S+$/)} responses, ${count(/ header /)} headers, ${count(/^webhook /)} webhooks, ` +
          `${count(/ callback /)} callbacks; all there.`,
      );
    });
  }
});
