import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { createSetupToken } from "../access/workspaces/invitations.js";
import { createDemoWorkspace } from "../access/workspaces/demo.js";
import { readConfig } from "../config.js";
import { createPageService, type PageService } from "../service.js";
import { createLogOutput, serializeError } from "./log-output.js";
import { limitHeapGrowth, releaseMemoryWhenIdle } from "./memory.js";
import { formatWelcome } from "./welcome.js";
import { isLoopback } from "../access/limits/client-address.js";

/** Time for requests in progress to finish when the service stops. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** `page-service serve`: runs the service until SIGTERM or SIGINT. Exits with code 1 if it cut off requests. */
export async function serve({ memory = false }: { memory?: boolean }): Promise<void> {
  limitHeapGrowth();
  const config = readConfig(process.env);
  const output = createLogOutput();
  const logger = pino({ level: config.logLevel, serializers: { err: serializeError } }, output);
  const service = await createPageService({ ...config, ...(memory ? { database: ":memory:" } : {}), logger });
  try {
    // Before the demo key is created: if the port is in use, the key would never be shown.
    const port = await service.listen(config.port, config.host);
    const isLocal = config.host === "localhost" || isLoopback(config.host);
    const demo = await createDemoWorkspace(service.store, isLocal);
    const setupToken = await createSetupToken(service.store);
    console.log(formatWelcome({ config, port, memory, demo, setupToken }));
  } catch (error) {
    await service.close();
    throw error;
  }
  releaseMemoryWhenIdle(() => service.releaseMemory());
  await waitForStopSignal();
  logger.info("stopping: finishing requests in progress");
  service.prepareShutdown();
  await sleep(config.shutdownDelayMs);
  const stopped = await closeService(service);
  logger.info(stopped ? "stopped" : "stopped with unfinished requests");
  await output.close();
  // Ends the connections of the unfinished requests, which would keep the process running.
  if (!stopped) process.exit(1);
}

/** Resolves on the first SIGTERM or SIGINT. The next one ends the process at once. */
async function waitForStopSignal(): Promise<void> {
  const signals = ["SIGTERM", "SIGINT"] as const;
  await Promise.race(signals.map((signal) => once(process, signal)));
  for (const signal of signals) process.once(signal, () => process.exit(1));
}

/** Closes the service; returns whether all requests in progress finished in time. */
async function closeService(service: PageService): Promise<boolean> {
  const timeout = sleep(SHUTDOWN_TIMEOUT_MS, false as const, { ref: false });
  return Promise.race([service.close().then(() => true), timeout]);
}
