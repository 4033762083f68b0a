import {
  cpSync,
  existsSync,
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
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECT } from "../../support/api-document.js";
import { runGenerate } from "./run-command.js";

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "page-service-drift-")));
afterAll(() => rmSync(folder, { recursive: true }));

function read(file: string): string {
  return readFileSync(path.join(folder, file), "utf8");
}

function write(file: string, text: string): void {
  writeFileSync(path.join(folder, file), text);
}

/** Runs the built command in a project with the default layout. */
async function generate(...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await runGenerate(folder, args);
  return { code, text: stdout + stderr };
}

/** Returns every file of the project with its inode, modification time and text. */
function readSnapshot(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => ({ file, stats: statSync(path.join(folder, file), { bigint: true }) }))
      .filter(({ stats }) => stats.isFile())
      .map(({ file, stats }) => [file, `${stats.mtimeNs} ${stats.ino} ${read(file)}`]),
  );
}

beforeAll(async () => {
  cpSync(path.join(PROJECT, "test/fixtures/orchard"), path.join(folder, "spec"), { recursive: true });
  expect(await generate()).toMatchObject({ code: 0 });
});

describe("generated files that differ from the document", () => {
  test("a run without changes writes nothing", async () => {
    const before = readSnapshot();
    const { code, text } = await generate();
    expect(code, text).toBe(0);
    expect(text).toContain("Nothing to do");
    expect(readSnapshot()).toEqual(before);
  });

  test("a comment in the document changes only the manifest", async () => {
    const file = "spec/resources/trees/tree.yml";
    const before = readSnapshot();
    const text = read(file);
    write(file, `${text}\n# A comment.\n`);
    expect(await generate("--check")).toMatchObject({ code: 1 });
    const outcome = await generate();
    expect(outcome.text.match(/^ {2}(added|changed|removed) .*$/gm)).toEqual([
      "  changed  generated/manifest.json",
    ]);
    const after = readSnapshot();
    const written = Object.keys(after).filter((each) => after[each] !== before[each]);
    expect(written.sort()).toEqual(["generated/manifest.json", file]);
    write(file, text);
    expect(await generate()).toMatchObject({ code: 0 });
  });

  test("an edited file is reported and restored", async () => {
    const file = "generated/validators.js";
    const before = read(file);
    write(file, before.replace("tree", "bush"));
    expect(await generate("--check")).toEqual({
      code: 1,
      text: expect.stringContaining(
        `Out of date with spec/openapi.yaml:\n  changed  ${file}\nRun: npx openapi-compiler generate\n`,
      ),
    });
    expect(read(file)).not.toBe(before);
    expect(await generate()).toMatchObject({ code: 0 });
    expect(read(file)).toBe(before);
  });

  test("files with Windows line ends are up to date, also without a manifest", async () => {
    const files = readdirSync(path.join(folder, "generated")).map((name) => `generated/${name}`);
    const before = readSnapshot();
    for (const file of files) write(file, read(file).replaceAll("\n", "\r\n"));
    const converted = readSnapshot();
    expect(await generate("--check")).toMatchObject({ code: 0 });
    expect(await generate()).toMatchObject({ code: 0, text: expect.stringContaining("Nothing to do") });
    expect(readSnapshot()).toEqual(converted);
    rmSync(path.join(folder, "generated/manifest.json"));
    expect((await generate("--check")).text).toContain(
      "Out of date with spec/openapi.yaml:\n  added    generated/manifest.json\nRun:",
    );
    for (const file of files) write(file, (before[file] ?? "").replace(/^\d+ \d+ /, ""));
    expect(await generate("--check")).toMatchObject({ code: 0 });
  });

  test("a deleted file is reported and restored", async () => {
    const file = "generated/client.ts";
    const before = read(file);
    rmSync(path.join(folder, file));
    const check = await generate("--check");
    expect(check).toMatchObject({ code: 1, text: expect.stringContaining(`added    ${file}\nRun:`) });
    expect(existsSync(path.join(folder, file))).toBe(false);
    expect(await generate()).toMatchObject({ code: 0 });
    expect(read(file)).toBe(before);
  });

  test.each([
    ["a deleted manifest", undefined],
    ["a manifest with a merge conflict", "<<<<<<< HEAD\n"],
  ])("%s is reported, and restored after it is deleted", async (_, text) => {
    const file = "generated/manifest.json";
    const before = read(file);
    if (text === undefined) rmSync(path.join(folder, file));
    else write(file, text);
    expect((await generate("--check")).code).not.toBe(0);
    if (text !== undefined) rmSync(path.join(folder, file));
    expect(await generate()).toMatchObject({ code: 0 });
    expect(read(file)).toBe(before);
  });
});
