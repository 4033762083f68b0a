import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../compare.js";

const EDITS = 5;

/**
 * Starts a watching generator, edits one schema several times and gives the median of the seconds from the save to
 * the last file.
 * @param edit gives the text of the document with its schema edited, another one for each number
 */
export async function secondsPerEdit(
  args: readonly string[],
  document: string,
  edit: (text: string, number: number) => string,
): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const generated = async (): Promise<void> => {
    // At the start there may be nothing to do.
    while (!/^(?:Generated from .*:\n|Nothing to do)/m.test(output)) {
      if (child.exitCode !== null) throw new Error(`The watching generator ended:\n${output}`);
      await sleep(5);
    }
    output = "";
  };
  try {
    await generated();
    const original = readFileSync(document, "utf8");
    const seconds: number[] = [];
    for (let number = 1; number <= EDITS; number += 1) {
      await sleep(500);
      output = "";
      // Renamed, because the generator could read half of a large file that is written in place.
      writeFileSync(`${document}~`, edit(original, number));
      renameSync(`${document}~`, document);
      const saved = performance.now();
      await generated();
      seconds.push((performance.now() - saved) / 1000);
    }
    return median(seconds);
  } finally {
    child.kill("SIGINT");
    if (child.exitCode === null) await once(child, "exit");
  }
}
