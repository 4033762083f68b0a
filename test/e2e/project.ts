import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ONE_THREAD } from "../support/type-check.js";
import { runGenerate } from "../toolkit/generate/run-command.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COPIED = ["spec", "scripts", "generated", "src", "package.json", "tsconfig.json"];

/** Exit code and output of a command. */
export interface Outcome {
  code: number;
  text: string;
}

/** A copy of this project that a test edits. */
export class Project {
  readonly folder = mkdtempSync(path.join(tmpdir(), "page-service-project-"));

  constructor() {
    for (const name of COPIED)
      cpSync(path.join(ROOT, name), path.join(this.folder, name), { recursive: true });
    symlinkSync(path.join(ROOT, "node_modules"), path.join(this.folder, "node_modules"), "dir");
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(path.join(this.folder, file), text);
  }

  /** Replaces text that must occur exactly once. */
  replace(file: string, old: string, replacement: string): void {
    const parts = this.read(file).split(old);
    if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times ${JSON.stringify(old)}`);
    this.write(file, parts.join(replacement));
  }

  /** Runs the same as `npm run generate -- ARGS` without npm, which takes a second. */
  generate(...args: string[]): Promise<Outcome> {
    return this.node("--import", "tsx", "scripts/cli.ts", "generate", ...args);
  }

  /** Runs the built command in this process, which takes a third of the time. */
  async generateBuilt(...args: string[]): Promise<Outcome> {
    const { code, stdout, stderr } = await runGenerate(this.folder, args);
    return { code, text: stdout + stderr };
  }

  /** Type-checks incrementally, without the toolkit, which these tests do not edit. */
  types(): Promise<Outcome> {
    const include = ["generated", "src", "*.ts"];
    this.write("tsconfig.loop.json", JSON.stringify({ extends: "./tsconfig.json", include }));
    const incremental = ["--incremental", "--tsBuildInfoFile", ".tsbuildinfo"];
    return this.node(
      "node_modules/typescript-7/bin/tsc",
      "--project",
      "tsconfig.loop.json",
      "--noEmit",
      ...incremental,
      ...ONE_THREAD,
    );
  }

  /** Runs a program of the copy. */
  node(...args: string[]): Promise<Outcome> {
    return new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: this.folder }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, text: stdout + stderr });
      });
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
