/**
 * Times the generator beside its peers and ends with code 1 when a promise is not kept: `npm run bench:generate`.
 * Every run is a process of its own, begun in an empty folder; the tools take turns, so that a slow spell of the
 * machine hits all. What is compared is the median of the rounds' ratios.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../child.js";
import { median } from "../compare.js";
import { type Row, table } from "../table.js";
import { findDocuments, writeDocumentOf } from "./documents.js";
import { findPeers, HEY_API, OPENAPI_TYPESCRIPT, OURS, REDOCLY, type Tool } from "./peers.js";
import { runCommand, type Usage } from "./run-command.js";
import { compareSizes } from "./sizes.js";
import { secondsPerEdit } from "./watching.js";

const ROUNDS = 3;
/** Targets for the time of all artifacts, as a share of the time that openapi-typescript takes for types alone. */
const MOST_TIME: ReadonlyMap<string, number> = new Map([
  ["OpenAI", 0.8],
  ["Rebilly", 0.8],
  ["this project", 0.7],
  ["small", 0.7],
]);
const MOST_MEMORY_MB = 400;
/** Target for the processor time of one more operation. */
const MOST_CPU_MS = 1;
const rows: Row[] = [];
const folder = mkdtempSync(path.join(tmpdir(), "page-service-bench-generate-"));

try {
  console.log("Building");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "inherit" });
  const documents = findDocuments(folder);
  const tools = [OURS, ...findPeers(folder)];
  for (const [name, document] of documents) {
    const rounds = await takeTurns(name, document, tools);
    const compare = (peer: string, key: "wall" | "memory", most: number): void => {
      if (rounds.has(peer))
        rows.push(
          compared(`${name}: ${key === "wall" ? "all artifacts" : "peak memory"}`, rounds, peer, key, most),
        );
    };
    if (name === "GitHub") {
      compare(REDOCLY, "wall", 1);
      compare(HEY_API, "wall", 0.5);
      rows.push(memoryRow(rounds), ...(await measureAgain(document, rounds)));
    } else {
      compare(OPENAPI_TYPESCRIPT, "wall", MOST_TIME.get(name) ?? 1);
    }
    rows.push(...(await compareSizes(name, document, tools, folder)));
  }
  rows.push(await measureGrowth());
  console.log(`\n${table(rows)}\n`);
  console.log(
    `Machine: ${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}.`,
  );
  if (rows.some((row) => !row.met)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs every tool on a document, in turns; prints the medians and gives what each round gave. */
async function takeTurns(name: string, document: string, tools: Tool[]): Promise<Map<string, Usage[]>> {
  console.log(`\n${name}, ${(statSync(document).size / 1e6).toFixed(3)} MB, medians of ${ROUNDS} rounds`);
  const rounds = new Map<string, Usage[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const tool of tools) {
      const usage = await cold(tool, document);
      rounds.set(tool.name, [...(rounds.get(tool.name) ?? []), usage]);
    }
  }
  for (const [tool, usages] of rounds) {
    const middle = (key: keyof Usage): number => median(usages.map((usage) => usage[key]));
    console.log(
      `  ${tool.padEnd(42)} ${middle("wall").toFixed(2).padStart(6)} s  ${middle("cpu").toFixed(2).padStart(6)} s CPU  ${middle("memory").toFixed(0).padStart(5)} MB`,
    );
  }
  return rounds;
}

async function cold(tool: Tool, document: string): Promise<Usage> {
  const out = mkdtempSync(path.join(folder, "out-"));
  const usage = await runCommand(tool.args(document, out), folder);
  rmSync(out, { recursive: true });
  return usage;
}

function compared(
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
  return rowOf(what, show(median(ours)), `${show(median(theirs))} ${peer}`, ratio, most);
}

/** The same document once more: with nothing changed, and with one schema edited while it is watched. */
async function measureAgain(document: string, rounds: Map<string, Usage[]>): Promise<Row[]> {
  const coldSeconds = median((rounds.get(OURS.name) ?? []).map(({ wall }) => wall));
  const beside = `${coldSeconds.toFixed(2)} s cold`;
  const own = path.join(folder, path.basename(document));
  copyFileSync(document, own);
  const out = mkdtempSync(path.join(folder, "again-"));
  const args = OURS.args(own, out);
  await runCommand(args, folder);
  const before = times(out);
  const again: number[] = [];
  for (let round = 0; round < 5; round += 1) again.push((await runCommand(args, folder)).wall);
  if (times(out) !== before) throw new Error("With nothing changed a file was written.");
  const edited = await secondsPerEdit([...args, "--watch"], own, (text, number) => {
    const at = text.indexOf('"description": "', text.indexOf('"schemas": {'));
    return `${text.slice(0, at)}"description": "Edit ${number}. ${text.slice(at + '"description": "'.length)}`;
  });
  const show = (seconds: number): string => `${seconds.toFixed(2)} s`;
  return [
    rowOf("GitHub: nothing changed", show(median(again)), beside, median(again) / coldSeconds, 0.1),
    rowOf("GitHub: one schema edited, --watch", show(edited), beside, edited / coldSeconds, 0.25),
  ];
}

/** Names and times of everything below a folder. */
function times(out: string): string {
  const names = readdirSync(out, { recursive: true, encoding: "utf8" }).sort();
  return JSON.stringify(names.map((name) => [name, statSync(path.join(out, name)).mtimeMs]));
}

/** Processor time of one more operation: the difference between two documents, divided by that of their operations. */
async function measureGrowth(): Promise<Row> {
  console.log("\nGrowth");
  const [few, many] = [100, 1200].map((count) => ({ count, document: writeDocumentOf(count, folder) }));
  if (!few || !many) throw new Error("There are two documents.");
  const perOperation: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const small = await cold(OURS, few.document);
    const large = await cold(OURS, many.document);
    perOperation.push(((large.cpu - small.cpu) * 1000) / (many.count - few.count));
  }
  const figure = median(perOperation);
  const what = "CPU of one more operation";
  return rowOf(what, `${figure.toFixed(2)} ms`, `${MOST_CPU_MS} ms`, figure / MOST_CPU_MS, 1);
}

function memoryRow(rounds: Map<string, Usage[]>): Row {
  const figure = median((rounds.get(OURS.name) ?? []).map(({ memory }) => memory));
  return rowOf(
    "GitHub: peak memory",
    `${figure.toFixed(0)} MB`,
    `${MOST_MEMORY_MB} MB`,
    figure / MOST_MEMORY_MB,
    1,
  );
}

function rowOf(what: string, figure: string, beside: string, ratio: number, most: number): Row {
  return {
    what,
    figure,
    beside,
    ratio: `${ratio.toFixed(2)}x`,
    target: `at most ${most}x`,
    met: ratio <= most,
  };
}
