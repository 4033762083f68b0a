import path from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import type * as builtModule from "../../../scripts/command/generate.js";
import { PROJECT } from "../../support/api-document.js";

/** Exit code and output of a command. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs the built command `openapi-compiler generate` in a folder. It runs in this process, because a new process spends most
 * of its time on loading the generator.
 */
export async function runGenerate(folder: string, args: readonly string[]): Promise<Outcome> {
  const built = path.join(PROJECT, "dist/openapi-compiler/scripts/command/generate.js");
  // The cast: the module is built from this source.
  const { generateCommand } = (await import(
    /* @vite-ignore */ pathToFileURL(built).href
  )) as typeof builtModule;
  const stdout: string[] = [];
  const stderr: string[] = [];
  const spies = [
    vi.spyOn(console, "log").mockImplementation((text: string) => void stdout.push(`${text}\n`)),
    vi.spyOn(console, "error").mockImplementation((text: string) => void stderr.push(`${text}\n`)),
  ];
  const before = process.cwd();
  process.chdir(folder);
  try {
    const code = await generateCommand([...args]);
    return { code, stdout: stdout.join(""), stderr: stderr.join("") };
  } finally {
    process.chdir(before);
    for (const spy of spies) spy.mockRestore();
  }
}
