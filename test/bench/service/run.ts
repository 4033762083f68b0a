/**
 * Measures the speed of the whole service, each figure compared with another of the same run: `npm run bench:service`. The
 * exit code is 1 when a target is missed. `-- --data FOLDER` keeps the filled databases in FOLDER for the next run. Names
 * of parts (reads writes scans mixed long-writes) select what is measured.
 */
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

const { values, positionals } = parseArgs({
  options: { data: { type: "string" } },
  allowPositionals: true,
});
const scratch = mkdtempSync(path.join(tmpdir(), "page-service-bench-"));
const data = path.resolve(values.data ?? scratch);

/** Returns the database with a number of pages, and fills it on first use. */
const getDatabase = (pages: number): Promise<Filled> => {
  console.log(`A database of ${pages.toLocaleString("en")} pages`);
  return fill(path.join(data, `pages-${pages}`), pages);
};

const parts: Record<string, () => Promise<Row[]>> = {
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
  for (const [name, measure] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    try {
      rows.push(...(await measure()));
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
