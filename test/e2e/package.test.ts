import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { publint } from "publint";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECT } from "../support/api-document.js";
import { ForeignProject } from "./foreign-project.js";

/** What is in the package besides compiled modules. */
const DATA = [
  ".github/CHANGELOG.md",
  ".github/images/docs.png",
  ".github/images/latency.svg",
  ".github/images/settings.png",
  "LICENSE",
  "README.md",
  "dist/docs.html",
  "dist/scripts/sources.sha256",
  "dist/src/web/assets/app.css",
  "dist/src/web/assets/app.js",
  "dist/src/web/assets/icon.svg",
  "generated/openapi.json",
  "package.json",
  "scripts/README.md",
];

/** The command of the toolkit, which that of the service finds by its place. */
const TOOLKIT = "dist/scripts/generate.js";

/** What is published at most, in bytes: a third more than it is now. More than that is a mistake, or a decision. */
const MOST = { packed: 1_600_000, unpacked: 6_700_000 };

let folder: string;
let tarball: string;
/** The package's files, unpacked, by path relative to its root. */
let files: string[];
const root = (): string => path.join(folder, "package");
const read = (file: string): string => readFileSync(path.join(root(), file), "utf8");

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "page-service-package-"));
  tarball = await ForeignProject.pack(folder);
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  files = readdirSync(root(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root(), path.join(entry.parentPath, entry.name)))
    .sort();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("only what runs, its types and its data are inside, and everything that those import", () => {
  const modules = files.filter((file) => !DATA.includes(file));
  expect(modules.filter((file) => !/^dist\/(src|scripts|generated)\/.*\.(js|d\.ts)$/.test(file))).toEqual([]);
  expect(files.filter((file) => /\.test\.|\.check\.|fixture|(?<!\.d)\.ts$|\.map$/.test(file))).toEqual([]);
  expect(DATA.filter((file) => !files.includes(file))).toEqual([]);

  const { used, missing } = follow(entries());
  expect(missing).toEqual([]);
  // A module that holds types alone is imported by no other once it is compiled.
  const isEmpty = (file: string): boolean => read(file).trim() === "export {};";
  // What an earlier build left is none of the package's: `npm pack` builds anew, which is left out here.
  const isLeft = (file: string): boolean => !existsSync(path.join(PROJECT, sourceOf(file)));
  const javascript = modules.filter((file) => file.endsWith(".js") && !isLeft(file));
  expect(javascript.filter((file) => !used.has(file) && !isEmpty(file))).toEqual([]);
});

test("the links and pictures of its texts are inside", () => {
  const dead = files
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) =>
        path.posix.join(path.posix.dirname(file), link),
      ),
    )
    .filter((target) => !files.includes(target));
  expect(dead).toEqual([]);
});

test("it stays small", () => {
  const unpacked = files.reduce((sum, file) => sum + statSync(path.join(root(), file)).size, 0);
  const packed = statSync(tarball).size;
  console.log(`${files.length} files, ${kilobytes(packed)} packed, ${kilobytes(unpacked)} unpacked`);
  expect(packed).toBeLessThan(MOST.packed);
  expect(unpacked).toBeLessThan(MOST.unpacked);
});

describe.each([
  ["page-service", ".", ["", "/client", "/http", "/types", "/openapi.json"]],
  ["page-service-client", "./dist/client-package", ["", "/types", "/openapi.json"]],
])("%s", (name, source, subpaths) => {
  let file: string;
  beforeAll(async () => {
    file = await ForeignProject.pack(mkdtempSync(path.join(folder, "packed-")), source);
  });

  test("publint has nothing to say", async () => {
    // A copy: publint wants a buffer that begins where the bytes do.
    const pack = { tarball: new Uint8Array(readFileSync(file)).buffer };
    expect((await publint({ pack, strict: true })).messages).toEqual([]);
  });

  test("arethetypeswrong finds the types of every entry, for modules", () => {
    const manifest = createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json");
    const command = path.join(path.dirname(manifest), "dist/index.js");
    const args = [command, file, "--profile", "esm-only", "--no-emoji", "--no-color", "--format", "ascii"];
    const text = execFileSync(process.execPath, args, { encoding: "utf8" });
    for (const subpath of subpaths) expect(text).toContain(`"${name}${subpath}"`);
  });
});

/** What a module was compiled from; validators are JavaScript already. */
function sourceOf(file: string): string {
  const source = file.replace(/^dist\//, "");
  return source === "generated/validators.js" ? source : source.replace(/\.js$/, ".ts");
}

/** What package.json names, and the toolkit. */
function entries(): string[] {
  // The cast: that is what our package.json holds.
  const { bin, exports } = JSON.parse(read("package.json")) as {
    bin: Record<string, string>;
    exports: Record<string, string | Record<string, string>>;
  };
  const named = [...Object.values(bin), ...Object.values(exports)].flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  );
  return [...named.map((file) => path.posix.normalize(file)), TOOLKIT];
}

/** All that is reached from some files by imports inside of the package, and the imports that lead nowhere. */
function follow(from: string[]): { used: Set<string>; missing: string[] } {
  const used = new Set<string>();
  const missing: string[] = [];
  const visit = (file: string, by: string): void => {
    if (used.has(file)) return;
    if (!existsSync(path.join(root(), file))) return void missing.push(`${file}, imported by ${by}`);
    used.add(file);
    if (/\.(js|ts)$/.test(file)) for (const target of importsOf(file)) visit(target, file);
  };
  for (const file of from) visit(file, "package.json");
  return { used, missing };
}

function importsOf(file: string): string[] {
  const text = read(file);
  const names = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  // The compiler's quick look does not see `export * as name from`.
  for (const [, name = ""] of text.matchAll(/^export \* as \w+ from "(.*?)";$/gm)) names.push(name);
  for (const [, name = ""] of text.matchAll(/new Worker\(new URL\("(.*?)"/g)) names.push(`./${name}`);
  return names
    .filter((name) => name.startsWith("."))
    .map((name) => path.posix.join(path.posix.dirname(file), name))
    .map((target) => (file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target));
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000).toLocaleString("en")} kB`;
}
