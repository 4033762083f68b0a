import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type * as Threads from "../../scripts/threads/threads.js";
import { generate } from "../../scripts/pipeline.js";
import { generatorHash } from "../../scripts/write/generator-hash.js";
import { PROJECT } from "../support/api-document.js";

/** The command as users get it: compiled, with its thread. */
const COMMAND = path.join(PROJECT, "dist/scripts/generate.js");
const SHAPES = path.join(PROJECT, "test/fixtures/generate/shapes.yaml");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "page-service-threads-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** A document with one operation, whose body has the schema. */
function documentWith(schema: object, extra: object = {}): string {
  const operation = {
    operationId: "send",
    requestBody: { content: { "application/json": { schema } } },
    responses: { "204": { description: "Done." } },
  };
  const info = { title: "t", version: "1" };
  return JSON.stringify({ openapi: "3.1.0", info, paths: { "/a": { post: operation } }, ...extra });
}

test.each([SHAPES, path.join(PROJECT, "spec/openapi.yaml")])(
  "in threads it gives the same bytes as without: %s",
  { timeout: 60_000 },
  async (spec) => {
    const out = path.join(folder, "out");
    expect(await command("--spec", spec, "--out", out)).toMatchObject({ code: 0 });
    const { files } = await generate(spec, out, await generatorHash());
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      expect(readFileSync(path.join(out, file.path), "utf8"), file.path).toBe(file.content);
    }
  },
);

test("what an emitter finds in its thread has its place in the document, and nothing is written", async () => {
  writeFileSync(path.join(folder, "a.json"), documentWith({ type: "string", pattern: "(" }));
  const { code, stdout, stderr } = await command("--spec", "a.json", "--out", "out");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(
    /^a\.json:1:\d+ {2}error {2}.*regular expression.* {2}at #\/paths\/~1a\/post\/.*\n$/,
  );
  expect(existsSync(path.join(folder, "out"))).toBe(false);
});

test("what lint finds beside the threads comes first, whatever the emitters make of the document", async () => {
  const broken = documentWith(
    { type: "string", pattern: "(" },
    { components: { schemas: { A: { type: 5 } } } },
  );
  writeFileSync(path.join(folder, "a.json"), broken);
  const { code, stdout, stderr } = await command("--spec", "a.json", "--out", "out");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(
    /^a\.json:1:\d+ {2}error {2}[^\n]*\(struct\) {2}at #\/components\/schemas\/A\/type\n$/,
  );
  expect(existsSync(path.join(folder, "out"))).toBe(false);
});

test("a thread that fails fails the run, and one that is closed ends", async () => {
  // Compiled: from source there are no threads.
  const module: unknown = await import(path.join(PROJECT, "dist/scripts/threads/threads.js"));
  const { startThreads } = module as typeof Threads;
  const threads = startThreads();
  // The cast: what no model is. What is done beside the thread takes it.
  const api = { groups: [], webhooks: [], directed: null, document: {} } as unknown;
  await expect(threads.emit(api as Parameters<typeof threads.emit>[0])).rejects.toThrow(TypeError);
  await threads.close();
});
