import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { MAX_PIPELINED_REQUESTS } from "../../src/budgets.js";
import { serve } from "../service/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { raw } from "../toolkit/http/server.js";
import { sendRequest, createMarkedBlock, type Target } from "./load.js";
import { testUnless } from "../support/requirements.js";
import { createKey, getPercentile, chooseLength } from "./setup.js";

async function serveTarget(): Promise<{ target: Target; pid: number }> {
  const env = { DATA_DIR: createTemporaryFolder() };
  const made = await createKey(env);
  const service = await serve({ ...env, LOG_LEVEL: "silent" });
  return { target: { ...made, url: service.url }, pid: service.process.pid ?? 0 };
}

/** A connection that sends and receives only what the test controls. */
interface SlowConnection {
  readonly socket: Socket;
  open: boolean;
}

function openSlowConnection(url: string, text: string): SlowConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const slow = { socket, open: true };
  socket.on("error", () => {});
  socket.once("close", () => (slow.open = false));
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return slow;
}

/** Measures the latencies, in milliseconds, of a normal client that sends one request after another. */
async function measureLatencies(target: Target, pageId: string, seconds: number): Promise<number[]> {
  const seen: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const response = await sendRequest(target, "GET", `/v1/pages/${pageId}`);
    expect(response?.status).toBe(200);
    seen.push(response?.milliseconds ?? Infinity);
  }
  return seen;
}

test("slow clients are disconnected, and other requests succeed meanwhile", async () => {
  const { target } = await serveTarget();
  const authorization = `Authorization: Bearer ${target.key}\r\n`;
  const page = await sendRequest(target, "POST", "/v1/pages", {
    parent: { database_id: target.databaseId },
    properties: {},
    children: Array.from({ length: 100 }, () => createMarkedBlock("text ".repeat(400))),
  });
  const pageId = String(page?.body.id);
  await measureLatencies(target, pageId, 2);
  const idle = await measureLatencies(target, pageId, chooseLength(2, 15));

  const each = chooseLength(50, 1000);
  const openMany = (text: string): SlowConnection[] =>
    Array.from({ length: each }, () => openSlowConnection(target.url, text));
  const heads = openMany("GET /v1/users/me HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  const bodies = openMany(
    `POST /v1/search HTTP/1.1\r\nHost: a\r\n${authorization}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  // Clients that never read, with responses much larger than the socket buffers.
  const requestsEach = 1 + MAX_PIPELINED_REQUESTS;
  const list = `GET /v1/blocks/${pageId}/children HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`;
  const readers = Array.from({ length: chooseLength(5, 50) }, () =>
    openSlowConnection(target.url, list.repeat(requestsEach)),
  );
  const whole = await sendRequest(target, "GET", `/v1/blocks/${pageId}/children`);
  const size = JSON.stringify(whole?.body).length;
  let received = 0;
  for (const { socket } of readers) {
    socket.pause();
    socket.on("data", (data) => (received += data.length));
  }
  const slow = [...heads, ...bodies, ...readers];
  const drip = setInterval(() => {
    for (const { socket, open } of [...heads, ...bodies]) if (open) socket.write("x");
  }, 3000);
  onTestFinished(() => clearInterval(drip));
  // The service handles the requests of the slow readers first.
  await sleep(chooseLength(100, 3000));
  const meanwhile = await measureLatencies(target, pageId, chooseLength(2, 8));
  const held = slow.filter(({ open }) => open).length;
  expect(held).toBe(slow.length);

  // Waits until the idle timeout has passed, because clients that do not read cannot see that their connection is closed.
  const alone = sleep(chooseLength(45_000, 50_000));
  const end = performance.now() + 120_000;
  while ([...heads, ...bodies].some(({ open }) => open) && performance.now() < end) await sleep(500);
  expect([...heads, ...bodies].filter(({ open }) => open)).toEqual([]);
  await alone;
  for (const { socket } of readers) socket.resume();
  while (readers.some(({ open }) => open) && performance.now() < end) await sleep(500);
  expect(readers.filter(({ open }) => open)).toEqual([]);
  // They receive only the data in socket buffers.
  expect(received).toBeLessThan((readers.length * requestsEach * size) / 2);
  expect((await sendRequest(target, "GET", `/v1/pages/${pageId}`))?.status).toBe(200);

  const [before, during] = [idle, meanwhile].map((values) => getPercentile(values, 0.99));
  console.log(
    `${slow.length} slow clients: p99 of a normal one ${before?.toFixed(2)} ms without them, ` +
      `${during?.toFixed(2)} ms with them, ${((during ?? NaN) / (before ?? NaN)).toFixed(2)} times`,
  );
});

/** Reads the resident memory of a process in megabytes. */
function readMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

testUnless(process.platform === "linux" ? undefined : "/proc is only available on Linux")(
  "oversized bodies are refused before they are held in memory",
  async () => {
    const { target, pid } = await serveTarget();
    const page = { parent: { database_id: target.databaseId }, properties: {} };
    const head =
      `POST /v1/pages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${target.key}\r\n` +
      "Content-Type: application/json\r\n";
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    // A gzip file can consist of several concatenated members.
    const megabyte = gzipSync(Buffer.alloc(1024 * 1024, " "));
    const bomb = Buffer.concat(Array.from({ length: 1024 }, () => megabyte));
    const attacks: Record<string, () => (string | Uint8Array)[]> = {
      "announces 100 MB": () => [`${head}Content-Length: 100000000\r\n\r\n`, " ".repeat(1_000_000)],
      "sends 10 MB in chunks": () => [
        `${head}Transfer-Encoding: chunked\r\n\r\n`,
        ...Array.from({ length: 160 }, () => chunk),
        "0\r\n\r\n",
      ],
      "sends gzip that decompresses to 1 GB": () => [
        `${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
        bomb,
      ],
    };
    const expected = { "sends gzip that decompresses to 1 GB": "400" } as Record<string, string>;
    // Warms up with bodies of the allowed size, whose memory does not count.
    const allowed = [`${head}Content-Length: 500000\r\n\r\n`, JSON.stringify(page).padStart(500_000)];
    for (let count = 0; count < chooseLength(20, 500); count += 1) {
      const responses = await Promise.all([1, 2, 3, 4].map(() => raw(target.url, allowed, "public_url")));
      for (const response of responses) expect(response.slice(9, 12)).toBe("200");
    }
    const before = readMemory(pid);
    let peak = before;
    const look = setInterval(() => (peak = Math.max(peak, readMemory(pid))), 10);
    onTestFinished(() => clearInterval(look));
    let refused = 0;
    for (let round = 0; round < chooseLength(2, 25); round += 1) {
      for (const [name, parts] of Object.entries(attacks)) {
        const responses = await Promise.all(
          Array.from({ length: 4 }, () => raw(target.url, parts(), "request_id")),
        );
        for (const response of responses) {
          expect([name, response.slice(9, 12)]).toEqual([name, expected[name] ?? "413"]);
          refused += 1;
        }
      }
    }
    clearInterval(look);
    console.log(
      `${refused} oversized bodies refused: ${before.toFixed(0)} MB before, at most ${(peak - before).toFixed(1)} MB more`,
    );
    expect(peak - before).toBeLessThan(chooseLength(100, 20));
  },
);
