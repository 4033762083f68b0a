import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { PROJECT } from "../../support/api-document.js";
import { runCompiler } from "../../support/type-check.js";

/** The output and the exit code of a program. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command with an environment, which contains its API key. */
export function run(
  command: string,
  args: string[],
  { env = {}, cwd = PROJECT }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    // Without BASE_URL of Vite, which the service would read as its own.
    execFile(
      command,
      args,
      { cwd, env: { ...process.env, BASE_URL: "", ...env } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      },
    );
  });
}

/** A program that imports modules one after another, and prints the outcome of each as JSON on one line. */
const RUN_ALL = `
import { format } from "node:util";
const print = console.log;
for (const { name, env, file } of JSON.parse(process.argv[2])) {
  const outcome = { code: 0, stdout: "", stderr: "" };
  Object.assign(process.env, env);
  console.log = (...values) => (outcome.stdout += format(...values) + "\\n");
  console.error = (...values) => (outcome.stderr += format(...values) + "\\n");
  try {
    await import(file);
  } catch (error) {
    Object.assign(outcome, { code: 1, stderr: outcome.stderr + error.stack });
  }
  print(JSON.stringify([name, outcome]));
}
`;

/**
 * Compiles and runs TypeScript programs of the docs as a reader would: tsc compiles them with the project's settings against
 * the built package, which they import by name, and Node runs them.
 */
export class Programs {
  readonly #folder: string;

  /** @param name name of a new folder in dist/test, where the package can import itself by name */
  constructor(name: string) {
    this.#folder = path.join(PROJECT, "dist/test", name);
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Type-checks the programs; returns errors by name and line. */
  check(programs: ReadonlyMap<string, string>): string[] {
    const files = [...programs].map(([name, text]) => this.#write(`${name}.ts`, text));
    const options = {
      target: "ES2023",
      module: "NodeNext",
      lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: ["node"],
      strict: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      noEmit: true,
      skipLibCheck: true,
    };
    return runCompiler(files, options, this.#folder);
  }

  /** Runs a program. */
  run(name: string, text: string, env: Record<string, string>): Promise<Outcome> {
    return run(process.execPath, [this.#compile(name, text)], { env });
  }

  /** Runs programs one after another in one process, which is faster than one process each. Returns outcomes by name. */
  async runAll(
    all: readonly { name: string; text: string; env: Record<string, string> }[],
  ): Promise<Map<string, Outcome>> {
    const steps = all.map(({ name, text, env }) => ({ name, env, file: this.#compile(name, text) }));
    const { code, stdout, stderr } = await run(process.execPath, [
      this.#write("all.mjs", RUN_ALL),
      JSON.stringify(steps),
    ]);
    if (code !== 0) throw new Error(stderr);
    // The cast: RUN_ALL prints one outcome per line.
    const outcomes = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as [string, Outcome]);
    return new Map(outcomes);
  }

  /** Removes the written files. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Compiles a program to JavaScript; returns its path. */
  #compile(name: string, text: string): string {
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    return this.#write(`${name}.mjs`, outputText);
  }

  #write(name: string, text: string): string {
    const file = path.join(this.#folder, name);
    writeFileSync(file, text);
    return file;
  }
}
