import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { PROJECT } from "../../support/api-document.js";

const CHANGELOG = ".github/CHANGELOG.md";
const FIRST = "# Changelog\n\n## [0.1.0] - unreleased\n\n### Added\n\n- Lists of pages.\n";
const DOCUMENT = `openapi: 3.1.0
info: { title: t, version: "1" }
paths:
  /pages:
    get:
      operationId: listPages
      responses:
        "200": { description: The pages. }
        "404": { description: There are none. }
`;
const MANIFEST = {
  name: "scratch",
  version: "0.1.0",
  files: ["spec", CHANGELOG],
  scripts: { check: "node check.cjs", prepack: "node -e 0", prepare: "node -e 0" },
};

/** A git repository with only the files that a release reads. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "release-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [".github", "spec"]) mkdirSync(path.join(folder, name));
  write(CHANGELOG, FIRST);
  write("spec/openapi.yaml", DOCUMENT);
  write("package.json", JSON.stringify(MANIFEST));
  write(
    "package-lock.json",
    JSON.stringify({ name: "scratch", version: "0.1.0", lockfileVersion: 3, packages: {} }),
  );
  write("check.cjs", "");
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "t");
  git("config", "user.email", "t@example.org");
  commit();
});

function read(file: string): string {
  return readFileSync(path.join(folder, file), "utf8");
}

function write(file: string, text: string): void {
  writeFileSync(path.join(folder, file), text);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

function commit(): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", "An edit");
}

/** Leaves the repository as the first release does, without running it. */
function releaseFirst(): void {
  write(CHANGELOG, FIRST.replace("unreleased", "2026-01-31"));
  commit();
  git("tag", "--annotate", "--message", "0.1.0", "v0.1.0");
}

/** Adds an entry to the changelog. */
function addEntry(version: string): void {
  write(CHANGELOG, read(CHANGELOG).replace("## [", `## [${version}] - unreleased\n\n- More.\n\n## [`));
}

function release(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const all = [path.join(PROJECT, "dist/scripts/project/release/command.js"), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

test("the first release: a dry run changes nothing, and a run creates a commit and a tag", async () => {
  const head = git("rev-parse", "HEAD");
  const dry = await release("--dry-run");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toMatch(/^Release 0\.1\.0, the first\n/);
  expect(dry.stdout).toContain("tag      v0.1.0\n");
  expect(dry.stdout).toMatch(/ \d+B spec\/openapi\.yaml\n/);
  expect(dry.stdout).toMatch(/ total files: 3\n/);
  expect(dry.stdout).toMatch(/this was a dry run\.\n$/);
  expect([git("rev-parse", "HEAD"), git("tag"), git("status", "--porcelain")]).toEqual([head, "", ""]);

  const { code, stdout, stderr } = await release();
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("\n  git push --follow-tags\n  npm publish .\n\n");
  expect(git("log", "-1", "--format=%s", "v0.1.0")).toBe("Release 0.1.0\n");
  expect(git("rev-parse", "v0.1.0^{commit}")).toBe(git("rev-parse", "HEAD"));
  expect(git("cat-file", "-t", "v0.1.0")).toBe("tag\n");
  expect(git("diff", "--name-only", "HEAD~1").trim().split("\n")).toContain(CHANGELOG);
  expect(git("status", "--porcelain")).toBe("");
  expect(read(CHANGELOG)).toMatch(/^## \[0\.1\.0\] - \d{4}-\d{2}-\d{2}$/m);

  expect(await release("--dry-run")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `${CHANGELOG}:3: 0.1.0 is released already: begin with an entry "## [NEXT] - unreleased"`,
    ),
  });
});

test("a breaking change of the API requires more than a patch version", async () => {
  releaseFirst();
  write("spec/openapi.yaml", DOCUMENT.replace(/ {8}"404".*\n/, ""));
  addEntry("0.1.1");
  commit();
  const head = git("rev-parse", "HEAD");
  expect(await release()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("changes since 0.1.0 are rated: major"),
    stderr: expect.stringContaining(
      "rated major and need a minor release, 0.1.1 is a patch one: see npm run spec:diff -- v0.1.0:spec/openapi.yaml",
    ),
  });
  expect([git("rev-parse", "HEAD"), git("tag")]).toEqual([head, "v0.1.0\n"]);

  write(CHANGELOG, read(CHANGELOG).replace("0.1.1", "0.2.0"));
  commit();
  const { code, stderr } = await release();
  expect(code, stderr).toBe(0);
  expect(git("tag")).toBe("v0.1.0\nv0.2.0\n");
  for (const file of ["package.json", "package-lock.json"])
    expect(JSON.parse(read(file))).toMatchObject({ version: "0.2.0" });
});

test("reports all problems at once and changes nothing", async () => {
  releaseFirst();
  addEntry("0.0.9");
  write(CHANGELOG, read(CHANGELOG).replace("- More.\n", ""));
  write("package.json", JSON.stringify({ ...MANIFEST, version: "0.3.0" }));
  write("check.cjs", 'console.log("A line is too long."); process.exit(1)');
  const { code, stderr } = await release();
  expect(code).toBe(1);
  expect(stderr.trim().split("\n").slice(1)).toEqual([
    expect.stringMatching(/^ {2}uncommitted changes: .*CHANGELOG\.md, .*check\.cjs/),
    `  ${CHANGELOG}:3: the entry is empty`,
    "  package.json has version 0.3.0, which is neither 0.0.9 nor the last release",
    "  0.0.9 is not newer than the last release, 0.1.0",
    "  `npm run check` fails: A line is too long.",
  ]);
  expect(git("tag")).toBe("v0.1.0\n");
});

test("reports a wrong argument and a folder without git without a stack trace", async () => {
  expect(await release("--force")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error {2}Unknown option '--force'.*\n$/),
  });
  rmSync(path.join(folder, ".git"), { recursive: true });
  const { code, stderr } = await release("--dry-run");
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error {2}git status failed: .*\n$/);
});
