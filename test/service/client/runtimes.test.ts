import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ForeignProject } from "../../e2e/foreign-project.js";
import { serve } from "../command.js";
import { fetchRuntime, type RuntimeName } from "../../support/runtimes.js";

/** Program for every runtime, which writes, reads, paginates, gets an error, and is rate limited. */
const PROGRAM = `
import { ConnectionError, createClient, isPageServiceError, type LogEntry, paginate, property } from "page-service-client";

export async function run(given: { baseUrl: string; apiKey: string; database_id: string }) {
  const { baseUrl, apiKey, database_id } = given;
  const tries: LogEntry[] = [];
  const client = createClient({ baseUrl, apiKey, log: (entry) => tries.push(entry) });
  const parent = { database_id };
  const ids: string[] = [];
  for (const name of ["one", "two", "three"]) {
    const { body } = await client.createPage({ body: { parent, properties: { Title: property.title(name) } } });
    ids.push(body.id);
  }
  const { body: read, headers } = await client.retrievePage({ path: { page_id: ids[0] ?? "" } });
  const request = { path: { database_id }, body: { page_size: 2 } };
  const titles: string[] = [];
  for await (const { properties } of paginate(client.queryDatabase, request)) {
    const title = properties["Title"];
    if (title?.type === "title") titles.push(title.title[0]?.plain_text ?? "");
  }
  const caught = (call: Promise<unknown>): Promise<unknown> => call.then(() => "nothing", (error) => error);
  const missing = await caught(client.retrievePage({ path: { page_id: crypto.randomUUID() } }));
  const nobody = createClient({ baseUrl: "http://127.0.0.1:1", apiKey, retries: 0 });
  const unreachable = await caught(nobody.retrieveBotUser());
  const aborted = await caught(client.retrieveBotUser({}, { signal: AbortSignal.abort() }));
  return {
    read: read.id === ids[0],
    limit: typeof headers["X-RateLimit-Limit"],
    titles,
    missing: isPageServiceError(missing, "object_not_found") && missing.status,
    unreachable: unreachable instanceof ConnectionError && unreachable.reason,
    aborted: aborted instanceof Error && aborted.name,
    first: tries.slice(0, 2).map(({ operation, status, attempt }) => [operation, status, attempt]),
    waits: (tries[0]?.retryIn ?? 0) >= 1000,
  };
}
`;

const EXPECTED = {
  read: true,
  limit: "number",
  titles: ["one", "two", "three"],
  missing: 404,
  unreachable: "network",
  aborted: "AbortError",
  first: [
    ["createPage", 429, 1],
    ["createPage", 200, 2],
  ],
  waits: true,
};

/** Address, key and database of the program. */
interface Given {
  baseUrl: string;
  apiKey: string;
  database_id: string;
}

/** Runs the program of a project in a runtime; returns the result of its `run`. */
type Run = (program: string, project: ForeignProject, given: Given) => Promise<unknown>;

/** Creates a module that prints the result of the program. */
const createPrinter = (given: Given): string =>
  `import { run } from "./run.ts";\nconsole.log(JSON.stringify(await run(${JSON.stringify(given)})));\n`;

const RUNS: Record<RuntimeName, Run> = {
  /** Deno, which also checks types, and has permission only to call the service. */
  async Deno(program, project, given) {
    project.write("main.ts", createPrinter(given));
    const hosts = [new URL(given.baseUrl).host, "127.0.0.1:1"].join(",");
    const args = ["run", "--check", "--no-remote", "--no-prompt", `--allow-net=${hosts}`, "main.ts"];
    return runAndParse(program, args, project);
  },
  async Bun(program, project, given) {
    project.write("main.ts", createPrinter(given));
    return runAndParse(program, ["run", "main.ts"], project);
  },
  /** Runtime of Cloudflare Workers, which runs one file as a server. */
  async workerd(program, project, given) {
    const fetch = `export default { fetch: async () => Response.json(await run(${JSON.stringify(given)})) };\n`;
    project.write("worker.ts", `import { run } from "./run.ts";\n${fetch}`);
    await build({
      entryPoints: [path.join(project.folder, "worker.ts")],
      outfile: path.join(project.folder, "worker.js"),
      bundle: true,
      format: "esm",
      conditions: ["workerd", "worker", "browser"],
      logLevel: "silent",
    });
    project.write("config.capnp", WORKERD);
    return (await globalThis.fetch(await startWorkerd(program, project))).json();
  },
};

const WORKERD = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

let packed: string;
let project: ForeignProject;
let unreachable: string | undefined;

beforeAll(async () => {
  packed = mkdtempSync(path.join(tmpdir(), "page-service-packed-"));
  project = new ForeignProject();
  unreachable = await project.npmInstall(await ForeignProject.pack(packed, "./dist/client-package"));
  if (unreachable !== undefined && process.env.CI) throw new Error(unreachable);
  project.write("run.ts", PROGRAM);
});
afterAll(() => {
  project.remove();
  rmSync(packed, { recursive: true, force: true });
});

// Only Deno outside of CI, because the runtimes are large downloads.
const names: RuntimeName[] = process.env.CI ? ["Deno", "Bun", "workerd"] : ["Deno"];
if (!process.env.CI) console.warn("Skipped the client in Bun and workerd, which are downloaded only in CI.");

describe.each(names)("the packed client in %s", (name) => {
  test("passes the same checks as in Node", async (context) => {
    const runtime = unreachable === undefined ? await fetchRuntime(name) : { missing: unreachable };
    if ("missing" in runtime) {
      console.warn(`Skipped the client in ${name}: ${runtime.missing}`);
      return context.skip(runtime.missing);
    }
    const { url, welcome } = await serve({ LOG_LEVEL: "silent" }, ["--memory"]);
    const apiKey = /(ps_\w{36})/.exec(welcome)?.[1] ?? "";
    const database_id = /Database id +(\S+)/.exec(welcome)?.[1] ?? "";
    const given = { baseUrl: await startRefusingProxy(url), apiKey, database_id };
    expect(await RUNS[name](runtime.program, project, given)).toEqual(EXPECTED);
  });
});

/** Runs a program of the project and parses its JSON output. The program must not download another version of itself. */
async function runAndParse(program: string, args: string[], { folder }: ForeignProject): Promise<unknown> {
  const env = { HOME: folder, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env });
  return JSON.parse(stdout);
}

/** Starts workerd on a free port and returns its URL; it stops after the test. */
function startWorkerd(program: string, { folder }: ForeignProject): Promise<string> {
  const child = spawn(program, ["serve", "config.capnp", "--control-fd=1"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    child.once("close", (code) => reject(new Error(`workerd ended with ${code}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const port = /"port":\s*(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}/`);
    });
  });
}

/** Starts a proxy that refuses the first request with Retry-After, and forwards all others. */
async function startRefusingProxy(service: string): Promise<string> {
  let refused = false;
  const server = createServer((incoming, response) => {
    if (!refused) {
      refused = true;
      incoming.resume();
      response.writeHead(429, { "Retry-After": "1", "Content-Type": "application/json" });
      response.end('{"object":"error","status":429,"code":"rate_limited","message":"Later."}');
      return;
    }
    const { method, headers } = incoming;
    const outgoing = request(service + incoming.url, { method, headers }, (forwarded) => {
      response.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
      forwarded.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // The cast: a server on a TCP port has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
