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
/** Length of the output that was consumed already. */
let read = 0;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "page-service-watch-")));
});
afterEach(() => {
  child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

const at = (file: string): string => path.join(folder, file);
const text = (file: string): string => readFileSync(at(file), "utf8");

/** Saves as many editors do: the text goes to another file, which then takes the name. */
function save(file: string, content: string): void {
  writeFileSync(at(`${file}~`), content);
  renameSync(at(`${file}~`), at(file));
}

/** Starts the command as users get it: compiled. */
function start(...args: string[]): void {
  output = "";
  read = 0;
  child = spawn(process.execPath, [path.join(PROJECT, "dist/openapi-compiler/cli.js"), "generate", ...args], {
    cwd: folder,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
}

/** Waits until something new is said, and gives what was said up to it. */
async function said(pattern: RegExp): Promise<string> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = pattern.exec(output.slice(read));
    if (found) {
      const part = output.slice(read, read + found.index + found[0].length);
      read += part.length;
      return part;
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`${pattern} was not said, but:\n${output.slice(read)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function ended(): Promise<number | null> {
  return new Promise((resolve) => child.once("close", resolve));
}

test("--watch generates after each save, says what is wrong and goes on", async () => {
  writeFileSync(at("api.yaml"), HEAD + PATHS);
  start("--spec", "api.yaml", "--out", "out", "--watch");
  await said(/Watching api\.yaml/);
  expect(await said(/added {4}out.validators\.js\n/)).toContain("Generated from api.yaml in ");
  const client = statSync(at("out/client.ts")).mtimeMs;

  // A change that no type shows: the other files stay as they are.
  save("api.yaml", HEAD.replace('"1"', '"2"') + PATHS);
  const second = await said(/Generated from api\.yaml in [\d.]+ s:\n {2}changed {2}out.manifest\.json\n.*\n/);
  expect(second).toContain("Changed: api.yaml\n");
  expect(second).toContain("out/openapi.json".replace("/", path.sep));
  expect(statSync(at("out/client.ts")).mtimeMs).toBe(client);

  // A mistake of YAML, one of OpenAPI, and a reference to a file that is not there yet.
  const good = text("out/routes.ts");
  save("api.yaml", `${HEAD}paths: [\n`);
  await said(/api\.yaml:\d+:\d+ {2}error {2}This `\[` is not closed[^]*Waiting for the next save/);
  save("api.yaml", HEAD + PATHS.replace("getA", "5"));
  await said(/api\.yaml:6:\d+ {2}error [^]*must be text, not 5[^]*Waiting for the next save/);
  save("api.yaml", HEAD + PATHS + MORE);
  await said(/api\.yaml:9:\d+ {2}error [^]*Waiting for the next save/);
  expect(text("out/routes.ts")).toBe(good);

  // It is right again without another save of the file that was wrong.
  mkdirSync(at("parts"));
  save("parts/b.yaml", B);
  expect(await said(/Generated from [^]*?types\.ts\n/)).toContain(
    `Changed: ${path.join("parts", "b.yaml")}\n`,
  );
  expect(text("out/routes.ts")).toContain("getB");

  // Referenced files are watched as well. This one is written in place.
  writeFileSync(at("parts/b.yaml"), B.replace("getB", "getBee"));
  await said(/Generated from [^]*?types\.ts\n/);
  expect(text("out/routes.ts")).toContain("getBee");

  child.kill("SIGINT");
  expect(await ended()).toBe(0);
});

test("--watch adds stubs for new operations, and its own stubs start no run", async () => {
  writeFileSync(at("api.yaml"), HEAD + PATHS);
  mkdirSync(at("adapters"));
  start("--spec", "api.yaml", "--out", "out", "--adapters", "adapters", "--watch");
  await said(/adapters.default\.ts: handler getA/);
  const first = text("adapters/default.ts");
  save("api.yaml", HEAD + PATHS + MORE.replace(/\$ref.*/, B.replaceAll("\n", "\n    ").trim()));
  await said(/adapters.default\.ts: handler getB/);
  expect(text("adapters/default.ts")).toContain("getB");
  // The next thing that happens is what the user does.
  writeFileSync(at("adapters/default.ts"), first);
  expect(await said(/adapters.default\.ts: handler getB/)).toMatch(/\nChanged: adapters\nGenerated/);
  child.kill("SIGTERM");
  expect(await ended()).toBe(0);
});

test("--watch and --check exclude each other", async () => {
  start("--check", "--watch");
  expect(await ended()).toBe(2);
  expect(output).toMatch(/^error {2}--check and --watch exclude each other/);
  expect(existsSync(at("generated"))).toBe(false);
});
