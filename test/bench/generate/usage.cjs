// Loaded into every process of a measured command. At exit it appends the resource usage of all threads of the process.
const { appendFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const file = process.env.BENCH_USAGE;
if (isMainThread && file !== undefined) {
  process.once("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    appendFileSync(
      file,
      `${JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1e3 })}\n`,
    );
  });
}
