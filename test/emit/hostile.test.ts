import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadDocument } from "../../scripts/load/load.js";
import { generate, type Generation } from "../../scripts/pipeline.js";
import { Workspace } from "../generate/workspace.js";
import { hostileDocument, writeDocument } from "./hostile-document.js";
import { HOSTILE } from "./hostile-text.js";

interface Operation {
  id: string;
  path: string;
  parameters: { name: string; properties?: object }[];
  body: { mediaTypes: object };
}
type Validator = (data: unknown) => boolean;
interface Generated {
  operations: Record<string, Operation>;
  validators: Record<string, { query: Validator; body: Record<string, Validator> }>;
  expectations: Record<string, string>;
  createClient(options: object): Record<string, unknown>;
}

let workspace: Workspace;
let generation: Generation;
let generated: Generated;
let complaints: string[];

beforeAll(async () => {
  workspace = new Workspace();
  writeDocument(workspace.path("openapi.json"), hostileDocument(HOSTILE));
  generation = await generate(workspace.path("openapi.json"), workspace.path("generated"), "test");
  await workspace.writeGenerated(generation.files);
  complaints = workspace.compile(["generated/routes.ts", "generated/client.ts", "generated/types.ts"]);
  const modules = await Promise.all(
    ["routes.js", "client.js", "validators.js"].map((file) => workspace.import(`generated/${file}`)),
  );
  // The cast: these are the names that every document's modules export.
  generated = Object.assign({}, ...modules) as Generated;
});
afterAll(() => workspace.remove());
afterEach(() => {
  expect(globalThis).not.toHaveProperty("canary");
});

test("what is generated from hostile text compiles, and runs none of it", () => {
  expect(complaints).toEqual([]);
  expect(Object.keys(generated.createClient({}))).toHaveLength(HOSTILE.length + 1);
  expect(Object.getPrototypeOf(generated.operations)).toBe(Object.prototype);
});

test("no file holds a character that cannot be seen or turns the direction of text", () => {
  for (const { path, content } of generation.files) {
    // JSON says as it is what it need not escape; openapi.json is data and nobody's code.
    if (path === "openapi.json") continue;
    const [found] = /[\u0000-\u0008\u000b-\u001f\u007f\u2028-\u202e\u2066-\u2069]/.exec(content) ?? [];
    expect(found, path).toBeUndefined();
  }
});

test("openapi.json is the document as it was", async () => {
  const { document } = await loadDocument(workspace.path("openapi.json"));
  expect(document).toEqual(hostileDocument(HOSTILE));
  const file = generation.files.find(({ path }) => path === "openapi.json");
  expect(JSON.parse(file?.content ?? "")).toEqual(document);
});

describe.each(HOSTILE.map((text, index) => ({ text, index })))("$text", ({ text, index }) => {
  const find = (): Operation => {
    const operation = Object.values(generated.operations).find(({ path }) => path.startsWith(`/p${index}/`));
    if (!operation) throw new Error(`no operation for ${text}`);
    return operation;
  };

  test("is its exact self in the operations table, under a name that is an identifier", () => {
    const { id, parameters, body } = find();
    expect(id).toMatch(/^[A-Za-z_$][A-Za-z0-9_$]*$/);
    expect(parameters.map(({ name }) => name)).toEqual(["id", `q${text}`, `o${text}`, `c${text}`]);
    expect(parameters[2]?.properties).toEqual({ [text]: "integer" });
    expect(Object.keys(body.mediaTypes)).toEqual([
      "application/json",
      `application/x.${index}+json; note=${JSON.stringify(text)}`,
    ]);
  });

  test("is its exact self to the validators: property, enum, const and pattern", () => {
    const { id } = find();
    const check = generated.validators[id]?.body["application/json"] ?? (() => false);
    const accepted = { [text]: text, [`x${text}`]: text };
    expect(check(accepted)).toBe(true);
    // Line ends are no part of these patterns, and a pattern has no other way to say `anything`.
    expect(check({ ...accepted, pattern: text })).toBe(true);
    expect(check({ ...accepted, [`z${text}`]: text })).toBe(true);
    expect(check({ ...accepted, nested: { any: { [text]: text } } })).toBe(true);
    expect(check({ ...accepted, [`d${text}`]: 1, [`e${text}`]: 1 })).toBe(true);
    expect(check({ ...accepted, unique: [{ [text]: 1 }, { [text]: 2 }, [text], { 0: text }] })).toBe(true);
    expect(check({ ...accepted, unique: [{ [text]: [1] }, 1, { [text]: [1] }] })).toBe(false);
    expect(check({ ...accepted, [`d${text}`]: 1 })).toBe(false);
    expect(check({ [`x${text}`]: text })).toBe(false);
    expect(check({ ...accepted, [text]: `${text} ` })).toBe(false);
    expect(check({ ...accepted, [`x${text}`]: `${text}x` })).toBe(false);
    expect(check({ ...accepted, pattern: `${text}x` })).toBe(false);
    expect(check({ ...accepted, nested: { any: { [text]: `${text}x` } } })).toBe(false);
    expect(generated.validators[id]?.query({ [`q${text}`]: text, [`o${text}`]: { [text]: 1 } })).toBe(true);
    expect(generated.validators[id]?.query({ [`q${text}`]: `${text}x` })).toBe(false);
    expect(generated.validators[id]?.query({ [`o${text}`]: { [text]: "1" } })).toBe(false);
  });
});
