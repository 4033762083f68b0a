import { request } from "node:http";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPageService } from "../../src/service.js";
import { BusyError } from "../../src/errors.js";
import { createFailureLog } from "../../src/service/request-log.js";
import { readHiddenFields, Visitor } from "../support/visitor.js";
import { raw } from "../toolkit/http/server.js";

function createLogger(level = "debug") {
  const lines: Record<string, unknown>[] = [];
  return { logger: pino({ level }, { write: (line) => void lines.push(JSON.parse(line)) }), lines };
}

async function start(trustedProxies = ["loopback"], level = "debug") {
  const { logger, lines } = createLogger(level);
  const service = await createPageService({ database: ":memory:", logger, trustedProxies });
  onTestFinished(() => service.close());
  const url = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
  return { service, url, lines };
}

test("a request is logged with workspace, key and client address for any response", async () => {
  const { service, url, lines } = await start();
  const made = await service.createKey({ workspaceName: "Acme", plan: "enterprise", limit: 1 });
  const sendRequest = async (key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, "X-Forwarded-For": "203.0.113.7" };
    return (await fetch(`${url}/v1/users/me?secret=1`, { headers })).status;
  };
  expect([await sendRequest(made.key), await sendRequest(made.key), await sendRequest("none")]).toEqual([
    200, 429, 401,
  ]);
  const requests = lines.filter(({ msg }) => msg === "request");
  const known = {
    client_address: "203.0.113.7",
    workspace_id: made.workspaceId,
    method: "GET",
    path: "/v1/users/me",
    ms: expect.any(Number),
  };
  expect(requests).toMatchObject([{ ...known, status: 200 }, { ...known, status: 429 }, { status: 401 }]);
  expect(requests[0]?.key_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(requests[2]).not.toHaveProperty("key_id");
  expect(JSON.stringify(lines)).not.toMatch(/secret|ps_/);
});

test("the path of a request that is not valid HTTP is logged up to its first control character", async () => {
  const { url, lines } = await start();
  for (const character of ["\u001b", "\u007f", "\u009b"]) {
    await raw(url, [`GET /v1/a${character}[31m HTTP/1.1\r\nHost: a\r\n\r\n`]);
  }
  expect(lines.map(({ path }) => path)).toEqual(["/v1/a", "/v1/a", "/v1/a"]);
});

test("of the requests beyond a rate limit only the first of a window is logged at level info", async () => {
  const { service, url, lines } = await start();
  const { key } = await service.createKey({ workspaceName: "Acme", plan: "enterprise", limit: 1 });
  const headers = { authorization: `Bearer ${key}` };
  for (let count = 0; count < 4; count += 1) await fetch(`${url}/v1/users`, { headers });
  await fetch(`${url}/v1/${"x".repeat(8000)}`, { headers });
  const [info, debug] = [30, 20];
  const requests = lines.filter(({ msg }) => msg === "request");
  expect(requests.map(({ status, level }) => [status, level])).toEqual([
    [200, debug],
    [429, info],
    [429, debug],
    [429, debug],
    [429, debug],
  ]);
  expect(requests.at(-1)?.path).toBe(`/v1/${"x".repeat(196)}`);
});

test("of the requests without a key 20 per second are logged at level info, and the number of the others", async () => {
  const { url, lines } = await start([], "info");
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime("2026-01-01T00:00:00.000Z");
  for (let index = 0; index < 23; index += 1) await fetch(`${url}/v1/users`);
  vi.setSystemTime("2026-01-01T00:00:01.000Z");
  await fetch(`${url}/v1/users`);
  const found = lines.filter(({ level }) => level === 30).map(({ msg, omitted }) => omitted ?? msg);
  expect(found).toEqual([...Array.from({ length: 20 }, () => "request"), 3, "request"]);
});

test("request ids and trace ids are accepted only from trusted proxies", async () => {
  const id = "5f1d7a84-9d0f-4f0e-9b7a-3d9b3e1f2a60";
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { "X-Request-Id": id, traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const trusting = await start();
  const response = await fetch(`${trusting.url}/v1/users`, { headers });
  expect(response.headers.get("x-request-id")).toBe(id);
  expect(trusting.lines.filter(({ msg }) => msg === "request")).toMatchObject([
    { request_id: id, trace_id: trace },
  ]);
  for (const [invalid, traceparent] of [
    ["x", "x"],
    [`${id}0`, `00-${trace}-${"0".repeat(16)}-01`],
    [`0${id}`, `00-${"0".repeat(32)}-00f067aa0ba902b7-01`],
    [id.toUpperCase(), `${headers.traceparent}-00`],
  ] as const) {
    const other = await fetch(`${trusting.url}/v1/users`, {
      headers: { "X-Request-Id": invalid, traceparent },
    });
    expect(other.headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  }
  expect(trusting.lines.filter((line) => "trace_id" in line)).toHaveLength(1);

  const suspicious = await start([]);
  const plain = await fetch(`${suspicious.url}/v1/users`, { headers });
  expect(plain.headers.get("x-request-id")).not.toBe(id);
  expect(JSON.stringify(suspicious.lines)).not.toContain(trace);
});

test("a failed sign-in is logged and counted, without the password and the e-mail address", async () => {
  const { url, lines } = await start();
  const visitor = new Visitor(url);
  await visitor.signIn("nobody@example.org", "not the password");
  expect(lines.filter(({ msg }) => msg === "sign-in failed")).toMatchObject([
    { level: 40, client_address: "127.0.0.1", reason: "credentials" },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/nobody|not the password/);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain("page_service_failed_sign_ins_total 1");
});

test("a request that is refused or finds no database is logged in one line without a stack", async () => {
  const { service, url, lines } = await start();
  const [own, other] = await Promise.all(
    ["Acme", "Other"].map((workspaceName) => service.createKey({ workspaceName, plan: "free" })),
  );
  // Their bodies never arrive, so that each request reserves memory.
  const headers = {
    authorization: `Bearer ${own?.key}`,
    "content-type": "application/json",
    "content-length": 500_000,
  };
  const requests = Array.from({ length: 20 }, () => request(`${url}/v1/pages`, { method: "POST", headers }));
  const statuses = requests.map(
    (each) =>
      new Promise((resolve) => {
        each.on("error", () => {}).once("response", ({ statusCode }) => resolve(statusCode));
      }),
  );
  for (const each of requests) each.flushHeaders();
  expect(await Promise.race(statuses)).toBe(503);
  for (const each of requests) each.destroy();
  await service.store.close();
  const response = await fetch(`${url}/v1/users`, { headers: { authorization: `Bearer ${other?.key}` } });
  expect(response.status).toBe(503);
  const failures = lines.filter(({ msg }) => msg === "request refused" || msg === "request failed");
  const [warn, error] = [40, 50];
  expect(failures[0]).toMatchObject({ level: warn, msg: "request refused" });
  expect(failures.at(-1)).toMatchObject({
    level: error,
    reason: "The database is closed.",
    request_id: response.headers.get("X-Request-Id"),
  });
  expect(JSON.stringify(failures)).not.toContain("stack");
});

test("an unexpected error is logged with its stack and the id of the request", () => {
  const { logger, lines } = createLogger();
  createFailureLog(logger)("request failed", new Error("a mistake"), { request_id: "one" });
  const err = { message: "a mistake", stack: expect.stringContaining("logging.test.ts") };
  expect(lines).toMatchObject([{ level: 50, msg: "request failed", request_id: "one", err }]);
});

/** Logs 23 refused requests in one second and one in the next, and returns the lines of the log. */
function logRefusals(level: "info" | "debug") {
  const { logger, lines } = createLogger(level);
  const logFailure = createFailureLog(logger);
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  for (let index = 0; index < 23; index += 1) logFailure("request failed", new BusyError("busy"));
  vi.setSystemTime(1000);
  logFailure("request failed", new BusyError("busy"));
  return lines;
}

test("20 refused requests per second are logged, and the number of the others", () => {
  expect(logRefusals("info").map(({ msg, omitted }) => omitted ?? msg)).toEqual([
    ...Array.from({ length: 20 }, () => "request refused"),
    3,
    "request refused",
  ]);
});

test("at level debug all refused requests are logged with their level, and none is counted as omitted", () => {
  expect(logRefusals("debug").map(({ msg, level }) => [msg, level])).toEqual(
    Array.from({ length: 24 }, () => ["request refused", 40]),
  );
});

test("usage that cannot be written is logged", async () => {
  const { service, url, lines } = await start();
  const { key } = await service.createKey({ workspaceName: "Acme" });
  await fetch(`${url}/v1/users`, { headers: { authorization: `Bearer ${key}` } });
  service.store.writeWithoutInvalidation = () => Promise.reject(new Error("out of reach"));
  await service.close();
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 40,
      msg: "request counts cannot be written at the moment; retrying later",
      err: expect.objectContaining({ message: "out of reach" }),
    }),
  );
});

test("20 failed sign-ins per second are logged", async () => {
  const { url, lines } = await start(["loopback"], "info");
  const visitor = new Visitor(url);
  const hidden = readHiddenFields(await (await visitor.get("/sign-in")).text(), "/sign-in");
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  // Most of them are refused at once, while one waits for its delay.
  const forms = Array.from({ length: 40 }, () =>
    visitor.send("/sign-in", { ...hidden, email: "nobody@example.org", password: "wrong" }),
  );
  await Promise.all(forms);
  expect(lines.filter(({ msg }) => msg === "sign-in failed")).toHaveLength(20);
});
