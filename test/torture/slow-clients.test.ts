import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { serve, temporaryFolder } from "../service/command.js";
import { raw } from "../toolkit/http/server.js";
import { ask, markedBlock, type Target } from "./load.js";
import { testUnless } from "../support/requirements.js";
import { makeKey, percentile, times } from "./setup.js";

async function serveTarget(): Promise<{ target: Target; pid: number }> {
  const env = { DATA_DIR: temporaryFolder() };
  const made = await makeKey(env);
  const service = await serve({ ...env, LOG_LEVEL: "silent" });
  return { target: { ...made, url: service.url }, pid: service.process.pid ?? 0 };
}

/** A connection that does nothing by itself. */
interface Slow {
  readonly socket: Socket;
  open: boolean;
}

function openSlow(url: string, text: string): Slow {
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
async function latencies(target: Target, pageId: string, seconds: number): Promise<number[]> {
  const seen: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const answer = await ask(target, "GET", `/v1/pages/${pageId}`);
    expect(answer?.status).toBe(200);
    seen.push(answer?.milliseconds ?? Infinity);
  }
  return seen;
}

test(
  "slow clients are disconnected, and other requests succeed meanwhile",
  { timeout: 300_000 },
  async () => {
    const { target } = await serveTarget();
    const authorization = `Authorization: Bearer ${target.key}\r\n`;
    const page = await ask(target, "POST", "/v1/pages", {
      parent: { database_id: target.databaseId },
      properties: {},
      children: Array.from({ length: 100 }, () => markedBlock("text ".repeat(400))),
    });
    const pageId = String(page?.body.id);
    await latencies(target, pageId, 2);
    const idle = await latencies(target, pageId, times(2, 15));

    const each = times(50, 1000);
    const many = (text: string): Slow[] => Array.from({ length: each }, () => openSlow(target.url, text));
    const heads = many("GET /v1/users/me HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    const bodies = many(
      `POST /v1/search HTTP/1.1\r\nHost: a\r\n${authorization}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    // They never read: far more is asked for than the system keeps for them.
    const list = `GET /v1/blocks/${pageId}/children HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`;
    const readers = Array.from({ length: times(5, 50) }, () => openSlow(target.url, list.repeat(200)));
    const whole = await ask(target, "GET", `/v1/blocks/${pageId}/children`);
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
    await sleep(times(100, 3000));
    const meanwhile = await latencies(target, pageId, times(2, 8));
    const held = slow.filter(({ open }) => open).length;
    expect(held).toBe(slow.length);

    // Waits until the idle timeout has passed, because clients that do not read cannot see that their connection is closed.
    const alone = sleep(times(45_000, 50_000));
    const end = performance.now() + 120_000;
    while ([...heads, ...bodies].some(({ open }) => open) && performance.now() < end) await sleep(500);
    expect([...heads, ...bodies].filter(({ open }) => open)).toEqual([]);
    await alone;
    for (const { socket } of readers) socket.resume();
    while (readers.some(({ open }) => open) && performance.now() < end) await sleep(500);
    expect(readers.filter(({ open }) => open)).toEqual([]);
    // They receive only the data in socket buffers.
    expect(received).toBeLessThan((readers.length * 200 * size) / 2);
    expect((await ask(target, "GET", `/v1/pages/${pageId}`))?.status).toBe(200);

    const [before, during] = [idle, meanwhile].map((values) => percentile(values, 0.99));
    console.log(
      `${slow.length} slow clients: p99 of a normal one ${before?.toFixed(2)} ms without them, ` +
        `${during?.toFixed(2)} ms with them, ${((during ?? NaN) / (before ?? NaN)).toFixed(2)} times`,
    );
  },
);

/** Megabytes of memory that a process has. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

testUnless(process.platform === "linux" ? undefined : "/proc is only available on Linux")(
  "oversized bodies are refused before they are held in memory",
  { timeout: 300_000 },
  async () => {
    const { target, pid } = await serveTarget();
    const page = { parent: { database_id: target.databaseId }, properties: {} };
    const head =
      `POST /v1/pages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${target.key}\r\n` +
      "Content-Type: application/json\r\n";
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    // A gzip file is one or more, one after another.
    const megabyte = gzipSync(Buffer.alloc(1024 * 1024, " "));
    const bomb = Buffer.concat(Array.from({ length: 1024 }, () => megabyte));
    const attacks: Record<string, () => (string | Uint8Array)[]> = {
      "announces 100 MB": () => [`${head}Content-Length: 100000000\r\n\r\n`, " ".repeat(1_000_000)],
      "sends 10 MB in chunks": () => [
        `${head}Transfer-Encoding: chunked\r\n\r\n`,
        ...Array.from({ length: 160 }, () => chunk),
        "0\r\n\r\n",
      ],
      "sends what unpacks to 1 GB": () => [
        `${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
        bomb,
      ],
    };
    const expected = { "sends what unpacks to 1 GB": "400" } as Record<string, string>;
    // Memory of bodies of the allowed size does not count.
    const allowed = [`${head}Content-Length: 500000\r\n\r\n`, JSON.stringify(page).padStart(500_000)];
    for (let count = 0; count < times(20, 500); count += 1) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => raw(target.url, allowed, "public_url")));
      for (const answer of answers) expect(answer.slice(9, 12)).toBe("200");
    }
    const before = memoryOf(pid);
    let most = before;
    const look = setInterval(() => (most = Math.max(most, memoryOf(pid))), 10);
    onTestFinished(() => clearInterval(look));
    let refused = 0;
    for (let round = 0; round < times(2, 25); round += 1) {
      for (const [name, parts] of Object.entries(attacks)) {
        const answers = await Promise.all(
          Array.from({ length: 4 }, () => raw(target.url, parts(), "request_id")),
        );
        for (const answer of answers) {
          expect([name, answer.slice(9, 12)]).toEqual([name, expected[name] ?? "413"]);
          refused += 1;
        }
      }
    }
    clearInterval(look);
    console.log(
      `${refused} bodies too large: ${before.toFixed(0)} MB before, ${(most - before).toFixed(1)} MB more at most`,
    );
    expect(most - before).toBeLessThan(times(100, 20));
  },
);
