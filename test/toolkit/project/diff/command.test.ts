import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECT } from "../../../support/api-document.js";

const ROOT = `openapi: 3.1.0
info: { title: t, version: "1" }
paths:
  /pages: { $ref: pages.yaml }
`;
const PAGES = `get:
  operationId: listPages
  responses:
    "200": { description: The pages. }
    "404": { description: There are none. }
`;

let folder: string;
/** Folder for temporary files of this test's commands, because other tests compare documents at the same time. */
let temporary: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "spec-diff-test-")));
  temporary = path.join(folder, "temporary");
  mkdirSync(temporary);
  mkdirSync(path.join(folder, "spec"));
  write("spec/openapi.yaml", ROOT);
  write("spec/pages.yaml", PAGES);
  write("other.yaml", ROOT.replace("{ $ref: pages.yaml }", "{}"));
  runGit("init", "--quiet", "--initial-branch", "main");
  runGit("add", ".");
  runGit("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "--message", "One");
  write("spec/pages.yaml", PAGES.replace("The pages.", "All of them.").replace(/ {4}"404".*\n/, ""));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(path.join(folder, file), text);
}

function runGit(...args: string[]): void {
  execFileSync("git", args, { cwd: folder, stdio: "pipe" });
}

function runCommand(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const all = [path.join(PROJECT, "dist/scripts/project/diff/command.js"), ...args];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      all,
      // With Node 22 and newer, Redocly would keep compiled modules in the folder for temporary files.
      { cwd: folder, env: { ...process.env, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: "1" } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });
}

test("compares a revision of a document in several files with the current file", async () => {
  expect(await runCommand("main:spec/openapi.yaml", "spec/openapi.yaml")).toEqual({
    code: 0,
    stderr: "",
    stdout: `major  GET /pages: Response "404" was removed.  (responses › 404)
       main:spec/pages.yaml:5:5 of the old document
patch  GET /pages: modified  (responses › 200 › description)
       spec/pages.yaml:4:14

1 major, 0 minor, 1 patch
major
`,
  });
  expect(readdirSync(temporary)).toEqual([]);
});

test("two equal documents have no changes", async () => {
  expect(await runCommand("spec/openapi.yaml", "spec/openapi.yaml")).toEqual({
    code: 0,
    stdout: "no changes\nnone\n",
    stderr: "",
  });
});

describe("a mistake exits with 2 and a message of one line", () => {
  test.each<[args: string[], says: string | RegExp]>([
    [[], "error  expected two documents, got 0: npm run spec:diff -- OLD NEW\n"],
    [["other.yaml"], "error  expected two documents, got 1: npm run spec:diff -- OLD NEW\n"],
    [["--nope", "a", "b"], /^error {2}Unknown option '--nope'/],
    [["none.yaml", "other.yaml"], /^error {2}none\.yaml does not exist\. Give a file, or REVISION:PATH/],
    [["nope:other.yaml", "other.yaml"], /^error {2}there is no revision "nope" in this git repository/],
    [["--", "--all:other.yaml", "other.yaml"], /^error {2}there is no revision "--all" in this git/],
    [["main:none.yaml", "other.yaml"], /^error {2}main has no none\.yaml\. Give the path/],
    [
      ["main:spec/pages.yaml", "main:spec/openapi.yaml"],
      /^main:spec\/pages\.yaml:1:1 {2}error {2}The field `openapi` is missing/,
    ],
  ])("%j", async (args, says) => {
    const { code, stdout, stderr } = await runCommand(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    if (typeof says === "string") expect(stderr).toBe(says);
    else expect(stderr).toMatch(says);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
