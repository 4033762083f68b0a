// Loaded into every process of a measured command: at its end each says what it used, all its threads together.
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
