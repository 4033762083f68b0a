import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer } from "../../support/server.js";
import { runGenerate } from "../generate/run-command.js";
import { tryToGenerate } from "./generate.js";

const HEAD = 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\n';
const OPERATION = '{responses: {"200": {description: ok}}}';

/** The folder of all test files. The document is in `project/spec`; all other files must not change. */
let top: string;
let project: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), "page-service-places-")));
  project = path.join(top, "project");
  write("project/spec/openapi.yaml", `${HEAD}paths: {/a: {get: ${OPERATION}}}\n`);
  write("secret.yaml", "type: string\ndescription: SECRET\n");
});
afterEach(() => rmSync(top, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(top, file)), { recursive: true });
  writeFileSync(path.join(top, file), text);
}

/** Reads every file below a folder; links are not followed. */
function readTree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    files.flatMap((file) => {
      const full = path.join(folder, file);
      const stats = lstatSync(full);
      if (stats.isSymbolicLink()) return [[file, "a link"]];
      return stats.isFile() ? [[file, readFileSync(full, "utf8")]] : [];
    }),
  );
}

const ARGS = ["--spec", "spec/openapi.yaml", "--out", "generated", "--adapters", "adapters"];

/** Runs the command, and returns the files that it wrote outside of the two allowed folders. */
async function runAndFindStrayFiles(): Promise<{ code: number; text: string; elsewhere: string[] }> {
  const before = readTree(top);
  const { code, stdout, stderr } = await runGenerate(project, ARGS);
  const after = readTree(top);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (file) => before[file] !== after[file],
  );
  const allowed = /^project\/(?:generated|adapters)\/[A-Za-z0-9_.-]+$/;
  return { code, text: stdout + stderr, elsewhere: changed.filter((file) => !allowed.test(file)) };
}

describe("nothing is written outside of the given folders", () => {
  test("with any names of tags, operations and schemas", async () => {
    const names = [
      "../x", "../../../x", "/etc/x", "C:\\x", "..\\x", "a\u0000b", "con", "CON.ts", "aux", ".", "..", "", " ", "~/x",
      "x".repeat(300), "Pages", "pages", "PAGES", "\u00e9", "e\u0301", "caf\u00e9", "cafe\u0301", "index", "package.json",
      ".env", "node_modules/x", "manifest.json", "%2e%2e%2fx", "x/../../y", "-rf", "$(x)", "`x`", "routes",
    ]; // prettier-ignore
    const paths = Object.fromEntries(
      names.map((name, index) => [
        `/p${index}`,
        { get: { tags: [name], operationId: name, responses: { 200: { description: "ok" } } } },
      ]),
    );
    const schemas = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const document = { openapi: "3.1.0", info: { title: "t", version: "1" }, paths, components: { schemas } };
    write("project/spec/openapi.yaml", JSON.stringify(document));
    const { code, elsewhere } = await runAndFindStrayFiles();
    expect({ code, elsewhere }).toEqual({ code: 0, elsewhere: [] });
    const adapters = readdirSync(path.join(project, "adapters"));
    // Each tag has its own file, even if a file system treats two spellings as one.
    expect(new Set(adapters.map((file) => file.normalize("NFKC").toLowerCase())).size).toBe(adapters.length);
    const tags = new Set(names.map((name) => name || "default"));
    expect(adapters).toHaveLength(tags.size);
    for (const file of adapters) expect(file).not.toMatch(/^(?:con|aux|nul|prn)\.|[^A-Za-z0-9_$.]/i);
  });

  test("through links in the output folder, and foreign files are not overwritten", async () => {
    mkdirSync(path.join(project, "generated"));
    write("victim.ts", "keep");
    symlinkSync(path.join(top, "victim.ts"), path.join(project, "generated/types.ts"));
    const { code, text, elsewhere } = await runAndFindStrayFiles();
    expect({ code, elsewhere }).toEqual({ code: 2, elsewhere: [] });
    expect(text).toContain("was not generated and would be overwritten");
    expect(readFileSync(path.join(top, "victim.ts"), "utf8")).toBe("keep");
  });

  test("through a link in the folder of adapters", async () => {
    expect((await runAndFindStrayFiles()).code).toBe(0);
    const adapter = path.join(project, "adapters/default.ts");
    write("victim.ts", readFileSync(adapter, "utf8"));
    rmSync(adapter);
    symlinkSync(path.join(top, "victim.ts"), adapter);
    write("project/spec/openapi.yaml", `${HEAD}paths: {/a: {get: ${OPERATION}}, /b: {get: ${OPERATION}}}\n`);
    const before = readFileSync(path.join(top, "victim.ts"), "utf8");
    const { text, elsewhere } = await runAndFindStrayFiles();
    expect(elsewhere).toEqual([]);
    expect(text).toContain("may be defined here, so no stubs are added.");
    expect(readFileSync(path.join(top, "victim.ts"), "utf8")).toBe(before);
  });
});

describe("nothing is read outside of the document's folder, and nothing is fetched", () => {
  /** Returns the errors of a document with a reference in a given position. */
  async function getErrors(reference: string, place = (ref: string) => `{$ref: ${ref}}`): Promise<string[]> {
    write(
      "project/spec/openapi.yaml",
      `${HEAD}paths: {}\ncomponents: {schemas: {A: ${place(JSON.stringify(reference))}}}\n`,
    );
    const { errors, files } = await tryToGenerate(path.join(project, "spec/openapi.yaml"));
    expect(JSON.stringify(files)).not.toContain("SECRET");
    return errors.map(({ message, position }) => `${position?.line}:${position?.col} ${message}`);
  }

  test("no reference sends a request to a local server", async () => {
    let requests = 0;
    const { port } = new URL(
      await startServer((_, response) => {
        requests += 1;
        response.end("type: string");
      }),
    );
    for (const url of [
      `http://127.0.0.1:${port}/a.yaml`,
      `HTTP://localhost:${port}/a.yaml#/A`,
      `https://127.0.0.1:${port}/a.yaml`,
      `//127.0.0.1:${port}/a.yaml`,
      `\\\\127.0.0.1\\a.yaml`,
      `ftp://127.0.0.1:${port}/a.yaml`,
      `http:/127.0.0.1:${port}/a.yaml`,
    ])
      expect(await getErrors(url), url).toEqual([
        expect.stringMatching(/^4:\d+ .*is a URL and is not fetched/),
      ]);
    const url = JSON.stringify(`http://127.0.0.1:${port}/a.yaml`);
    // URLs that are not references are unchanged.
    for (const schema of [
      `{$schema: "https://json-schema.org/draft/2020-12/schema", $id: ${url}, type: string}`,
      `{externalDocs: {url: ${url}}, example: {$ref: ${url}}, type: object}`,
    ])
      await getErrors("", () => schema);
    write(
      "project/spec/openapi.yaml",
      `${HEAD}paths: {}\njsonSchemaDialect: ${url}\nservers: [{url: ${url}}]\ncomponents: {examples: {E: {externalValue: ${url}}}}\n`,
    );
    await tryToGenerate(path.join(project, "spec/openapi.yaml"));
    write("project/spec/openapi.yaml", `${HEAD}paths: {}\n`);
    write(
      "project/spec/redocly.yaml",
      `extends: [${url}]\nplugins: [./evil.js]\nresolve: {http: {headers: []}}\n`,
    );
    write("project/spec/evil.js", "globalThis.__pwned = 1; process.exit(7);");
    const { errors } = await tryToGenerate(path.join(project, "spec/openapi.yaml"));
    expect(errors).toEqual([]);
    expect(requests).toBe(0);
    expect(globalThis).not.toHaveProperty("__pwned");
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/a.yaml",
    "file:///etc/passwd",
    "file:../../secret.yaml",
    "data:application/json,{}",
    "jar:file:///a.yaml",
    "blob:a.yaml",
    "../../secret.yaml",
    "../../secret.yaml#/description",
    "/etc/passwd",
    "/etc/passwd#/a",
    "..\\..\\secret.yaml",
    "C:\\secret.yaml",
    "%2e%2e/%2e%2e/secret.yaml",
    "..%2f..%2fsecret.yaml",
    "./x/../../../secret.yaml",
    "link.yaml",
    "folder/secret.yaml",
    "secret.yaml?x=1",
    "~/.ssh/id_rsa",
    ".env",
    "/dev/zero",
    "/proc/self/environ",
    "//host/share/a.yaml",
  ])("not %s", async (reference) => {
    write("project/spec/.env", "SECRET=1");
    symlinkSync(path.join(top, "secret.yaml"), path.join(project, "spec/link.yaml"));
    symlinkSync(top, path.join(project, "spec/folder"));
    const found = await getErrors(reference);
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect(line).toMatch(/^4:\d+ /);
    expect(
      await getErrors(
        reference,
        (ref) => `{discriminator: {propertyName: a, mapping: {a: ${ref}}}, oneOf: [{$ref: ${ref}}]}`,
      ),
    ).not.toEqual([]);
  });

  test("files in and below the folder are read", async () => {
    write("project/spec/more/a b.yaml", "type: string\n");
    expect(await getErrors("more/a b.yaml")).toEqual([]);
    expect(await getErrors("./more/../more/a b.yaml#/")).toEqual([]);
    expect(existsSync(path.join(project, "generated"))).toBe(false);
  });
});
