import path from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { type ProvisionedKey, provisionDemo } from "../access/provision.js";
import { type Config, readConfig } from "../config.js";
import { logOutput } from "./log-output.js";
import { createPageService, type PageService } from "../service.js";

/** Milliseconds that requests under way get to finish when the service is told to stop. */
const GRACE = 10_000;

/** `page-service serve`: runs until SIGTERM or SIGINT. */
export async function serveCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { memory: { type: "boolean", default: false } } });
  const config = readConfig(process.env);
  const output = logOutput();
  const logger = pino({ level: config.logLevel }, output);
  const service = await createPageService({
    database: values.memory ? ":memory:" : config.database,
    baseUrl: config.baseUrl,
    appUrl: config.appUrl,
    redisUrl: config.redisUrl,
    trustedProxies: config.trustedProxies,
    logger,
  });
  try {
    // In this order: a key that was made before the port turned out to be taken would never be shown.
    const port = await service.listen(config.port, config.host);
    const demo = await provisionDemo(service.store);
    console.log(welcome(config, port, values.memory, demo));
  } catch (error) {
    await service.close();
    throw error;
  }
  await stopSignal();
  logger.info("stopping: finishing the requests under way");
  const stopped = await stop(service);
  logger.info(stopped ? "stopped" : "stopped with requests unfinished");
  await output.close();
  return stopped ? 0 : 1;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}

/** Whether everything under way was finished in time. A second signal ends the process at once. */
async function stop(service: PageService): Promise<boolean> {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(1));
  const late = new Promise<false>((resolve) => setTimeout(resolve, GRACE, false).unref());
  return Promise.race([service.close().then(() => true), late]);
}

/** Where the data is; of an address neither user nor password. */
function describeDatabase(location: string): string {
  if (!/^postgres(ql)?:/i.test(location)) return path.dirname(location);
  const { host, pathname } = new URL(location.replace("@/", "@localhost/"));
  return `PostgreSQL, ${decodeURIComponent(pathname.slice(1))} at ${host || "localhost"}`;
}

/** What a newcomer needs to know. The key is on the screen this once; only its hash is kept. */
function welcome(config: Config, port: number, memory: boolean, demo: ProvisionedKey | undefined): string {
  // With PORT=0 the system chose the port.
  const base = config.port === 0 ? config.baseUrl.replace(/:0$/, `:${port}`) : config.baseUrl;
  const app = config.port === 0 ? config.appUrl.replace(/:0$/, `:${port}`) : config.appUrl;
  const lines = [
    "",
    `Page Service is running at ${base}`,
    "",
    `  API docs   ${base}/docs`,
    `  OpenAPI    ${base}/openapi.json`,
    `  API keys   ${app}/settings/api`,
    `  Health     ${base}/livez  ${base}/readyz`,
    `  Metrics    ${base}/metrics`,
    `  Data       ${memory ? "in memory: gone when the service stops" : describeDatabase(config.database)}`,
    "",
  ];
  if (!demo) {
    return [...lines, "Another key:  npx page-service keys create --workspace NAME --plan free", ""].join(
      "\n",
    );
  }
  const body = JSON.stringify({
    parent: { database_id: demo.rootDatabaseId },
    properties: { Title: { title: [{ text: { content: "Hello" } }] } },
  });
  return [
    ...lines,
    'This first start made the workspace "Demo" (plan pro, 1,000 requests a minute) with a database "Pages":',
    "",
    `  API key      ${demo.key}   shown this once: keep it`,
    `  Database id  ${demo.rootDatabaseId}`,
    "",
    "Create a page:",
    "",
    `  curl ${base}/v1/pages -H 'Authorization: Bearer ${demo.key}' -H 'Content-Type: application/json' -d '${body}'`,
    "",
  ].join("\n");
}
