import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import type { GeneratedFile } from "../../scripts/model/model.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** As strict as a user's project may be; stricter than this one. */
const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts", "lib.es2024.string.d.ts"],
  module: ts.ModuleKind.NodeNext,
  types: ["node"],
  typeRoots: [path.join(ROOT, "node_modules/@types")],
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

/** A folder outside the project that generated code is written to, compiled in and imported from. */
export class Workspace {
  readonly folder = mkdtempSync(path.join(tmpdir(), "page-service-workspace-"));

  constructor() {
    symlinkSync(path.join(ROOT, "node_modules"), path.join(this.folder, "node_modules"), "dir");
    this.write("package.json", `{ "type": "module" }`);
  }

  path(file: string): string {
    return path.join(this.folder, file);
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  /** Writes generated files to `generated/`. */
  async writeGenerated(files: GeneratedFile[]): Promise<void> {
    for (const { path: file, content } of files) this.write(`generated/${file}`, content);
  }

  /** Compiles files and all that they import to JavaScript beside them; gives what the compiler has to say. */
  compile(files: string[], options: ts.CompilerOptions = {}): string[] {
    const program = ts.createProgram(
      files.map((file) => this.path(file)),
      { ...STRICT, ...options },
    );
    const found = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const place = file?.getLineAndCharacterOfPosition(start ?? 0);
      const name = file ? path.relative(this.folder, file.fileName) : "";
      return `${name}:${(place?.line ?? 0) + 1} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
    program.emit();
    return found;
  }

  /** Imports a module; `query` tells it from one that was imported from the same place before. */
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
