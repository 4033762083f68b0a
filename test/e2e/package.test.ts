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

interface Published {
  name: string;
  /** Folder that is packed. */
  source: string;
  /** Exports with types, without the name of the package. */
  subpaths: readonly string[];
  /** Files besides compiled modules. */
  data: readonly string[];
  /** Size limits in bytes. Raise them only on purpose. They leave room for other versions of zlib, which compress differently. */
  most: { packed: number; unpacked: number };
}

const PACKAGES: readonly Published[] = [
  {
    name: "page-service",
    source: ".",
    subpaths: ["", "/client", "/types", "/openapi.json"],
    data: [
      ".github/CHANGELOG.md",
      ".github/images/docs.png",
      ".github/images/latency.svg",
      ".github/images/settings.png",
      "LICENSE",
      "README.md",
      "dist/docs.html",
      "dist/src/access/accounts/common-passwords.txt",
      "dist/src/web/assets/app.css",
      "dist/src/web/assets/app.js",
      "dist/src/web/assets/content.css",
      "dist/src/web/assets/icon.svg",
      "generated/openapi.json",
      "package.json",
      "scripts/README.md",
    ],
    most: { packed: 1_500_000, unpacked: 6_000_000 },
  },
  {
    name: "page-service-client",
    source: "./dist/client-package",
    subpaths: ["", "/types", "/openapi.json"],
    data: ["LICENSE", "README.md", "generated/openapi.json", "package.json"],
    most: { packed: 120_000, unpacked: 1_100_000 },
  },
  {
    name: "openapi-compiler",
    source: "./dist/openapi-compiler",
    subpaths: ["", "/http"],
    data: ["LICENSE", "README.md", "package.json", "scripts/sources.sha256"],
    most: { packed: 265_000, unpacked: 1_100_000 },
  },
];

describe.each(PACKAGES)("$name", ({ name, source, subpaths, data, most }) => {
  let folder: string;
  let tarball: string;
  /** The unpacked files, by path relative to the root of the package. */
  let files: string[];
  let root: string;
  const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "page-service-package-"));
    tarball = await ForeignProject.pack(folder, source);
    execFileSync("tar", ["-xzf", tarball, "-C", folder]);
    root = path.join(folder, "package");
    files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .sort();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("contains only its modules with all their imports, its types and its data", () => {
    const modules = files.filter((file) => !data.includes(file));
    expect(data.filter((file) => !files.includes(file))).toEqual([]);
    expect(modules.filter((file) => !/\.(js|d\.ts)$/.test(file))).toEqual([]);
    expect(files.filter((file) => /\.test\.|\.check\.|fixture|(?<!\.d)\.ts$|\.map$/.test(file))).toEqual([]);

    const { used, missing } = findImportedFiles(root, listEntries(read("package.json")));
    expect(missing).toEqual([]);
    // Modules with types only are not imported after compilation.
    const isEmpty = (file: string): boolean =>
      /^(\/\*[^]*?\*\/\s*|\/\/.*\s+)*export \{\};\s*$/.test(read(file));
    // Ignores files of earlier builds, because these tests skip the build of `npm pack`.
    const isStale = (file: string): boolean =>
      source === "." && !existsSync(path.join(PROJECT, getSource(file)));
    const javascript = modules.filter((file) => file.endsWith(".js") && !isStale(file));
    expect(javascript.filter((file) => !used.has(file) && !isEmpty(file))).toEqual([]);
  });

  test("contains the files that its texts link to", () => {
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

  test("stays below its size limits", () => {
    const unpacked = files.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0);
    const packed = statSync(tarball).size;
    console.log(
      `${name}: ${files.length} files, ${formatKilobytes(packed)} packed, ${formatKilobytes(unpacked)} unpacked`,
    );
    expect(packed).toBeLessThan(most.packed);
    expect(unpacked).toBeLessThan(most.unpacked);
  });

  test("publint reports nothing", async () => {
    // A copy, because publint requires a buffer that starts with the first byte.
    const pack = { tarball: new Uint8Array(readFileSync(tarball)).buffer };
    expect((await publint({ pack, strict: true })).messages).toEqual([]);
  });

  test("arethetypeswrong finds the types of every entry for ES modules", () => {
    const manifest = createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json");
    const command = path.join(path.dirname(manifest), "dist/index.js");
    const args = [command, tarball, "--profile", "esm-only", "--no-emoji", "--no-color", "--format", "ascii"];
    const text = execFileSync(process.execPath, args, { encoding: "utf8" });
    for (const subpath of subpaths) expect(text).toContain(`"${name}${subpath}"`);
  });
});

/** Returns the source of a compiled module. Validators are generated as JavaScript. */
function getSource(file: string): string {
  const source = file.replace(/^dist\//, "");
  return source === "generated/validators.js" ? source : source.replace(/\.js$/, ".ts");
}

/** Lists the files of a package.json's commands and exports. */
function listEntries(text: string): string[] {
  // The cast: the project's package.json files have this shape.
  const { bin = {}, exports } = JSON.parse(text) as {
    bin?: Record<string, string>;
    exports: Record<string, string | Record<string, string>>;
  };
  return [...Object.values(bin), ...Object.values(exports)]
    .flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)))
    .map((file) => path.posix.normalize(file));
}

/** Finds all files that files of a package import, directly or indirectly, and imports of missing files. */
function findImportedFiles(root: string, from: string[]): { used: Set<string>; missing: string[] } {
  const used = new Set<string>();
  const missing: string[] = [];
  const visit = (file: string, by: string): void => {
    if (used.has(file)) return;
    if (!existsSync(path.join(root, file))) return void missing.push(`${file}, imported by ${by}`);
    used.add(file);
    if (!/\.(js|ts)$/.test(file)) return;
    const text = readFileSync(path.join(root, file), "utf8");
    for (const target of readImports(file, text)) visit(target, file);
  };
  for (const file of from) visit(file, "package.json");
  return { used, missing };
}

function readImports(file: string, text: string): string[] {
  const names = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  // `preProcessFile` misses `export * as name from`.
  for (const [, name = ""] of text.matchAll(/^export \* as \w+ from "(.*?)";$/gm)) names.push(name);
  for (const [, name = ""] of text.matchAll(/new Worker\(new URL\("(.*?)"/g)) names.push(`./${name}`);
  return names
    .filter((name) => name.startsWith("."))
    .map((name) => path.posix.join(path.posix.dirname(file), name))
    .map((target) => (file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target));
}

function formatKilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000).toLocaleString("en")} kB`;
}
