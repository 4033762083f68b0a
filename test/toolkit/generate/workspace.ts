import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "vitest";
import type { GeneratedFile } from "../../../scripts/emit/generated-file.js";
import { generateFiles } from "../../../scripts/generation.js";
import { type CompilerOptions, runCompiler } from "../../support/type-check.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The strictest compiler options of users' projects, stricter than those of this project. */
const STRICT: CompilerOptions = {
  target: "ES2023",
  lib: ["ES2023", "ES2024.String"],
  module: "NodeNext",
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  declaration: true,
};

/** Generated files, the model and its warnings. */
export type Generation = Awaited<ReturnType<typeof generateFiles>>;

/** A folder outside the project in which generated code is written, compiled and imported. */
export class Workspace {
  readonly folder = mkdtempSync(path.join(tmpdir(), "page-service-workspace-"));

  constructor() {
    symlinkSync(path.join(ROOT, "node_modules"), path.join(this.folder, "node_modules"), "dir");
    const runtime = path.relative(this.folder, path.join(ROOT, "dist/src"));
    this.write("package.json", JSON.stringify({ type: "module", "openapi-compiler": { runtime } }));
  }

  path(file: string): string {
    return path.join(this.folder, file);
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  /** Generates the code of a document to `generated/`. */
  async generate(document: string): Promise<Generation> {
    const generation = await generateFiles({ spec: document, out: this.path("generated") }, "test");
    await this.writeGenerated(generation.files);
    return generation;
  }

  /** Writes generated files to `generated/`. */
  async writeGenerated(files: readonly GeneratedFile[]): Promise<void> {
    for (const { path: file, content } of files) this.write(`generated/${file}`, content);
  }

  /** Compiles files and their imports to JavaScript next to them, and returns one line for each type error. */
  compile(files: readonly string[], options: CompilerOptions = {}): string[] {
    const paths = files.map((file) => this.path(file));
    return runCompiler(paths, { ...STRICT, ...options }, this.folder);
  }

  /** Imports a module; `query` distinguishes it from an earlier import of the same path. */
  async import(file: string, query = ""): Promise<Record<string, unknown>> {
    // The cast: a module is an object.
    return (await import(/* @vite-ignore */ pathToFileURL(this.path(file)).href + query)) as Record<
      string,
      unknown
    >;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Creates a workspace with the code of a document, for all tests of a file. The code exists when the first test begins. */
export function useWorkspace(document: { file: string } | { text: string }): Workspace {
  const workspace = new Workspace();
  beforeAll(async () => {
    if ("text" in document) workspace.write("document.yaml", document.text);
    await workspace.generate("text" in document ? workspace.path("document.yaml") : document.file);
  });
  afterAll(() => workspace.remove());
  return workspace;
}
