import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../service/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { sendRequest, type Target } from "./load.js";
import { createKey, chooseLength } from "./setup.js";

/** Returns the reason why strace is missing or cannot trace other processes. */
function findMissingTracer(): string | undefined {
  const tried = spawnSync("strace", ["-f", "-o", "/dev/null", "true"], { encoding: "utf8" });
  if (tried.status === 0) return undefined;
  const cause = tried.error?.message ?? tried.stderr;
  if (process.env.CI === "true") throw new Error(`strace is required in CI: ${cause}`);
  return `strace cannot be used (${cause.trim()})`;
}

/** Traces the system calls of a process to a file, with the paths of the files. */
async function trace(pid: number, file: string): Promise<{ stop(): Promise<void> }> {
  const calls = "fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg";
  const strace = spawn(
    "strace",
    ["-f", "-y", "-s", "16", "-e", `trace=${calls}`, "-o", file, "-p", `${pid}`],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  onTestFinished(() => void strace.kill("SIGKILL"));
  let output = "";
  strace.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  while (!output.includes("attached")) {
    if (strace.exitCode !== null) throw new Error(output);
    await sleep(20);
  }
  return {
    async stop() {
      const gone = once(strace, "exit");
      strace.kill("SIGINT");
      await gone;
    },
  };
}

test("each write is synced to disk before its response", async (context) => {
  const missing = findMissingTracer();
  if (missing !== undefined) return context.skip(missing);
  const env = { DATA_DIR: createTemporaryFolder() };
  const made = await createKey(env);
  const service = await serve({ ...env, LOG_LEVEL: "silent" });
  const target: Target = { ...made, url: service.url };
  const page = { parent: { database_id: made.databaseId }, properties: {} };
  const first = await sendRequest(target, "POST", "/v1/pages", page);
  const file = path.join(createTemporaryFolder(), "trace");
  const { stop } = await trace(service.process.pid ?? 0, file);
  const writes = chooseLength(100, 1000);
  for (let count = 0; count < writes; count += 1) {
    // Sequential, so that each write has its own commit.
    const response =
      count % 2 === 0
        ? await sendRequest(target, "POST", "/v1/pages", page)
        : await sendRequest(target, "PATCH", `/v1/pages/${first?.body.id}`, {
            properties: { Points: { number: count } },
          });
    expect(response?.status).toBe(200);
  }
  await stop();

  let syncCount = 0;
  let responseCount = 0;
  let unsyncedCount = 0;
  // Threads that have written to the log since they last synced it. A checkpoint only syncs what others have written.
  const writers = new Set<string | undefined>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [thread] = line.split(" ");
    if (/pwrite64\(\d+<[^>]*-wal>/.test(line)) writers.add(thread);
    const isSync = /(fsync|fdatasync)(\(\d+<[^>]*-wal>\)| resumed>\)) += 0/.test(line);
    if (isSync && writers.delete(thread)) syncCount += 1;
    if (!line.includes('"HTTP/1.1 200 OK')) continue;
    responseCount += 1;
    if (syncCount === 0) unsyncedCount += 1;
    syncCount = 0;
  }
  console.log(
    `${responseCount} responses to writes, ${responseCount - unsyncedCount} after the log was synced`,
  );
  expect([responseCount, unsyncedCount]).toEqual([writes, 0]);
});
