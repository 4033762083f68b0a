import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiDocument, PROJECT } from "../../support/api-document.js";
import { Schemas } from "../../support/schemas.js";
import { type RunningService, startService } from "../../support/service.js";
import { configurationVariables } from "../../support/configuration.js";
import { Programs, run } from "./programs.js";
import { guides, type Snippet, snippets } from "./snippets.js";
import { createWorld } from "./world.js";
import { NO_CURL } from "../../support/curl.js";
import { missingProgram, testUnless } from "../../support/requirements.js";

const document = ApiDocument.committed();
const schemas = new Schemas(document);
const programs = new Programs("guides");
const data = mkdtempSync(path.join(tmpdir(), "page-service-guides-"));

const NO_PYTHON = missingProgram(
  spawnSync("python3", ["--version"]).status === 0,
  "Python is not installed (apt-get install python3)",
);

let running: RunningService;
beforeAll(async () => {
  running = await startService();
});
afterAll(async () => {
  programs.remove();
  rmSync(data, { recursive: true, force: true });
  await running.service.close();
});

function filterByLanguage(language: string): (readonly [string, Snippet])[] {
  return snippets
    .filter((snippet) => snippet.language === language)
    .map((snippet) => [`${snippet.guide}-${snippet.line}`, snippet] as const);
}

/** Creates a complete program from a snippet, with the client of the introduction. */
function createProgram({ code }: Snippet): string {
  const setup = Object(document.root)["x-client-setup"] as unknown;
  return code.includes("createClient(")
    ? code
    : `${String(setup).replace("{server}", "http://localhost:3000")}\n${code}\nexport {};\n`;
}

test("all code in the guides is in a language that these tests run", () => {
  const kinds = new Set(snippets.map(({ language }) => language));
  expect([...kinds].sort()).toEqual(["console", "ini", "json", "nginx", "python", "sh", "ts"]);
});

testUnless(NO_CURL).each(filterByLanguage("sh"))("%s runs", async (_, { code }) => {
  const world = await createWorld(running, "pages");
  const env = { API_KEY: world.key, DATABASE_ID: world.databaseId, DATA_DIR: data };
  const command = world
    .adapt(code)
    .replace(/\bcurl /g, "curl --silent --show-error --fail-with-body ")
    // Replaces npx, which would first build the package while other tests use it.
    .replaceAll("npx page-service ", "node dist/src/cli.js ");
  const { code: exit, stdout, stderr } = await run("sh", ["-e", "-c", command], { env });
  expect(exit, stdout + stderr).toBe(0);
  expect(stdout).not.toBe("");
});

testUnless(NO_PYTHON).each(filterByLanguage("python"))("%s runs", async (_, { code }) => {
  const world = await createWorld(running, "pages");
  const env = { API_KEY: world.key, DATABASE_ID: world.databaseId };
  expect(await run("python3", ["-c", world.adapt(code)], { env })).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^[\da-f-]{36}\n$/),
    stderr: "",
  });
});

test("the programs compile", () => {
  const texts = new Map(filterByLanguage("ts").map(([name, snippet]) => [name, createProgram(snippet)]));
  expect(programs.check(texts)).toEqual([]);
});

test.each(filterByLanguage("ts"))("%s runs", async (name, snippet) => {
  const world = await createWorld(running, "pages");
  const env = { API_KEY: world.key, DATABASE_ID: world.databaseId };
  const { code, stderr } = await programs.run(name, world.adapt(createProgram(snippet)), env);
  expect([code, stderr]).toEqual([0, ""]);
});

test.each(filterByLanguage("json"))("%s fits its schema", (_, { code, note }) => {
  const [, kind, operationId, status] = /^(body|answer): (\w+) ?(\d+)?$/.exec(note ?? "") ?? [];
  const operation = document.operations().find(({ id }) => id === operationId);
  const response = operation?.responses.find((found) => found.status === status);
  const content = (kind === "body" ? operation?.body : response?.content)?.[0];
  if (!content) throw new Error("The comment before it must name the body or an answer of an operation.");
  expect(schemas.problems(content.schema, JSON.parse(code))).toEqual([]);
});

test.each([...filterByLanguage("console"), ...filterByLanguage("ini")])(
  "%s has existing commands and variables",
  async (_, { code }) => {
    // Except NODE_OPTIONS and variables of OpenTelemetry, which are not part of the configuration.
    const own = code.matchAll(/\b(?!NODE_|OTEL_)([A-Z_]{4,})=/g);
    for (const [, variable] of own) expect(configurationVariables()).toContain(variable);
    const { stdout, stderr } = await run(process.execPath, ["dist/src/cli.js", "help"]);
    for (const [, command] of code.matchAll(/npx page-service (\w+)/g)) {
      expect(stdout + stderr).toMatch(new RegExp(`^ +${command}\\b`, "m"));
    }
  },
);

test("the unit of systemd runs the program without npx, which needs a home folder and stays in memory", () => {
  // Safe cast: package.json has this member.
  const { bin } = JSON.parse(readFileSync(path.join(PROJECT, "package.json"), "utf8")) as {
    bin: Record<string, string>;
  };
  const unit = snippets.find(({ language }) => language === "ini");
  expect(unit?.code).toContain(`\nExecStart=/usr/bin/node ${bin["page-service"]} serve\n`);
});

test("the guide for operators lists every variable of the configuration", () => {
  const table = [...(guides.get("running") ?? "").matchAll(/^\| (`[A-Z_`, ]+) \|/gm)].map(([, cell]) => cell);
  const named = table.flatMap((cell) => cell?.match(/[A-Z_]+/g) ?? []);
  expect(named.sort()).toEqual(configurationVariables());
});

test("links between chapters of the docs lead to a chapter or one of its headings", () => {
  // As Redoc forms addresses.
  const toSlug = (heading: string): string => heading.toLowerCase().replaceAll(" ", "-");
  const root = Object(document.root) as { tags: { name: string; description: string }[] };
  const addresses = new Set(
    root.tags.flatMap(({ name, description }) => [
      toSlug(name),
      ...[...description.matchAll(/^## (.*)$/gm)].map(
        ([, heading = ""]) => `${toSlug(name)}/${toSlug(heading)}`,
      ),
    ]),
  );
  const links = [...JSON.stringify(root).matchAll(/\]\(#\/([^)]*)\)/g)].map(([, address = ""]) => address);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((address) => !addresses.has(address))).toEqual([]);
});

test("each guide is a chapter of the docs", () => {
  const texts = JSON.stringify(document.root);
  for (const [guide, text] of guides) expect(texts.includes(JSON.stringify(text)), guide).toBe(true);
});
