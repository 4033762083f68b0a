/**
 * Measures the start and the memory of the built service, and `generate -- --check`: `npm run bench`. The exit code is 1
 * when a target is missed.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./child.js";
import { createKey, measureCheck, measureMemory, measureStart } from "./measure.js";
import { formatTable } from "./table.js";

const folder = mkdtempSync(path.join(tmpdir(), "page-service-bench-"));
try {
  console.log("Building");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "inherit" });
  const key = createKey(folder);
  const rows = [await measureStart(folder), ...(await measureMemory(folder, key, () => [measureCheck()]))];
  console.log(`\n${formatTable(rows)}\n`);
  console.log(
    `Machine: ${availableParallelism()} cores, ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}.`,
  );
  if (rows.some((row) => !row.met)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
