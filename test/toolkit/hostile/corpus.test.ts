import { readdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { GeneratedFile } from "../../../scripts/model/model.js";
import { Workspace } from "../generate/workspace.js";
import { callEverything, type Modules } from "./call.js";
import { allDocuments, type Case, documentOf } from "./corpus.js";
import { command, type Outcome, type Sorted, sortCases } from "./generate.js";
import { CANARY, PAYLOADS } from "./payloads.js";
import { SINKS } from "./sinks.js";

/** Characters that cannot be seen, turn the direction of text or steer a terminal. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
/** Parts of a document that hand-written adapters quote, and most of those that messages quote. */
const QUOTED = /^(?:operation|path|parameter|tags)/;

/** A document of the corpus, and what was generated from it into a folder. */
interface Part extends Sorted {
  folder: string;
}

let workspace: Workspace;
const parts: Part[] = [];
let outcome: Outcome;
let complaints: string[];

beforeAll(async () => {
  workspace = new Workspace();
  for (const [index, cases] of allDocuments().entries()) {
    const folder = `d${index}`;
    const sorted = await sortCases(cases, workspace.path(folder));
    for (const { path: file, content } of sorted.files)
      workspace.write(`${folder}/generated/${file}`, content);
    parts.push({ ...sorted, folder });
  }
  const quoted = parts[0]?.generated.filter(({ sink }) => QUOTED.test(sink)) ?? [];
  workspace.write("quoted/openapi.json", JSON.stringify(documentOf(quoted).document));
  const args = ["--spec", "openapi.json", "--out", "generated", "--adapters", "adapters"];
  outcome = await command(workspace.path("quoted"), args);
  complaints = workspace.compile([
    ...[...filledParts().map(({ folder }) => folder), "quoted"].flatMap((folder) =>
      ["routes", "client", "types"].map((name) => `${folder}/generated/${name}.ts`),
    ),
    ...adapterFiles(),
  ]);
}, 600_000);
afterAll(() => workspace.remove());
afterEach(() => {
  expect(globalThis).not.toHaveProperty(CANARY);
  expect(Reflect.ownKeys(Object.prototype)).toHaveLength(12);
});

/** Returns the parts with generated files. */
function filledParts(): Part[] {
  return parts.filter(({ files }) => files.length > 0);
}

function adapterFiles(): string[] {
  return readdirSync(workspace.path("quoted/adapters")).map((name) => `quoted/adapters/${name}`);
}

async function modulesOf(folder: string): Promise<Modules> {
  const files = ["routes.js", "client.js", "validators.js"];
  const modules = await Promise.all(files.map((file) => workspace.import(`${folder}/generated/${file}`)));
  // The cast: these are the names that every document's modules export.
  return Object.assign({}, ...modules) as Modules;
}

function textFiles(): GeneratedFile[] {
  return [
    ...parts.flatMap(({ folder, files }) =>
      files.map(({ path: file, content }) => ({ path: `${folder}/${file}`, content })),
    ),
    ...adapterFiles().map((file) => ({ path: file, content: readFileSync(workspace.path(file), "utf8") })),
  ];
}

test("every text in every place is generated from, or refused with its place where it may be", () => {
  const generated = parts.flatMap((part) => part.generated);
  const refused = parts.flatMap((part) => part.refused);
  const count = Object.keys(SINKS).length * Object.keys(PAYLOADS).length;
  expect(parts.flatMap(({ mistakes }) => mistakes)).toEqual([]);
  expect(generated.length + refused.length).toBe(count);
  console.log(
    `Hostile documents: ${Object.keys(SINKS).length} places × ${Object.keys(PAYLOADS).length} texts = ${count} cases: ` +
      `${generated.length} generated from, ${refused.length} refused.`,
  );
  if (process.env["HOSTILE_TABLE"]) console.log(tableOf(generated));
});

/** A line for each place: how many of the texts were generated from there. */
function tableOf(generated: readonly Case[]): string {
  const lines = Object.keys(SINKS).map((sink) => {
    const count = generated.filter((each) => each.sink === sink).length;
    return `  ${sink}: ${count} of ${Object.keys(PAYLOADS).length}`;
  });
  return lines.join("\n");
}

test("all that is generated compiles", () => {
  expect(complaints).toEqual([]);
});

test("nothing of it runs when everything is imported and called", async () => {
  const texts = Object.values(PAYLOADS);
  for (const { folder, document } of filledParts().map((part) => ({
    ...part,
    document: documentOf(part.generated),
  }))) {
    const called = await callEverything(await modulesOf(folder), texts);
    expect(called.methods).toBe(operationCount(document.document));
    if (folder !== "d0") continue;
    expect(called.validators).toBeGreaterThan(1_000);
    expect(called.routes).toBeGreaterThan(1_000);
    expect(called.handled).toBeGreaterThan(500);
  }
});

/** Operations below `paths`. */
function operationCount(document: object): number {
  const { paths } = document as { paths: Record<string, object> };
  return Object.values(paths)
    .flatMap((item) => Object.keys(item))
    .filter((key) => key === "get" || key === "post").length;
}

test("no file holds a character that cannot be seen or turns the direction of text", () => {
  for (const { path: file, content } of textFiles()) {
    // JSON says as it is what it need not escape; openapi.json is data and nobody's code.
    if (!file.endsWith("openapi.json")) expect(INVISIBLE.exec(content)?.[0], file).toBeUndefined();
  }
});

test("openapi.json is the document as it was, but for the names of operations and undeclared parameters", () => {
  for (const { generated, files } of filledParts()) {
    const json: unknown = JSON.parse(files.find((file) => file.path === "openapi.json")?.content ?? "");
    const { paths, ...rest } = documentOf(generated).document;
    expect(json).toMatchObject(rest);
    expect(Object.keys(Object(Object(json).paths)).sort()).toEqual(Object.keys(Object(paths)).sort());
  }
});

test("the command writes its stubs, and says nothing that steers a terminal", async () => {
  expect(outcome.code).toBe(0);
  expect(INVISIBLE.exec(`${outcome.stdout}${outcome.stderr}`)?.[0]).toBeUndefined();
  for (const file of adapterFiles()) {
    const made = await workspace.import(file.replace(/\.ts$/, ".js"));
    for (const makeHandlers of Object.values(made)) {
      if (typeof makeHandlers !== "function") throw new Error(`${file} exports no function`);
      for (const handler of Object.values<() => Promise<unknown>>(makeHandlers()))
        await expect(handler()).rejects.toMatchObject({ status: 501 });
    }
  }
});
