import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseOptions } from "../../../scripts/command/options.js";
import { PROJECT } from "../../support/api-document.js";
import { type Outcome, runGenerate } from "./run-command.js";

const HEAD = 'openapi: 3.1.0\ninfo: { title: t, version: "1" }\n';
const GOOD = `${HEAD}paths:
  /a/{id}:
    get:
      operationId: getA
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: It. } }
`;
/** A document with mistakes in its fifth and twelfth lines. */
const BAD = `${HEAD}paths:
  /a/{id}/{x:
    get:
      operationId: getA
      summary: Get
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        "200": { description: It. }
        "2oo": { description: No status. }
`;
const WRITTEN = ["client.ts", "manifest.json", "openapi.json", "operations.ts", "routes.ts", "types.ts"];

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "page-service-command-")));
  write("good.yaml", GOOD);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(path.join(folder, file), text);
}

/** Runs the built program as a process in the test's folder. */
function runProgram(...args: string[]): Promise<Outcome> {
  const all = [path.join(PROJECT, "dist/openapi-compiler/cli.js"), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

function runCommand(...args: string[]): Promise<Outcome> {
  return runGenerate(folder, args);
}

/** Lists the files below the test's folder with their modification times. */
function listModificationTimes(): Record<string, number> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.map((name) => [name, statSync(path.join(folder, name), { bigint: false }).mtimeMs]),
  );
}

test("--check fails with a reason when only a handler without an operation is left", async () => {
  const args = ["--spec", "good.yaml", "--out", "out", "--adapters", "adapters"];
  expect(await runCommand(...args)).toMatchObject({ code: 0 });
  const [file = ""] = readdirSync(path.join(folder, "adapters"));
  const adapter = readFileSync(path.join(folder, "adapters", file), "utf8");
  write(path.join("adapters", file), adapter.replace(/= \{\n/, "= {\n  async gone() {},\n"));
  const { code, stdout, stderr } = await runCommand(...args, "--check");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain('Orphaned handler "gone"');
  expect(stderr).toMatch(/\nOut of date: the handlers listed above need a manual change\.\n$/);
});

test("--check exits like a generation if adapters have problems", async () => {
  const args = ["--spec", "good.yaml", "--out", "out", "--adapters", "adapters"];
  expect(await runCommand(...args)).toMatchObject({ code: 0 });
  const [file = ""] = readdirSync(path.join(folder, "adapters"));
  const checkAdapter = async (text: string) => {
    write(path.join("adapters", file), text);
    const { code, stdout, stderr } = await runCommand(...args, "--check");
    expect((await runCommand(...args)).code).toBe(code);
    return { code, stdout, stderr };
  };
  expect(await checkAdapter("export const a = {;\n")).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^\S+:1:\d+ {2}error {2}Syntax error: .*\n.*\n.*\^\n$/),
  });
  expect(await checkAdapter("export {};\n")).toEqual({
    code: 0,
    stdout: "Up to date with good.yaml.\n",
    stderr: expect.stringMatching(/^\S+ {2}warning {2}The handlers .* may be defined here, .*\n.*\n.*\^+\n$/),
  });
  rmSync(path.join(folder, "out/types.ts"));
  expect(await checkAdapter("export const a = {;\n")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Out of date with good.yaml:\n"),
  });
});

test("generates, skips files that are up to date, and checks", async () => {
  const args = ["--spec", "good.yaml", "--out", "out/new"];
  const missing = await runCommand(...args, "--check");
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toContain("Out of date with good.yaml:\n  added    out/new/client.ts\n");
  expect(missing.stderr).toContain(
    `Run: npx openapi-compiler generate --spec good.yaml --out ${path.join("out", "new")}\n`,
  );
  expect(readdirSync(folder)).toEqual(["good.yaml"]);

  const first = await runCommand(...args);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain("  added    out/new/routes.ts\n");
  expect(readdirSync(path.join(folder, "out/new"))).toEqual(expect.arrayContaining(WRITTEN));

  const before = listModificationTimes();
  expect(await runCommand(...args)).toEqual({
    code: 0,
    stdout: "Nothing to do: up to date with good.yaml.\n",
    stderr: "",
  });
  expect(await runCommand(...args, "--check")).toEqual({
    code: 0,
    stdout: "Up to date with good.yaml.\n",
    stderr: "",
  });
  expect(listModificationTimes()).toEqual(before);

  // A change that affects no type: only files that contain it are written.
  write("good.yaml", GOOD.replace('version: "1"', 'version: "2"'));
  expect(await runCommand(...args, "--check")).toMatchObject({ code: 1 });
  const second = await runCommand(...args);
  expect(second.stdout).toMatch(
    /:\n {2}changed {2}out\/new\/manifest.json\n {2}changed {2}out\/new\/openapi.json\n$/,
  );
  const after = listModificationTimes();
  expect(after["out/new/routes.ts"]).toBe(before["out/new/routes.ts"]);
  expect(after["out/new/openapi.json"]).not.toBe(before["out/new/openapi.json"]);

  // A later mistake in the document must not change the generated files.
  write("good.yaml", BAD);
  expect(await runCommand(...args)).toMatchObject({ code: 2, stdout: "" });
  expect(await runCommand(...args, "--check")).toMatchObject({ code: 2, stdout: "" });
  const spec = listModificationTimes()["good.yaml"];
  expect(listModificationTimes()).toEqual({ ...after, "good.yaml": spec });
});

test("prints at most five warnings with the same message", async () => {
  const schemas = [..."ABCDEFG"].map((name) => `    ${name}: { type: string, format: datetime }\n`);
  write("good.yaml", `${GOOD}components:\n  schemas:\n${schemas.join("")}`);
  const { code, stderr } = await runCommand("--spec", "good.yaml", "--out", "out");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/warning {2}2 more: /) });
  expect(stderr.split("\n").filter((line) => line.startsWith("good.yaml:"))).toHaveLength(5);
});

test("refuses a folder with files of an emitter of a program, which it would remove", async () => {
  const module = pathToFileURL(path.join(PROJECT, "dist/openapi-compiler/scripts/index.js")).href;
  write(
    "generate.mjs",
    `import { generate, types } from ${JSON.stringify(module)};
     const own = { name: "own", emit: () => ({ files: [{ path: "own.txt", content: "" }] }) };
     await generate({ spec: "good.yaml", out: "out", emitters: [types(), own] });`,
  );
  execFileSync(process.execPath, ["generate.mjs"], { cwd: folder });
  const before = listModificationTimes();
  for (const more of [[], ["--check"], ["--watch"]]) {
    const { code, stderr } = await runCommand("--spec", "good.yaml", "--out", "out", ...more);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error  ${path.join(folder, "out")} contains files that only a program can generate (emitters: own). Run that program, or choose another --out.\n`,
    });
  }
  expect(listModificationTimes()).toEqual(before);
});

test("the command to run quotes arguments for the shell", () => {
  const args = ["--spec", "my api's.yaml", "--out", "out/a-b", "--check"];
  expect(parseOptions(args)?.commandWithoutCheck).toMatch(/ --spec 'my api'\\''s\.yaml' --out out\/a-b$/);
});

test("a flag can be given twice", () => {
  const options = parseOptions(["--spec", "good.yaml", "--out", "out", "--check", "--check"]);
  expect(options).toMatchObject({ check: true, commandWithoutCheck: expect.stringMatching(/ --out out$/) });
});

test("the program prints the output of the command and exits with its code", async () => {
  const args = ["generate", "--spec", "good.yaml", "--out", "out"];
  const missing = await runProgram(...args, "--check");
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toContain("Out of date with good.yaml:\n  added    out/client.ts\n");
  const written = await runProgram(...args);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toContain("  added    out/routes.ts\n");
  write("good.yaml", BAD);
  const invalid = await runProgram(...args);
  expect(invalid).toMatchObject({ code: 2, stdout: "" });
  expect(invalid.stderr).toMatch(/^good.yaml:4:3 {2}error {2}/);
});

test("--help prints the usage in any position", async () => {
  const { code, stdout, stderr } = await runCommand("--check", "--help");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const part of ["--spec FILE --out DIR", "--check", "--adapters DIR", "Exit codes: 0", "1 ", "2 "]) {
    expect(stdout).toContain(part);
  }
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  // Review the diff after a change of the text: `npm test -- --project main test/toolkit/generate/command.test.ts -u`.
  await expect(stdout).toMatchFileSnapshot("../../fixtures/generate-help.txt");
});

test("without a known command prints the usage as an error", async () => {
  for (const [args, problem] of [
    [[], ""],
    [["genrate"], 'error  Unknown command "genrate".\n\n'],
  ] as const) {
    const { code, stdout, stderr } = await runProgram(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.startsWith(`${problem}Generates a TypeScript server`)).toBe(true);
  }
});

const GIVEN = ["--spec", "good.yaml", "--out", "out"];

/** Mistakes of users, with the complete output of the command. */
const MISTAKES: { name: string; args: string[]; says: RegExp; prepare?: () => void }[] = [
  {
    name: "an unknown option",
    args: ["--nope"],
    says: /^error {2}Unknown option '--nope'\. Run `.* --help`\.$/m,
  },
  {
    name: "the opposite of an option",
    args: ["--no-check"],
    says: /^error {2}Unknown option '--no-check'\. Run `.* --help`\.$/m,
  },
  {
    name: "a misspelt option",
    args: [...GIVEN, "--adapter", "a"],
    says: /^error {2}Unknown option '--adapter'\. Did you mean --adapters\?$/m,
  },
  {
    name: "no document of the default name",
    args: [],
    says: /^error {2}spec\/openapi\.yaml does not exist\. Give --spec and --out\.$/m,
  },
  { name: "an argument too many", args: [...GIVEN, "extra"], says: /^error {2}Unexpected argument 'extra'/ },
  { name: "a value for a flag", args: [...GIVEN, "--check=no"], says: /^error {2}Option '--check' does not/ },
  {
    name: "an option as the value of another",
    args: ["--spec", "--out", "out"],
    says: /^error {2}Option '--spec' argument is ambiguous\. Run `.* --help`\.$/m,
  },
  {
    name: "--spec twice",
    args: ["--spec", "good.yaml", "--out", "out", "--spec", "other.yaml"],
    says: /^error {2}--spec is given twice\. Give it once\.$/m,
  },
  {
    name: "--spec alone",
    args: ["--spec", "good.yaml"],
    says: /^error {2}--spec and --out go together\. Give both or neither\.$/m,
  },
  ...["spec", "out", "adapters", "root"].map((name) => ({
    name: `an empty --${name}`,
    args: Object.entries({ spec: "good.yaml", out: "out", [name]: "" }).flatMap(([key, value]) => [
      `--${key}`,
      value,
    ]),
    says: new RegExp(`^error {2}--${name} is empty\\. Give it a path\\.$`, "m"),
  })),
  {
    name: "--check with --watch",
    args: [...GIVEN, "--check", "--watch"],
    says: /^error {2}--check and --watch exclude each other\. Give one of them\.$/m,
  },
  {
    name: "another value of --formats",
    args: [...GIVEN, "--formats", "no"],
    says: /^error {2}--formats must be assert or annotate, not "no"\.$/m,
  },
  {
    name: "a URL as document",
    args: ["--spec", "https://example.test/a.yaml", "--out", "out"],
    says: /^error {2}--spec must be a file, and https:\/\/example\.test\/a\.yaml is a URL/,
  },
  {
    name: "a URL in capitals",
    args: ["--spec", "HTTPS://example.test/a.yaml", "--out", "out"],
    says: /^error {2}--spec must be a file/,
  },
  {
    name: "the root of the file system as --out",
    args: ["--spec", "good.yaml", "--out", "/", "--check"],
    says: /^error {2}--out must not be the root of the file system\. Name a folder for generated files only\.$/m,
  },
  {
    name: "a root folder that does not exist",
    args: [...GIVEN, "--root", "/none"],
    says: /^error {2}\/none is not a folder\. Pass --root with a folder that contains the document's files\.$/m,
  },
  { name: "--out alone", args: ["--out", "out"], says: /^error {2}--spec and --out go together/ },
  { name: "no value", args: ["--out", "out", "--spec"], says: /^error {2}Option '--spec <value>' argument/ },
  {
    name: "no such document",
    args: ["--spec", "none.yaml", "--out", "out"],
    says: /^error {2}\S*none.yaml does not exist/,
  },
  {
    name: "a folder as document",
    args: ["--spec", ".", "--out", "out"],
    says: /^error {2}\S+ is a folder\. Name the document/,
  },
  {
    name: "invalid YAML",
    args: GIVEN,
    prepare: () => write("good.yaml", "openapi: 3.1.0\n  x: [\n"),
    says: /^good.yaml:2:6 {2}error {2}This `\[` is not closed/,
  },
  {
    name: "two mistakes in the document",
    args: GIVEN,
    prepare: () => write("good.yaml", BAD),
    says: /^good.yaml:4:3 {2}error {2}.*cannot be converted to a route.* at #\/paths\/.*\n +4 \| .*\n +\| +\^+\ngood.yaml:12:9 {2}error {2}"2oo" is not a status\. .*\n +12 \| .*2oo.*\n +\| +\^+\n$/,
  },
  {
    name: "a reference to a component that is no parameter, with one message",
    args: GIVEN,
    prepare: () =>
      write(
        "good.yaml",
        `${GOOD.replace(/parameters: .*/, 'parameters: [{ $ref: "#/components/schemas/A" }]')}components: { schemas: { A: {} } }\n`,
      ),
    says: /^good.yaml:7.* {2}error {2}This \$ref leads to `components\.schemas`\..*\n.*\n.*\n$/,
  },
  {
    name: "a schema in an unknown dialect",
    args: GIVEN,
    prepare: () => write("good.yaml", GOOD.replace("{ type: string }", '{ $schema: "https://a.test/" }')),
    says: /^good.yaml:\d+:\d+ {2}error {2}.*the dialect "https:\/\/a\.test\/" is not known/,
  },
  {
    name: "a file as the output folder",
    args: ["--spec", "good.yaml", "--out", "good.yaml"],
    says: /^error {2}.*good\.yaml is not a folder\. Delete it or choose another --out\.$/m,
  },
  {
    name: "an output folder below a file",
    args: ["--spec", "good.yaml", "--out", "good.yaml/out"],
    says: /^error {2}.*good\.yaml is not a folder\. Delete it or choose another --out\.$/m,
  },
  {
    name: "an output folder that cannot be created",
    args: ["--spec", "good.yaml", "--out", "/proc/out"],
    says: /^error {2}\/proc\/out cannot be read or written \(ENOENT: .*\)\. Choose another path\.$/m,
  },
  {
    name: "a foreign file in the output folder",
    args: ["--spec", "good.yaml", "--out", "."],
    prepare: () => write("routes.ts", "export {};\n"),
    says: /^error {2}\S+routes.ts was not generated and would be overwritten/,
  },
  {
    name: "a folder where a file is generated",
    args: ["--spec", "good.yaml", "--out", "."],
    prepare: () => mkdirSync(path.join(folder, "routes.ts")),
    says: /^error {2}\S+routes.ts is not a file/,
  },
  {
    name: "a file as the folder of adapters",
    args: [...GIVEN, "--adapters", "good.yaml"],
    says: /^error {2}\S+good\.yaml is not a folder\. Choose another --adapters\.$/m,
  },
  {
    name: "the output folder as the folder of adapters",
    args: [...GIVEN, "--adapters", "out"],
    says: /^error {2}--adapters is the folder of --out. Choose a different folder.$/m,
  },
];

describe("a mistake exits with 2 and a message of one line, and writes nothing", () => {
  test.each(MISTAKES)("$name", async ({ args, prepare, says }) => {
    prepare?.();
    const before = listModificationTimes();
    const { code, stdout, stderr } = await runCommand(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    expect(listModificationTimes()).toEqual(before);
  });
});

test("--formats applies to the validators of requests and of responses", () => {
  const { emitters = [] } = parseOptions([...GIVEN, "--response-validators", "--formats", "annotate"]) ?? {};
  const versions = emitters.map(({ name, version }) => `${name}: ${version}`);
  expect(versions.filter((each) => each.endsWith(": built-in, formats annotate"))).toEqual([
    "validators: built-in, formats annotate",
    "response-validators: built-in, formats annotate",
  ]);
});

test("--response-validators generates another module, which is out of date without the option", async () => {
  const made = await runCommand(...GIVEN, "--response-validators");
  expect(made.stdout).toMatch(/added .*response-validators\.js$/m);
  expect((await runCommand(...GIVEN, "--response-validators", "--check")).code).toBe(0);
  const without = await runCommand(...GIVEN, "--check");
  expect(without.code).toBe(1);
  expect(without.stderr).toMatch(/removed .*response-validators\.js$/m);
  expect((await runCommand(...GIVEN)).stdout).toMatch(/removed .*response-validators\.js$/m);
  expect(existsSync(path.join(folder, "out/response-validators.js"))).toBe(false);
});

test("--root names the folder that references may lead to, which the next run checks again", async () => {
  mkdirSync(path.join(folder, "api"));
  write("shared.yaml", "type: string\n");
  write("api/api.yaml", GOOD.replace("{ type: string }", '{ $ref: "../shared.yaml" }'));
  const args = ["--spec", "api/api.yaml", "--out", "out"];
  expect((await runCommand(...args, "--root", ".")).code).toBe(0);
  for (const sameFolder of [".", folder])
    expect((await runCommand(...args, "--root", sameFolder)).stdout).toMatch(/^Nothing to do/);
  const { code, stderr } = await runCommand(...args);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`lies outside the root folder, ${path.join(folder, "api")}.`),
  ]);
});

test("reports a style that a parameter cannot have once, at the style", async () => {
  write("good.yaml", GOOD.replace("in: path,", "in: path, style: form,"));
  const { stderr } = await runCommand(...GIVEN);
  const diagnostics = stderr.match(/^good.yaml.*/gm);
  expect(diagnostics).toEqual([
    'good.yaml:7:42  error  The style "form" is not allowed for a path parameter. Use simple or label or matrix.  at #/paths/~1a~1{id}/get/parameters/0/style',
  ]);
});

test("a warning has a location and does not prevent generation", async () => {
  write("good.yaml", GOOD.replace(/ *parameters:.*\n/, ""));
  const { code, stderr } = await runCommand(...GIVEN);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^good.yaml:5:5 {2}warning {2}The path parameter \{id\} of \/a\/\{id\} is not declared/m,
  );
});

test("--adapters adds stubs for new operations, also after a run without changes", async () => {
  mkdirSync(path.join(folder, "node_modules"));
  const args = [...GIVEN, "--adapters", "adapters"];
  const file = path.join("adapters", "default.ts");
  const parameters = GOOD.slice(GOOD.indexOf("      parameters"));
  let document = GOOD;
  const addOperation = (method: string): void => {
    document += `    ${method}:\n      operationId: ${method}A\n${parameters}`;
    write("good.yaml", document);
  };
  expect((await runCommand(...args)).code).toBe(0);
  expect((await runCommand(...args)).stdout).toMatch(/^Nothing to do/);
  addOperation("put");
  expect((await runCommand(...args)).code).toBe(0);
  expect(readFileSync(path.join(folder, file), "utf8")).toContain("async putA(");
  expect((await runCommand(...args)).stdout).toMatch(/^Nothing to do/);
  // Only the manifest records that the handlers must be compared again.
  addOperation("patch");
  expect((await runCommand(...GIVEN)).code).toBe(0);
  expect((await runCommand(...args)).code).toBe(0);
  expect(readFileSync(path.join(folder, file), "utf8")).toContain("async patchA(");
  // A warning is not cached.
  write(file, "export {};\n");
  for (let run = 0; run < 2; run += 1) {
    const { code, stderr } = await runCommand(...args);
    expect([code, stderr]).toEqual([0, expect.stringContaining("may be defined here")]);
  }
  rmSync(path.join(folder, file));
  expect((await runCommand(...args)).stdout).toContain(
    `added    ${file}: 3 handlers to implement (each responds with 501 until then):\n    getA\n    putA\n    patchA\n`,
  );
});
