import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseYaml, stringifyYaml } from "@redocly/openapi-core";
import { describe, expect } from "vitest";
import { generateFiles } from "../../../scripts/generation.js";
import { PROJECT } from "../../support/api-document.js";
import { findSkipReason, type Needs, SPECS } from "../../support/documents.js";
import { TEST_TIMEOUT_MS } from "../../support/load.js";
import { Random, takeSeed } from "../../support/random.js";
import { stringifyShuffled, shuffleKeys } from "./shuffle.js";
import { testUnless } from "../../support/requirements.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures/generate", import.meta.url));

/** Documents: the folder of their files and the name of the root file. */
const DOCUMENTS: { folder: string; root: string; needs?: Needs }[] = [
  { folder: path.join(PROJECT, "spec"), root: "openapi.yaml" },
  { folder: FIXTURES, root: "shapes.yaml" },
  { folder: path.join(FIXTURES, "../orchard"), root: "openapi.yaml" },
  { folder: SPECS, root: "superset.json" },
  { folder: SPECS, root: "opencode.yaml", needs: "all" },
  { folder: SPECS, root: "openai.yaml", needs: "all" },
  { folder: SPECS, root: "rebilly.yaml", needs: "all" },
  { folder: SPECS, root: "github.json", needs: "all" },
];

/** Copies the files of a document after rewriting each. It may copy files of other documents in the same folder. */
function rewrite(folder: string, root: string, write: (value: unknown) => string): string {
  const copy = createTemporaryFolder();
  const alone = folder === SPECS;
  for (const file of alone ? [root] : readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(yaml|yml|json|md)$/.test(file) || file === "redocly.yaml") continue;
    const source = readFileSync(path.join(folder, file), "utf8");
    const text = file.endsWith(".md") ? source : write(parseYaml(source));
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), text);
  }
  return path.join(copy, root);
}

interface Result {
  /** Text of each artifact, except the manifest, which contains the hash of the source. */
  files: Map<string, string>;
  warnings: string[];
}

async function generateResult(spec: string): Promise<Result> {
  const { files, warnings } = await generateFiles({ spec, out: path.join(path.dirname(spec), "out") });
  const artifacts = files.filter(({ path: file }) => file !== "manifest.json");
  return {
    files: new Map(artifacts.map(({ path: file, content }) => [file, content])),
    warnings: warnings.map(({ message, position }) => `${message} ${position?.pointer ?? ""}`).sort(),
  };
}

/** Compares the texts one by one, without printing differences of megabytes. */
function expectSame(one: Result, other: Result): void {
  expect([...other.files.keys()]).toEqual([...one.files.keys()]);
  for (const [file, content] of one.files) {
    const lines = content.split("\n");
    const found = (other.files.get(file) ?? "").split("\n");
    const first = lines.findIndex((line, index) => line !== found[index]);
    expect(first === -1 ? "" : `${file}:${first + 1} ${found[first]} for ${lines[first]}`).toBe("");
    expect(found.length).toBe(lines.length);
  }
  expect(other.warnings).toEqual(one.warnings);
}

describe("generated code is independent of the order of keys in a document", () => {
  for (const { folder, root, needs } of DOCUMENTS) {
    const why = findSkipReason(path.join(folder, root), needs);
    if (why !== undefined) console.log(`Not shuffled: ${root}: ${why}.`);
    testUnless(why)(root, { timeout: 2 * TEST_TIMEOUT_MS }, async () => {
      const original = await generateResult(rewrite(folder, root, (value) => JSON.stringify(value)));
      const random = new Random(takeSeed());
      expectSame(
        original,
        await generateResult(rewrite(folder, root, (value) => stringifyShuffled(value, random))),
      );
      const asYaml = (value: unknown) => stringifyYaml(shuffleKeys(value, random));
      if (root.endsWith(".yaml")) expectSame(original, await generateResult(rewrite(folder, root, asYaml)));
    });
  }
});
