import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PROJECT } from "../../support/api-document.js";

const HEAD = 'openapi: 3.1.0\ninfo: { title: t, version: "1" }\n';
const PATHS = `paths:
  /a:
    get:
      operationId: getA
      responses: { "200": { description: It. } }
`;
const MORE = `  /b:
    $ref: "parts/b.yaml"
`;
const B = `get:
  operationId: getB
  responses: { "200": { description: It. } }
`;

let folder: string;
let child: ChildProcess;
let output = "";
/** Length of the consumed output. */
let consumed = 0;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "page-service-watch-")));
});
afterEach(() => {
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

const resolvePath = (file: string): string => path.join(folder, file);
const read = (file: string): string => readFileSync(resolvePath(file), "utf8");

/** Saves a file like many editors: writes a new file and renames it. */
function save(file: string, content: string): void {
  writeFileSync(resolvePath(`${file}~`), content);
  renameSync(resolvePath(`${file}~`), resolvePath(file));
}

/** Starts the built command. */
function start(...args: string[]): void {
  output = "";
  consumed = 0;
  child = spawn(process.execPath, [path.join(PROJECT, "dist/openapi-compiler/cli.js"), "generate", ...args], {
    cwd: folder,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
}

/** Waits for new output that matches, and returns the output up to the match. */
async function waitForOutput(pattern: RegExp): Promise<string> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = pattern.exec(output.slice(consumed));
    if (found) {
      const part = output.slice(consumed, consumed + found.index + found[0].length);
      consumed += part.length;
      return part;
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`${pattern} is not in the output:\n${output.slice(consumed)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function waitForExit(): Promise<number | null> {
  return new Promise((resolve) => child.once("close", resolve));
}

test("--watch generates after each save, reports mistakes and continues", async () => {
  writeFileSync(resolvePath("api.yaml"), HEAD + PATHS);
  start("--spec", "api.yaml", "--out", "out", "--watch");
  await waitForOutput(/Watching api\.yaml/);
  expect(await waitForOutput(/added {4}out.validators\.js\n/)).toContain("Generated from api.yaml in ");
  const client = statSync(resolvePath("out/client.ts")).mtimeMs;

  // A change that affects no type does not change the other files.
  save("api.yaml", HEAD.replace('"1"', '"2"') + PATHS);
  const second = await waitForOutput(
    /Generated from api\.yaml in [\d.]+ s:\n {2}changed {2}out.manifest\.json\n.*\n/,
  );
  expect(second).toContain("Changed: api.yaml\n");
  expect(second).toContain("out/openapi.json".replace("/", path.sep));
  expect(statSync(resolvePath("out/client.ts")).mtimeMs).toBe(client);

  // A YAML error, an OpenAPI error, and a reference to a missing file.
  const good = read("out/routes.ts");
  save("api.yaml", `${HEAD}paths: [\n`);
  await waitForOutput(/api\.yaml:\d+:\d+ {2}error {2}This `\[` is not closed[^]*Waiting for the next save/);
  save("api.yaml", HEAD + PATHS.replace("getA", "5"));
  await waitForOutput(/api\.yaml:6:\d+ {2}error [^]*must be text, not 5[^]*Waiting for the next save/);
  save("api.yaml", HEAD + PATHS + MORE);
  await waitForOutput(/api\.yaml:9:\d+ {2}error [^]*Waiting for the next save/);
  expect(read("out/routes.ts")).toBe(good);

  // Creating the missing file fixes the error without another save of the document.
  mkdirSync(resolvePath("parts"));
  save("parts/b.yaml", B);
  expect(await waitForOutput(/Generated from [^]*?types\.ts\n/)).toContain(
    `Changed: ${path.join("parts", "b.yaml")}\n`,
  );
  expect(read("out/routes.ts")).toContain("getB");

  // Referenced files are watched. This one is written in place.
  writeFileSync(resolvePath("parts/b.yaml"), B.replace("getB", "getBee"));
  await waitForOutput(/Generated from [^]*?types\.ts\n/);
  expect(read("out/routes.ts")).toContain("getBee");

  child.kill("SIGINT");
  expect(await waitForExit()).toBe(0);
});

test("--watch adds stubs for new operations, and writing them starts no further run", async () => {
  writeFileSync(resolvePath("api.yaml"), HEAD + PATHS);
  mkdirSync(resolvePath("adapters"));
  start("--spec", "api.yaml", "--out", "out", "--adapters", "adapters", "--watch");
  await waitForOutput(/adapters.default\.ts: handler getA/);
  const first = read("adapters/default.ts");
  save("api.yaml", HEAD + PATHS + MORE.replace(/\$ref.*/, B.replaceAll("\n", "\n    ").trim()));
  expect(await waitForOutput(/adapters.default\.ts: handler getB/)).not.toMatch(/Changed: .*adapters/);
  expect(read("adapters/default.ts")).toContain("getB");
  // Nothing happens until the next change of the user.
  writeFileSync(resolvePath("adapters/default.ts"), first);
  expect(await waitForOutput(/adapters.default\.ts: handler getB/)).toMatch(/\nChanged: adapters\nGenerated/);
  child.kill("SIGTERM");
  expect(await waitForExit()).toBe(0);
});

test("--watch and --check exclude each other", async () => {
  start("--check", "--watch");
  expect(await waitForExit()).toBe(2);
  expect(output).toMatch(/^error {2}--check and --watch exclude each other/);
  expect(existsSync(resolvePath("generated"))).toBe(false);
});
