/**
 * Compares the generator with others: `npm run bench:generate`. The exit code is 1 when a target is missed. Every run is
 * a new process in an empty folder. The tools alternate, so that other load on the machine affects all of them. Ratios
 * are medians over the rounds.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../child.js";
import { median } from "../compare.js";
import { type Row, formatTable } from "../table.js";
import { findDocuments, writeDocument } from "./documents.js";
import { findPeers, HEY_API, OPENAPI_TYPESCRIPT, OURS, REDOCLY, type Tool } from "./peers.js";
import { runCommand, type Usage } from "./run-command.js";
import { compareSizes } from "./sizes.js";
import { timeEdits } from "./watching.js";

const ROUNDS = 3;
/** Targets for the time of all artifacts, as a share of the time that openapi-typescript takes for types alone. */
const MAX_TIME_RATIOS: ReadonlyMap<string, number> = new Map([
  ["OpenAI", 0.8],
  ["Rebilly", 0.8],
  ["this project", 0.7],
  ["small", 0.7],
]);
const MAX_MEMORY_MB = 400;
/** Target for the processor time of one more operation. */
const MAX_CPU_MS = 1;
const rows: Row[] = [];
const folder = mkdtempSync(path.join(tmpdir(), "page-service-bench-generate-"));

try {
  console.log("Building");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "inherit" });
  const documents = findDocuments(folder);
  const tools = [OURS, ...findPeers(folder)];
  for (const [name, document] of documents) {
    const rounds = await runInTurns(name, document, tools);
    const compare = (peer: string, key: "wall" | "memory", most: number): void => {
      if (rounds.has(peer))
        rows.push(
          compareUsage(
            `${name}: ${key === "wall" ? "all artifacts" : "peak memory"}`,
            rounds,
            peer,
            key,
            most,
          ),
        );
    };
    if (name === "GitHub") {
      compare(REDOCLY, "wall", 1);
      compare(HEY_API, "wall", 0.5);
      rows.push(createMemoryRow(rounds), ...(await measureRegeneration(document, rounds)));
    } else {
      compare(OPENAPI_TYPESCRIPT, "wall", MAX_TIME_RATIOS.get(name) ?? 1);
    }
    const accepting = tools.filter((tool) => rounds.has(tool.name));
    rows.push(...(await compareSizes(name, document, accepting, folder)));
  }
  rows.push(await measureGrowth());
  console.log(`\n${formatTable(rows)}\n`);
  console.log(
    `Machine: ${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}.`,
  );
  if (rows.some((row) => !row.met)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Runs the tools on a document in turns, prints the medians, and returns the usage of each round by tool. Leaves out other tools that
 * refuse the document.
 */
async function runInTurns(name: string, document: string, tools: Tool[]): Promise<Map<string, Usage[]>> {
  console.log(`\n${name}, ${(statSync(document).size / 1e6).toFixed(3)} MB, medians of ${ROUNDS} rounds`);
  const rounds = new Map<string, Usage[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const tool of tools) {
      const used = rounds.get(tool.name) ?? [];
      if (used.length < round) continue;
      try {
        rounds.set(tool.name, [...used, await runCold(tool, document)]);
      } catch (error) {
        if (tool === OURS) throw error;
        rounds.delete(tool.name);
        console.log(`  ${tool.name} refuses the document`);
      }
    }
  }
  for (const [tool, usages] of rounds) {
    const getMedian = (key: keyof Usage): number => median(usages.map((usage) => usage[key]));
    console.log(
      `  ${tool.padEnd(42)} ${getMedian("wall").toFixed(2).padStart(6)} s  ${getMedian("cpu").toFixed(2).padStart(6)} s CPU  ${getMedian("memory").toFixed(0).padStart(5)} MB`,
    );
  }
  return rounds;
}

async function runCold(tool: Tool, document: string): Promise<Usage> {
  const out = mkdtempSync(path.join(folder, "out-"));
  const usage = await runCommand(tool.args(document, out), folder);
  rmSync(out, { recursive: true });
  return usage;
}

function compareUsage(
  what: string,
  rounds: Map<string, Usage[]>,
  peer: string,
  key: "wall" | "memory",
  most: number,
): Row {
  const ours = (rounds.get(OURS.name) ?? []).map((usage) => usage[key]);
  const theirs = (rounds.get(peer) ?? []).map((usage) => usage[key]);
  const show = (value: number): string =>
    key === "wall" ? `${value.toFixed(2)} s` : `${value.toFixed(0)} MB`;
  const ratio = median(ours.map((value, round) => value / (theirs[round] ?? 0)));
  return createRow(what, show(median(ours)), `${show(median(theirs))} ${peer}`, ratio, most);
}

/** Measures generating again: without changes, and with `--watch` after an edit of one schema. */
async function measureRegeneration(document: string, rounds: Map<string, Usage[]>): Promise<Row[]> {
  const coldSeconds = median((rounds.get(OURS.name) ?? []).map(({ wall }) => wall));
  const beside = `${coldSeconds.toFixed(2)} s cold`;
  const own = path.join(folder, path.basename(document));
  copyFileSync(document, own);
  const out = mkdtempSync(path.join(folder, "again-"));
  const args = OURS.args(own, out);
  await runCommand(args, folder);
  const before = listModificationTimes(out);
  const again: number[] = [];
  for (let round = 0; round < 5; round += 1) again.push((await runCommand(args, folder)).wall);
  if (listModificationTimes(out) !== before)
    throw new Error("The generator wrote a file although nothing had changed.");
  const edited = await timeEdits([...args, "--watch"], own, (text, number) => {
    const at = text.indexOf('"description": "', text.indexOf('"schemas": {'));
    return `${text.slice(0, at)}"description": "Edit ${number}. ${text.slice(at + '"description": "'.length)}`;
  });
  const show = (seconds: number): string => `${seconds.toFixed(2)} s`;
  return [
    createRow("GitHub: nothing changed", show(median(again)), beside, median(again) / coldSeconds, 0.1),
    createRow("GitHub: one schema edited, --watch", show(edited), beside, edited / coldSeconds, 0.25),
  ];
}

/** Lists the files and folders below a folder with their modification times, as JSON. */
function listModificationTimes(out: string): string {
  const names = readdirSync(out, { recursive: true, encoding: "utf8" }).sort();
  return JSON.stringify(names.map((name) => [name, statSync(path.join(out, name)).mtimeMs]));
}

/** Measures the processor time per additional operation, from two documents with different numbers of operations. */
async function measureGrowth(): Promise<Row> {
  console.log("\nGrowth");
  const [few, many] = [100, 1200].map((count) => ({ count, document: writeDocument(count, folder) }));
  if (!few || !many) throw new Error("A document is missing.");
  const perOperation: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const small = await runCold(OURS, few.document);
    const large = await runCold(OURS, many.document);
    perOperation.push(((large.cpu - small.cpu) * 1000) / (many.count - few.count));
  }
  const figure = median(perOperation);
  const what = "CPU of one more operation";
  return createRow(what, `${figure.toFixed(2)} ms`, `${MAX_CPU_MS} ms`, figure / MAX_CPU_MS, 1);
}

function createMemoryRow(rounds: Map<string, Usage[]>): Row {
  const figure = median((rounds.get(OURS.name) ?? []).map(({ memory }) => memory));
  return createRow(
    "GitHub: peak memory",
    `${figure.toFixed(0)} MB`,
    `${MAX_MEMORY_MB} MB`,
    figure / MAX_MEMORY_MB,
    1,
  );
}

function createRow(what: string, figure: string, beside: string, ratio: number, most: number): Row {
  return {
    what,
    figure,
    beside,
    ratio: `${ratio.toFixed(2)}x`,
    target: `at most ${most}x`,
    met: ratio <= most,
  };
}
