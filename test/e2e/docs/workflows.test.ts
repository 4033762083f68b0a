import { request } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT } from "../../support/api-document.js";
import { startServer } from "../../support/server.js";
import { type RunningService, startService } from "../../support/service.js";
import { type Outcome, run } from "./programs.js";

let running: RunningService;
beforeAll(async () => {
  running = await startService();
});
afterAll(() => running.service.close());

/**
 * Starts a proxy that closes each connection after its response. Without it, Redocly, which can be busy for longer than the
 * idle timeout of the service, sends requests on connections that have just been closed.
 */
function startClosingProxy(baseUrl: string): Promise<string> {
  return startServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const forwarded = request(`${baseUrl}${url}`, { method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, connection: "close" });
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
}

/** Runs `redocly respect` with an API key and without other network access. */
async function runRespect(key: string): Promise<Outcome> {
  const command = path.join(PROJECT, "node_modules/@redocly/cli/bin/cli.js");
  const server = `page-service=${await startClosingProxy(running.baseUrl)}`;
  const args = ["respect", "spec/workflows.arazzo.yaml", "--server", server, "--input", `API_KEY=${key}`];
  const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return run(process.execPath, [command, ...args], { env });
}

test("the workflows run as written", async () => {
  const { code, stdout, stderr } = await runRespect(running.key);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout + stderr).toMatch(/Workflows: 1 passed, 1 total/);
  // The workflow was really executed: the database exists.
  const headers = { Authorization: `Bearer ${running.key}` };
  const databases = await fetch(`${running.baseUrl}/v1/databases`, { headers });
  expect(await databases.text()).toContain('"plain_text":"Trips"');
});

test("a workflow that fails is reported", async () => {
  const { key } = await running.createKey({ access: "read_only" });
  const { code, stdout, stderr } = await runRespect(key);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain("1 failed");
});
