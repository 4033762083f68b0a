import { createHash } from "node:crypto";
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GeneratedFile } from "../../scripts/model/model.js";
import { formatFiles } from "../../scripts/write/format.js";
import { generatorHash } from "../../scripts/write/generator-hash.js";
import { sha256OfSource } from "../../scripts/write/hash.js";
import { buildManifest, isUpToDate, readManifest } from "../../scripts/write/manifest.js";
import { applyWrites, planWrites } from "../../scripts/write/output.js";

const GENERATOR = "a".repeat(64);

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "write-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** A project with an input beside the output folder. */
async function newProject(): Promise<{ outDir: string; input: string }> {
  const folder = await newFolder();
  const input = path.join(folder, "spec", "openapi.yaml");
  await mkdir(path.dirname(input));
  await writeFile(input, "openapi: 3.1.0\n");
  return { outDir: path.join(folder, "out"), input };
}

async function hashed(input: string): Promise<Map<string, string>> {
  return new Map([[input, sha256OfSource(await readFile(input, "utf8"))]]);
}

async function generate(outDir: string, input: string, outputs: GeneratedFile[]) {
  const files = [...outputs, buildManifest(outDir, GENERATOR, await hashed(input), outputs)];
  const plan = await planWrites(outDir, files);
  await applyWrites(outDir, files, plan);
  return plan;
}

describe("formatting", () => {
  it("formats by extension and ignores configuration on the disk and embedded code", async () => {
    const files = await formatFiles([
      { path: "a.ts", content: "const a = {b:1}" },
      { path: "c.js", content: "const q = sql`select   1`; const h = html`<a   b>`" },
      { path: "d.txt", content: "a  b" },
    ]);
    expect(files.map((file) => file.content)).toEqual([
      "const a = { b: 1 };\n",
      "const q = sql`select   1`;\nconst h = html`<a   b>`;\n",
      "a  b",
    ]);
  });

  it("names the file that does not parse", async () => {
    await expect(formatFiles([{ path: "broken.ts", content: "const = 1" }])).rejects.toThrow("broken.ts");
  });

  it("has the project's own print width", async () => {
    const config: unknown = JSON.parse(
      await readFile(new URL("../../.prettierrc.json", import.meta.url), "utf8"),
    );
    expect(config).toMatchObject({ printWidth: 110 });
    const linesFor = async (width: number) => {
      const text = `const a = [${"b".repeat(width - 13)}];`;
      const [file] = await formatFiles([{ path: "a.ts", content: text }]);
      return file?.content.trimEnd().split("\n").length;
    };
    expect([await linesFor(110), await linesFor(111)]).toEqual([1, 3]);
  });
});

describe("writing", () => {
  it("adds, changes, keeps and removes, and touches nothing that stays the same", async () => {
    const { outDir, input } = await newProject();
    const first = await generate(outDir, input, [
      { path: "a.ts", content: "1\n" },
      { path: "b.ts", content: "1\n" },
      { path: "sub/c.ts", content: "1\n" },
    ]);
    expect(first).toEqual({
      added: ["a.ts", "b.ts", "manifest.json", "sub/c.ts"],
      changed: [],
      unchanged: [],
      stale: [],
    });
    const long = new Date("2001-01-01");
    await utimes(path.join(outDir, "a.ts"), long, long);
    const second = await generate(outDir, input, [
      { path: "a.ts", content: "1\n" },
      { path: "b.ts", content: "2\n" },
      { path: "d.ts", content: "1\n" },
    ]);
    expect(second).toEqual({
      added: ["d.ts"],
      changed: ["b.ts", "manifest.json"],
      unchanged: ["a.ts"],
      stale: ["sub/c.ts"],
    });
    expect((await stat(path.join(outDir, "a.ts"))).mtime).toEqual(long);
    expect(await readFile(path.join(outDir, "b.ts"), "utf8")).toBe("2\n");
    expect((await readdir(outDir)).sort()).toEqual(["a.ts", "b.ts", "d.ts", "manifest.json", "sub"]);
    expect(await readdir(path.join(outDir, "sub"))).toEqual([]);
  });

  it.each([
    "../a.ts",
    "/a.ts",
    "a/../b.ts",
    "a/b/c.ts",
    "A.ts",
    "a\\b.ts",
    ".env",
    "a..b.ts",
    "a.ts.",
    "con.ts",
    "",
    "a//b.ts",
    "a\n.ts",
    "é.ts",
  ])("refuses the path %j, in the plan and at the sink", async (file) => {
    const outDir = await newFolder();
    const files = [{ path: file, content: "1" }];
    await expect(planWrites(outDir, files)).rejects.toThrow("is not allowed");
    const plan = { added: [file], changed: [], unchanged: [], stale: [] };
    await expect(applyWrites(outDir, files, plan)).rejects.toThrow("is not allowed");
    await expect(applyWrites(outDir, [], { ...plan, added: [], stale: [file] })).rejects.toThrow(
      "is not allowed",
    );
    expect(await readdir(outDir)).toEqual([]);
  });

  it("refuses two outputs with one path", async () => {
    const files = [1, 2].map((n) => ({ path: "a.ts", content: String(n) }));
    await expect(planWrites(await newFolder(), files)).rejects.toThrow("Two outputs");
  });

  it("overwrites no file that is not ours, but one with our banner", async () => {
    const { outDir, input } = await newProject();
    await mkdir(outDir);
    const file = path.join(outDir, "a.ts");
    await writeFile(file, "// mine\n// Generated by page-service generate\n");
    const outputs = [{ path: "a.ts", content: "1\n" }];
    await expect(generate(outDir, input, outputs)).rejects.toThrow(/a\.ts was not generated.*another --out/);
    await writeFile(file, "// Generated by page-service generate. Do not edit.\n");
    expect((await generate(outDir, input, outputs)).changed).toEqual(["a.ts"]);

    await writeFile(path.join(outDir, "b.ts"), "// Generated by page-service generate\nmine\n");
    const more = [...outputs, { path: "b.ts", content: "1\n" }];
    await expect(generate(outDir, input, more)).rejects.toThrow("b.ts was not generated");
  });

  it("overwrites no manifest.json of somebody else", async () => {
    const { outDir, input } = await newProject();
    await mkdir(outDir);
    await writeFile(path.join(outDir, "manifest.json"), '{"name": "my app"}');
    await expect(generate(outDir, input, [])).rejects.toThrow("manifest.json was not generated");
  });

  it("replaces a linked file instead of writing through it, and refuses a linked sub folder", async () => {
    const { outDir, input } = await newProject();
    const elsewhere = await newFolder();
    const outputs = [
      { path: "a.ts", content: "1\n" },
      { path: "sub/b.ts", content: "1\n" },
    ];
    await generate(outDir, input, outputs);
    const victim = path.join(elsewhere, "victim");
    await writeFile(victim, "keep");
    await rm(path.join(outDir, "a.ts"));
    await symlink(victim, path.join(outDir, "a.ts"));
    await generate(outDir, input, outputs);
    expect(await readFile(victim, "utf8")).toBe("keep");
    expect((await lstat(path.join(outDir, "a.ts"))).isSymbolicLink()).toBe(false);

    await writeFile(path.join(elsewhere, "b.ts"), "keep");
    await rm(path.join(outDir, "sub"), { recursive: true });
    await symlink(elsewhere, path.join(outDir, "sub"));
    await expect(generate(outDir, input, outputs)).rejects.toThrow("is a link");
    await expect(generate(outDir, input, outputs.slice(0, 1))).rejects.toThrow("is a link");
    expect(await readFile(path.join(elsewhere, "b.ts"), "utf8")).toBe("keep");
  });

  it("leaves everything as it was when one file cannot be written", async () => {
    const { outDir, input } = await newProject();
    await generate(outDir, input, [{ path: "a.ts", content: "1\n" }]);
    const before = await readdir(outDir);
    const files = [
      { path: "a.ts", content: "2\n" },
      { path: "sub/b.ts", content: "2\n" },
    ];
    const plan = await planWrites(outDir, files);
    await writeFile(path.join(outDir, "sub"), "in the way");
    await expect(applyWrites(outDir, files, plan)).rejects.toThrow("is not a folder");
    expect(await readFile(path.join(outDir, "a.ts"), "utf8")).toBe("1\n");
    expect(await readdir(outDir)).toEqual([...before, "sub"].sort());
  });
});

describe("the manifest", () => {
  it("has the same bytes in any place, and sorted keys", async () => {
    const one = await newProject();
    const two = await newProject();
    await writeFile(two.input, "openapi: 3.1.0\r\n");
    const outputs = [
      { path: "b.ts", content: "b" },
      { path: "a.ts", content: "a" },
    ];
    const manifest = buildManifest(one.outDir, GENERATOR, await hashed(one.input), outputs);
    const reversed = [...outputs].reverse();
    expect(buildManifest(two.outDir, GENERATOR, await hashed(two.input), reversed)).toEqual(manifest);
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    expect(manifest.content).toBe(
      `${JSON.stringify({ generator: GENERATOR, inputs: { "../spec/openapi.yaml": hash("openapi: 3.1.0\n") }, outputs: { "a.ts": hash("a"), "b.ts": hash("b") } }, null, 2)}\n`,
    );
  });

  it("tells when nothing would change, and when something would", async () => {
    const { outDir, input } = await newProject();
    expect(await isUpToDate(outDir, GENERATOR)).toBe(false);
    await generate(outDir, input, [{ path: "a.ts", content: "1\n" }]);
    expect(await isUpToDate(outDir, GENERATOR)).toBe(true);
    expect(await isUpToDate(outDir, GENERATOR, input)).toBe(true);
    expect(await isUpToDate(outDir, GENERATOR, `${input}.other`)).toBe(false);
    expect(await isUpToDate(outDir, "b".repeat(64))).toBe(false);
    await writeFile(input, "openapi: 3.1.1\n");
    expect(await isUpToDate(outDir, GENERATOR)).toBe(false);
    await writeFile(input, "openapi: 3.1.0\n");
    await writeFile(path.join(outDir, "a.ts"), "2\n");
    expect(await isUpToDate(outDir, GENERATOR)).toBe(false);
    await rm(path.join(outDir, "a.ts"));
    expect(await isUpToDate(outDir, GENERATOR)).toBe(false);
  });

  it.each([
    "not json",
    "[]",
    JSON.stringify({ generator: GENERATOR, inputs: {}, outputs: {} }),
    JSON.stringify({
      generator: GENERATOR,
      inputs: { a: GENERATOR },
      outputs: { "../victim.ts": GENERATOR },
    }),
    JSON.stringify({ generator: GENERATOR, inputs: { a: GENERATOR }, outputs: { "/victim.ts": GENERATOR } }),
    JSON.stringify({ generator: GENERATOR, inputs: { a: GENERATOR }, outputs: { "a.ts": 1 } }),
  ])("is not believed when it reads %j", async (text) => {
    const folder = await newFolder();
    const outDir = path.join(folder, "out");
    await mkdir(outDir);
    await writeFile(path.join(folder, "victim.ts"), "keep");
    await writeFile(path.join(outDir, "manifest.json"), text);
    expect(await readManifest(outDir)).toBeUndefined();
    expect((await planWrites(outDir, [])).stale).toEqual([]);
    expect(await exists(path.join(folder, "victim.ts"))).toBe(true);
  });
});

describe("the generator's hash", () => {
  it("changes with a source, not with line ends or other files", async () => {
    const folder = path.join(await newFolder(), "scripts");
    const modules = new URL("../../node_modules", import.meta.url).pathname;
    await mkdir(folder);
    await symlink(modules, path.join(path.dirname(folder), "node_modules"));
    await writeFile(path.join(folder, "a.ts"), "1\n2\n");
    const before = await generatorHash(folder);
    await writeFile(path.join(folder, "a.ts"), "1\r\n2\r\n");
    await writeFile(path.join(folder, "notes.md"), "x");
    expect(await generatorHash(folder)).toBe(before);
    const copy = path.join(path.dirname(folder), "copy");
    await cp(folder, copy, { recursive: true });
    expect(await generatorHash(copy)).toBe(before);
    await writeFile(path.join(folder, "a.ts"), "1\n3\n");
    expect(await generatorHash(folder)).not.toBe(before);
    expect(await generatorHash()).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is that of its sources when it is run compiled", async () => {
    const compiled = new URL("../../dist/scripts/", import.meta.url).pathname;
    expect(await generatorHash(compiled)).toBe(await generatorHash());
  });
});
