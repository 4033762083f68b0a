import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseYaml, stringifyYaml } from "@redocly/openapi-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { generate } from "../../scripts/pipeline.js";
import { PROJECT } from "../support/api-document.js";
import { randomNumbers, shuffledJson, shuffledValue } from "./shuffle.js";

const FIXTURES = fileURLToPath(new URL("../fixtures/generate", import.meta.url));
const SPECS = path.join(PROJECT, "../shared/specs");

/** Documents by the folder of their files and the name of their root. */
const DOCUMENTS = [
  { folder: path.join(PROJECT, "spec"), root: "openapi.yaml", large: false },
  { folder: FIXTURES, root: "shapes.yaml", large: false },
  { folder: path.join(FIXTURES, "../orchard"), root: "openapi.yaml", large: false },
  { folder: SPECS, root: "superset.json", large: false },
  { folder: SPECS, root: "opencode.yaml", large: true },
  { folder: SPECS, root: "openai.yaml", large: true },
  { folder: SPECS, root: "rebilly.yaml", large: true },
  { folder: SPECS, root: "github.json", large: true },
];

/** Why a document is not tried; undefined when it is. */
function reason(file: string, large: boolean): string | undefined {
  if (!existsSync(file)) return "it is not beside the project";
  if (large && process.env.LARGE_DOCUMENTS === undefined) return "LARGE_DOCUMENTS is not set";
  return undefined;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "page-service-order-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies a document file by file, each written anew. Files of other documents in the same folder do no harm. */
function rewrite(folder: string, root: string, write: (value: unknown) => string): string {
  const copy = temporaryFolder();
  const alone = folder === SPECS;
  for (const file of alone ? [root] : readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(yaml|yml|json)$/.test(file) || file === "redocly.yaml") continue;
    const text = write(parseYaml(readFileSync(path.join(folder, file), "utf8")));
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), text);
  }
  return path.join(copy, root);
}

interface Result {
  /** Text of each artifact. The manifest is not among them: it has the hash of the source. */
  files: Map<string, string>;
  warnings: string[];
}

async function resultOf(spec: string): Promise<Result> {
  const { files, warnings } = await generate(spec, path.join(path.dirname(spec), "out"), "0".repeat(64));
  const artifacts = files.filter(({ path: file }) => file !== "manifest.json");
  return {
    files: new Map(artifacts.map(({ path: file, content }) => [file, content])),
    warnings: warnings.map(({ message, position }) => `${message} ${position?.pointer ?? ""}`).sort(),
  };
}

/** Compares text by text without showing megabytes of difference. */
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

describe("what is generated is the same in whatever order the keys of a document stand", () => {
  for (const { folder, root, large } of DOCUMENTS) {
    const why = reason(path.join(folder, root), large);
    if (why !== undefined) console.log(`Not shuffled: ${root}: ${why}.`);
    test.skipIf(why !== undefined)(root, { timeout: 600_000 }, async () => {
      const original = await resultOf(rewrite(folder, root, (value) => JSON.stringify(value)));
      const random = randomNumbers(1);
      expectSame(original, await resultOf(rewrite(folder, root, (value) => shuffledJson(value, random))));
      const asYaml = (value: unknown) => stringifyYaml(shuffledValue(value, random));
      if (root.endsWith(".yaml")) expectSame(original, await resultOf(rewrite(folder, root, asYaml)));
    });
  }
});
