import { cpSync } from "node:fs";
import path from "node:path";
import { type Filled, createValues } from "./fill.js";
import { RawClient, encodeRequest } from "../raw-client.js";
import { startService } from "./start.js";

/** Numbers of concurrent connections. Each sends its next request as soon as it has the response. */
export const LEVELS = [1, 2, 4, 8, 16, 32, 64] as const;
const SECONDS = 3;
const WARM_UP_SECONDS = 1;

/** Kinds of requests with their percentages. */
const KINDS = {
  "GET page": 60,
  "GET blocks": 15,
  query: 10,
  POST: 5,
  PATCH: 10,
} as const;
export type Kind = keyof typeof KINDS;

/** Latencies of one kind of request with a number of connections, in milliseconds. */
export interface Latency {
  readonly kind: Kind;
  readonly connections: number;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** Loads the service with a mix of reads and writes over a growing number of connections. */
export async function measureMixed(filled: Filled, scratch: string): Promise<Latency[]> {
  console.log("Mixed load");
  const folder = path.join(scratch, "mixed");
  cpSync(filled.folder, folder, { recursive: true });
  const service = await startService(folder);
  const found: Latency[] = [];
  await loadWith(service.url, filled, 8, WARM_UP_SECONDS);
  for (const connections of LEVELS) {
    const times = await loadWith(service.url, filled, connections, SECONDS);
    for (const [kind, list] of times) {
      const sorted = list.toSorted((a, b) => a - b);
      const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
      found.push({ kind, connections, count: list.length, p50: at(0.5), p99: at(0.99) });
    }
  }
  await service.stop();
  return found;
}

async function loadWith(
  url: string,
  filled: Filled,
  connections: number,
  seconds: number,
): Promise<Map<Kind, number[]>> {
  // The cast: Object.keys returns the keys as strings.
  const times = new Map((Object.keys(KINDS) as Kind[]).map((kind) => [kind, [] as number[]]));
  const end = performance.now() + seconds * 1000;
  const sendRequests = async (): Promise<void> => {
    const client = await RawClient.open(url);
    while (performance.now() < end) {
      const kind = pickKind();
      const request = createRequest(kind, filled);
      const started = performance.now();
      await client.send(request);
      times.get(kind)?.push(performance.now() - started);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, sendRequests));
  return times;
}

function pickKind(): Kind {
  let left = Math.random() * 100;
  for (const [kind, share] of Object.entries(KINDS)) {
    left -= share;
    // The cast: Object.entries returns the keys as strings.
    if (left < 0) return kind as Kind;
  }
  return "GET page";
}

function createRequest(kind: Kind, { key, databaseId, pages, pageIds, shortPageId }: Filled): Buffer {
  const index = Math.floor(Math.random() * pages);
  const pageId = pageIds[index % pageIds.length] ?? "";
  switch (kind) {
    case "GET page":
      return encodeRequest("GET", `/v1/pages/${pageId}`, key);
    case "GET blocks":
      return encodeRequest("GET", `/v1/blocks/${shortPageId}/children?page_size=100`, key);
    case "query":
      return encodeRequest("POST", `/v1/databases/${databaseId}/query`, key, {
        filter: { property: "Code", rich_text: { equals: `code-${index}` } },
      });
    case "POST":
      return encodeRequest("POST", "/v1/pages", key, {
        parent: { database_id: databaseId },
        properties: createValues(index),
      });
    case "PATCH":
      return encodeRequest("PATCH", `/v1/pages/${pageId}`, key, {
        properties: { Number: { number: index } },
      });
  }
}

/** Formats latencies as a text table. */
export function formatLatencies(found: readonly Latency[]): string {
  const head = ["connections", "what", "requests", "p50", "p99"];
  const lines = [
    head,
    ...found.map(({ connections, kind, count, p50, p99 }) => [
      String(connections),
      kind,
      String(count),
      `${p50.toFixed(2)} ms`,
      `${p99.toFixed(2)} ms`,
    ]),
  ];
  return lines
    .map((line) =>
      line
        .map((cell) => cell.padEnd(14))
        .join("")
        .trimEnd(),
    )
    .join("\n");
}
