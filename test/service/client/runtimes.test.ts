import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ForeignProject } from "../../e2e/foreign-project.js";
import { connect } from "../../support/contract.js";
import { startServer } from "../../support/server.js";
import { fetchRuntime, type RuntimeName } from "../../support/runtimes.js";
import { createProgram, type ProgramInput, RESULT } from "./program.js";

/** Result of the program behind a proxy that refuses its first request. */
const EXPECTED = { ...RESULT, attempts: ["createPage 429", ...RESULT.attempts], waits: true };

/** Runs the program of a project in a runtime; returns the result of its `run`. */
type Run = (program: string, project: ForeignProject, given: ProgramInput) => Promise<unknown>;

/** Creates a module that prints the result of the program. */
const createPrinter = (given: ProgramInput): string =>
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
  project.write("run.ts", createProgram("page-service-client"));
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
    const { baseUrl, key, rootDatabaseId } = await connect();
    const proxyUrl = await startRefusingProxy(baseUrl);
    const given = { baseUrl: proxyUrl, apiKey: key, database_id: rootDatabaseId };
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
function startRefusingProxy(service: string): Promise<string> {
  let refused = false;
  return startServer((incoming, response) => {
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
}
