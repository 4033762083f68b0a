import { readdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { GeneratedFile } from "../../../scripts/emit/generated-file.js";
import { TEST_TIMEOUT_MS } from "../../support/load.js";
import { Workspace } from "../generate/workspace.js";
import { callEverything, type Modules } from "./call.js";
import { listDocuments, type Case, createDocument } from "./corpus.js";
import { runCommand, type Outcome, type Sorted, sortCases } from "./generate.js";
import { CANARY, PAYLOADS } from "./payloads.js";
import { SINKS } from "./sinks.js";

/** Invisible characters, and characters that change the direction of text or control a terminal. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
/** Parts of a document that adapters quote, and most parts that messages quote. */
const QUOTED = /^(?:operation|path|parameter|tags)/;

/** A document of the corpus, and the generated files of its folder. */
interface Part extends Sorted {
  folder: string;
}

let workspace: Workspace;
const parts: Part[] = [];
let outcome: Outcome;
let complaints: string[];

beforeAll(async () => {
  workspace = new Workspace();
  for (const [index, cases] of listDocuments().entries()) {
    const folder = `d${index}`;
    const sorted = await sortCases(cases, workspace.path(folder));
    for (const { path: file, content } of sorted.files)
      workspace.write(`${folder}/generated/${file}`, content);
    parts.push({ ...sorted, folder });
  }
  const quoted = parts[0]?.generated.filter(({ sink }) => QUOTED.test(sink)) ?? [];
  workspace.write("quoted/openapi.json", JSON.stringify(createDocument(quoted).document));
  const args = ["--spec", "openapi.json", "--out", "generated", "--adapters", "adapters"];
  outcome = await runCommand(workspace.path("quoted"), args);
  complaints = workspace.compile([
    ...[...listPartsWithFiles().map(({ folder }) => folder), "quoted"].flatMap((folder) =>
      ["routes", "client", "types"].map((name) => `${folder}/generated/${name}.ts`),
    ),
    ...listAdapterFiles(),
  ]);
}, 2 * TEST_TIMEOUT_MS);
afterAll(() => workspace.remove());
afterEach(() => {
  expect(globalThis).not.toHaveProperty(CANARY);
  expect(Reflect.ownKeys(Object.prototype)).toHaveLength(12);
});

/** Returns the parts with generated files. */
function listPartsWithFiles(): Part[] {
  return parts.filter(({ files }) => files.length > 0);
}

function listAdapterFiles(): string[] {
  return readdirSync(workspace.path("quoted/adapters")).map((name) => `quoted/adapters/${name}`);
}

async function importModules(folder: string): Promise<Modules> {
  const files = ["routes.js", "client.js", "validators.js"];
  const modules = await Promise.all(files.map((file) => workspace.import(`${folder}/generated/${file}`)));
  // The cast: the modules of every document export these names.
  return Object.assign({}, ...modules) as Modules;
}

function listTextFiles(): GeneratedFile[] {
  return [
    ...parts.flatMap(({ folder, files }) =>
      files.map(({ path: file, content }) => ({ path: `${folder}/${file}`, content })),
    ),
    ...listAdapterFiles().map((file) => ({
      path: file,
      content: readFileSync(workspace.path(file), "utf8"),
    })),
  ];
}

test("every text in every position is generated, or refused with its location if allowed", () => {
  const generated = parts.flatMap((part) => part.generated);
  const refused = parts.flatMap((part) => part.refused);
  const count = Object.keys(SINKS).length * Object.keys(PAYLOADS).length;
  expect(parts.flatMap(({ mistakes }) => mistakes)).toEqual([]);
  expect(generated.length + refused.length).toBe(count);
  console.log(
    `Hostile documents: ${Object.keys(SINKS).length} places × ${Object.keys(PAYLOADS).length} texts = ${count} cases: ` +
      `${generated.length} generated from, ${refused.length} refused.`,
  );
  if (process.env["HOSTILE_TABLE"]) console.log(formatTable(generated));
});

/** Formats a line for each position with the number of generated texts. */
function formatTable(generated: readonly Case[]): string {
  const lines = Object.keys(SINKS).map((sink) => {
    const count = generated.filter((each) => each.sink === sink).length;
    return `  ${sink}: ${count} of ${Object.keys(PAYLOADS).length}`;
  });
  return lines.join("\n");
}

test("all generated code compiles", () => {
  expect(complaints).toEqual([]);
});

test("no text runs as code when everything is imported and called", async () => {
  const texts = Object.values(PAYLOADS);
  for (const { folder, document } of listPartsWithFiles().map((part) => ({
    ...part,
    document: createDocument(part.generated),
  }))) {
    const called = await callEverything(await importModules(folder), texts);
    expect(called.methods).toBe(countOperations(document.document));
    if (folder !== "d0") continue;
    expect(called.validators).toBeGreaterThan(1_000);
    expect(called.routes).toBeGreaterThan(1_000);
    expect(called.handled).toBeGreaterThan(500);
  }
});

/** Counts the operations below `paths`. */
function countOperations(document: object): number {
  const { paths } = document as { paths: Record<string, object> };
  return Object.values(paths)
    .flatMap((item) => Object.keys(item))
    .filter((key) => key === "get" || key === "post").length;
}

test("no file contains invisible characters or characters that change the direction of text", () => {
  for (const { path: file, content } of listTextFiles()) {
    // Except openapi.json, which is data, and in which JSON does not escape them.
    if (!file.endsWith("openapi.json")) expect(INVISIBLE.exec(content)?.[0], file).toBeUndefined();
  }
});

test("openapi.json equals the document, except for names of operations, undeclared parameters and texts for deprecated", () => {
  for (const { generated, files } of listPartsWithFiles()) {
    const json: unknown = JSON.parse(files.find((file) => file.path === "openapi.json")?.content ?? "");
    const { paths, ...rest } = createDocument(generated).document;
    // Annotations of a wrong type are removed with a warning.
    const withoutMistakes: unknown = JSON.parse(JSON.stringify(rest), (key, value: unknown) =>
      key === "deprecated" && typeof value === "string" ? undefined : value,
    );
    expect(json).toMatchObject(Object(withoutMistakes));
    expect(Object.keys(Object(Object(json).paths)).sort()).toEqual(Object.keys(Object(paths)).sort());
  }
});

test("the command writes stubs, and prints nothing that controls a terminal", async () => {
  expect(outcome.code).toBe(0);
  expect(INVISIBLE.exec(`${outcome.stdout}${outcome.stderr}`)?.[0]).toBeUndefined();
  for (const file of listAdapterFiles().filter((name) => name.endsWith(".js"))) {
    const exported = Object.values(await workspace.import(file));
    const handlers = exported.flatMap((each) => Object.values(Object(each)));
    expect(handlers).not.toEqual([]);
    for (const handler of handlers) {
      if (typeof handler !== "function") throw new Error(`${file} exports no object of handlers.`);
      await expect(handler()).rejects.toMatchObject({ status: 501 });
    }
  }
});
