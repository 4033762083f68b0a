import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../compare.js";

const EDITS = 5;

/**
 * Starts a generator with `--watch`, edits one schema several times, and returns the median of the seconds from saving
 * the document to the last written file.
 *
 * @param edit returns the document with an edited schema, different for each number
 */
export async function timeEdits(
  args: readonly string[],
  document: string,
  edit: (text: string, number: number) => string,
): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const waitForGeneration = async (): Promise<void> => {
    // The first run has nothing to do if the output is up to date.
    while (!/^(?:Generated from .*:\n|Nothing to do)/m.test(output)) {
      if (child.exitCode !== null) throw new Error(`The generator exited:\n${output}`);
      await sleep(5);
    }
    output = "";
  };
  try {
    await waitForGeneration();
    const original = readFileSync(document, "utf8");
    const seconds: number[] = [];
    for (let number = 1; number <= EDITS; number += 1) {
      await sleep(500);
      output = "";
      // Replaced atomically, because the generator could read a partially written file.
      writeFileSync(`${document}~`, edit(original, number));
      renameSync(`${document}~`, document);
      const saved = performance.now();
      await waitForGeneration();
      seconds.push((performance.now() - saved) / 1000);
    }
    return median(seconds);
  } finally {
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
  }
}
