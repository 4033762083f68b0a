import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROJECT } from "./api-document.js";

/** Compilers by the name of their package. TypeScript 7 takes a tenth of the time of 5.9. */
export type Compiler = "typescript" | "typescript-7";

/** Compiler options in the format of tsconfig.json. */
export type CompilerOptions = Readonly<Record<string, unknown>>;

/** Options of TypeScript 7 for tests, which run beside each other. Its threads take a third more processor time in total. */
export const ONE_THREAD = ["--singleThreaded"];

/**
 * Compiles files with the `tsc` command.
 *
 * @param files absolute paths
 * @param folder errors name files relative to it
 * @returns one `file:line message` for each error
 */
export function runCompiler(
  files: readonly string[],
  options: CompilerOptions,
  folder: string = PROJECT,
  compiler: Compiler = "typescript-7",
): string[] {
  const temporary = mkdtempSync(path.join(tmpdir(), "page-service-tsc-"));
  try {
    const config = path.join(temporary, "tsconfig.json");
    const typeRoots = [path.join(PROJECT, "node_modules/@types")];
    writeFileSync(
      config,
      JSON.stringify({ compilerOptions: { rootDir: "/", typeRoots, ...options }, files }),
    );
    const tsc = path.join(PROJECT, "node_modules", compiler, "bin/tsc");
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [tsc, "--project", config, "--pretty", "false", ...(compiler === "typescript-7" ? ONE_THREAD : [])],
      { cwd: folder, encoding: "utf8", maxBuffer: 100_000_000 },
    );
    const errors = readErrors(stdout);
    if (status !== 0 && errors.length === 0) throw new Error(`tsc failed: ${stdout}${stderr}`);
    return errors;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** Reads `file(line,column): error TS1234: message` with its indented continuation lines. */
function readErrors(output: string): string[] {
  const errors: string[] = [];
  for (const line of output.split("\n")) {
    const [, file = "", number = "0", message] =
      /^(?:(.+?)\((\d+),\d+\): )?error TS\d+: (.*)$/.exec(line) ?? [];
    if (message !== undefined) errors.push(`${file}:${number} ${message}`);
    else if (line !== "") errors[errors.length - 1] += ` ${line.trim()}`;
  }
  return errors;
}
