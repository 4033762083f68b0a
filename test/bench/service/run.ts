/** Measures the speed of the whole service, each figure compared with another of the same run: `npm run bench:service`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { killChildren, ROOT } from "../child.js";
import { type Row, formatTable } from "../table.js";
import { fill, type Filled } from "./fill.js";
import { measureLongWrites } from "./long-writes.js";
import { measureMixed, formatLatencies } from "./mixed.js";
import { plotLatencies } from "./plot.js";
import { measureReads } from "./reads.js";
import { createFailedRow } from "./rows.js";
import { measureScans } from "./scans.js";
import { measureWrites } from "./writes.js";

const SMALL = 10_000;
const LARGE = 100_000;
const PLOT = fileURLToPath(new URL("../../../.github/images/latency.svg", import.meta.url));

const PARTS = ["reads", "writes", "scans", "mixed", "long-writes"] as const;
const USAGE = `Usage: npm run bench:service -- [--data FOLDER] [PART]...

Measures the parts ${PARTS.join(", ")}; by default all. The exit code is 1 when a target is missed.

  --data FOLDER  keep the filled databases in FOLDER for the next run
  --help         print this text`;

const { data: dataFolder, parts } = readArguments();
const scratch = mkdtempSync(path.join(tmpdir(), "page-service-bench-"));
const data = path.resolve(dataFolder ?? scratch);

/** Returns the database with a number of pages, and fills it on first use. */
const getDatabase = (pages: number): Promise<Filled> => {
  console.log(`A database of ${pages.toLocaleString("en")} pages`);
  return fill(path.join(data, `pages-${pages}`), pages);
};

const measures: Record<(typeof PARTS)[number], () => Promise<Row[]>> = {
  reads: async () => measureReads(await getDatabase(LARGE), scratch),
  writes: async () => measureWrites(await getDatabase(LARGE), scratch),
  scans: async () => measureScans(await getDatabase(LARGE)),
  mixed: async () => {
    const found = await measureMixed(await getDatabase(SMALL), scratch);
    console.log(`\n${formatLatencies(found)}\n`);
    writeFileSync(PLOT, plotLatencies(found));
    return [];
  },
  "long-writes": async () => measureLongWrites(await getDatabase(LARGE), scratch),
};

try {
  console.log("Building");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "inherit" });
  const rows: Row[] = [];
  for (const name of parts) {
    try {
      rows.push(...(await measures[name]()));
    } catch (error) {
      // A part that fails must not hide the others.
      rows.push(createFailedRow(name, error));
      killChildren();
    }
  }
  console.log(`\n${formatTable(rows)}\n`);
  console.log(
    `Machine: ${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}.`,
  );
  if (rows.some((row) => !row.met)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Reads the arguments. Prints the usage and exits for `--help` and for mistakes. */
function readArguments(): {
  readonly data: string | undefined;
  readonly parts: readonly (typeof PARTS)[number][];
} {
  try {
    const { values, positionals } = parseArgs({
      options: { data: { type: "string" }, help: { type: "boolean" } },
      allowPositionals: true,
    });
    if (values.help === true) {
      console.log(USAGE);
      process.exit();
    }
    const unknown = positionals.filter((name) => !PARTS.some((part) => part === name));
    if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(" or ")}.`);
    const isMeasured = (part: string): boolean => positionals.length === 0 || positionals.includes(part);
    return { data: values.data, parts: PARTS.filter(isMeasured) };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}
