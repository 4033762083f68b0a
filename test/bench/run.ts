/**
 * Measures speed and memory against the project's targets: `npm run bench`. The exit code is 1 when a target is missed.
 * Each server runs the built code in its own process. This process generates the load.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./child.js";
import {
  measureAdmission,
  measureCheck,
  measureGet,
  measureMemory,
  measurePost,
  measureStart,
} from "./measure.js";
import { BenchService } from "./service.js";
import { formatTable, type Row } from "./table.js";

const folder = mkdtempSync(path.join(tmpdir(), "page-service-bench-"));
try {
  console.log("Building");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "inherit" });
  const service = new BenchService(folder);
  const rows: Row[] = [
    await measureGet(service, folder),
    await measureAdmission(),
    await measurePost(),
    ...(await measureMemory(service, async () => [await measureStart(service), await measureCheck()])),
  ];
  console.log(`\n${formatTable(rows)}\n`);
  console.log(
    `Machine: ${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}.`,
  );
  console.log(
    "Figures are medians. The service uses a database file and writes its log, at the default level, to a file.",
  );
  if (rows.some((row) => !row.met)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
