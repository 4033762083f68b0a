import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPageService } from "../../src/service.js";
import { sharedStores } from "../support/stores.js";
import { createEnvironment, serve } from "./command.js";
import { runInProcess } from "./run-in-process.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

async function serveWithKey(env: Record<string, string> = { DATA_DIR: createTemporaryFolder() }) {
  const made = await runInProcess(
    ["keys", "create", "--workspace", "A", "--plan", "enterprise", "--json"],
    env,
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const { key, root_database_id: databaseId } = JSON.parse(made.stdout);
  const body = JSON.stringify({ parent: { database_id: databaseId }, properties: {} });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return { ...(await serve({ ...env, LOG_LEVEL: "debug" })), body, headers };
}

/** Signals that stop the service, one for each store. */
const SIGNALS = ["SIGTERM", "SIGINT"] as const;

test.for(
  sharedStores.map(([store, newLocation], index) => ({
    store,
    newLocation,
    signal: SIGNALS[index % SIGNALS.length] ?? "SIGTERM",
  })),
)(
  "$signal under load, on $store: accepted requests get a response, and acknowledged writes are kept",
  async ({ newLocation, signal }) => {
    const env = createEnvironment(await newLocation());
    const { url, process: child, ended, body, headers } = await serveWithKey(env);
    const ids: string[] = [];
    const broken: unknown[] = [];
    const writer = async (): Promise<void> => {
      for (;;) {
        try {
          const response = await fetch(`${url}/v1/pages`, { method: "POST", headers, body });
          const { id, code } = JSON.parse(await response.text());
          if (response.status === 200) ids.push(id);
          else broken.push(code);
        } catch (error) {
          // Only connections that were not accepted, or that the service closed before the request, can fail.
          if (!(error instanceof TypeError)) broken.push(error);
          return;
        }
      }
    };
    const writers = Promise.all(Array.from({ length: 8 }, writer));
    while (ids.length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill(signal);
    const { code, signal: by, stderr } = await ended;
    await writers;
    expect({ code, by, broken }).toEqual({ code: 0, by: null, broken: [] });
    // The log ends with complete lines in order.
    const lines: { msg: string; status?: number }[] = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const said = lines.map(({ msg }) => msg).filter((msg) => msg.startsWith("stop"));
    expect(said).toEqual(["stopping: finishing requests in progress", "stopped"]);
    expect(lines.at(-1)?.msg).toBe("stopped");
    // Every created page has been acknowledged.
    expect(lines.filter(({ msg, status }) => msg === "request" && status === 200)).toHaveLength(ids.length);

    const again = await serve(env);
    for (const id of [ids[0], ids.at(-1)]) {
      expect((await fetch(`${again.url}/v1/pages/${id}`, { headers })).status).toBe(200);
    }
  },
);

test("a partially sent request gets `Connection: close`, and the process does not wait for further requests", async () => {
  const { url, process: child, ended, printed, body, headers } = await serveWithKey();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding("utf8");
  let response = "";
  socket.on("data", (text) => (response += text));
  const head = Object.entries({ Host: "a", ...headers, "Content-Length": String(body.length) });
  socket.write(`POST /v1/pages HTTP/1.1\r\n${head.map((pair) => pair.join(": ")).join("\r\n")}\r\n\r\n`);
  socket.write(body.slice(0, 10));
  // The service has read its headers when a later request has its response.
  await fetch(`${url}/livez`);
  const idle = connect(Number(port), hostname);
  await once(idle, "connect");
  child.kill("SIGTERM");
  await printed("stopping");
  await expect(fetch(`${url}/livez`, { headers: { connection: "close" } })).rejects.toThrow(TypeError);
  socket.write(body.slice(10));
  await once(socket, "close");
  expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(response).toMatch(/\r\nConnection: close\r\n/i);
  expect((await ended).code).toBe(0);
  idle.destroy();
});

test("a request that does not finish is cut off after ten seconds, with the exit code 1", async () => {
  const { url, process: child, ended, printed, headers } = await serveWithKey();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const head = Object.entries({ Host: "a", ...headers, "Content-Length": "1000" });
  socket.write(`POST /v1/pages HTTP/1.1\r\n${head.map((pair) => pair.join(": ")).join("\r\n")}\r\n\r\n`);
  // The body arrives slowly, but without a pause.
  const timer = setInterval(() => socket.write(" "), 500);
  onTestFinished(() => {
    clearInterval(timer);
    socket.destroy();
  });
  await fetch(`${url}/livez`);
  child.kill("SIGTERM");
  await printed("stopped with unfinished requests");
  expect((await ended).code).toBe(1);
});

test("a second signal ends the process at once", async () => {
  const { url, process: child, ended, printed, headers } = await serveWithKey();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const head = Object.entries({ Host: "a", ...headers, "Content-Length": "100" });
  socket.write(`POST /v1/pages HTTP/1.1\r\n${head.map((pair) => pair.join(": ")).join("\r\n")}\r\n\r\n`);
  await fetch(`${url}/livez`);
  child.kill("SIGTERM");
  await printed("stopping");
  child.kill("SIGTERM");
  expect((await ended).code).toBe(1);
  socket.destroy();
});

test("closing a service twice finishes the requests in progress", async () => {
  const service = await createPageService({ database: ":memory:" });
  const port = await service.listen(0, "127.0.0.1");
  const { key } = await service.createKey({ workspaceName: "A", plan: "free" });
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let response = "";
  socket.on("data", (text) => (response += text));
  const head =
    "POST /v1/search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n";
  socket.write(`${head}Authorization: Bearer ${key}\r\n\r\n{`);
  // The service has read the headers when a later request has its response.
  await fetch(`http://127.0.0.1:${port}/livez`, { headers: { connection: "close" } });
  const closing = [service.close(), service.close()];
  await new Promise((resolve) => setImmediate(resolve));
  socket.write("}");
  await Promise.all([...closing, once(socket, "close")]);
  expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n/);
});

test("a closed service has no timers left", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const service = await createPageService({ database: ":memory:" });
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  await service.close();
  expect(vi.getTimerCount()).toBe(0);
});
