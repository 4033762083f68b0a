import { describe, expect, test } from "vitest";
import { createEnvironment, serve } from "../service/command.js";
import { TEST_TIMEOUT_MS } from "../support/load.js";
import { Random, takeSeed } from "../support/random.js";
import { sharedStores } from "../support/stores.js";
import {
  type Access,
  type Append,
  findListAnomalies,
  type ListRead,
  findRegisterAnomalies,
} from "./history.js";
import { sendRequest, createMarkedBlock, readMarks, type Target } from "./load.js";
import { createKey, chooseLength } from "./setup.js";

describe("the checker reports", () => {
  const append = (mark: string, sent: number, completed: number): Append => ({ mark, sent, completed });
  const a = append("a", 0, 1);
  const b = append("b", 2, 3);

  test.each<[string, Append[], ListRead[], string[]]>([
    ["a lost mark", [a, b], [], ["b"]],
    ["a duplicate mark", [a], [], ["a", "a"]],
    ["a mark that was never appended", [a], [], ["a", "x"]],
    ["marks in the reverse order of their appends", [a, b], [], ["b", "a"]],
    ["a read in another order", [a, b], [{ sent: 4, completed: 5, marks: ["b"] }], ["a", "b"]],
    ["a read that misses a completed append", [a, b], [{ sent: 4, completed: 5, marks: ["a"] }], ["a", "b"]],
    ["a read before the append", [a, b], [{ sent: 1.2, completed: 1.5, marks: ["a", "b"] }], ["a", "b"]],
  ])("%s", (_, appends, reads, final) => {
    expect(findListAnomalies(appends, reads, final)).toHaveLength(1);
  });

  test("no problem for valid lists, including appends without a response", () => {
    const lost = append("c", 4, Infinity);
    const reads = [
      { sent: 0.5, completed: 2.5, marks: [] },
      { sent: 2.5, completed: 2.6, marks: ["a", "b"] },
    ];
    expect(findListAnomalies([a, b, lost], reads, ["a", "b"])).toEqual([]);
    expect(findListAnomalies([a, b, lost], reads, ["a", "b", "c"])).toEqual([]);
  });

  test("reads of unwritten, future, stale and regressing values", () => {
    const access = (value: number | null, sent: number, completed: number): Access => ({
      value,
      sent,
      completed,
    });
    const writes = [access(1, 0, 1), access(2, 2, 3)];
    expect(findRegisterAnomalies(writes, [access(1, 1.5, 5), access(2, 4, 5), access(null, 0.5, 2)])).toEqual(
      [],
    );
    expect(findRegisterAnomalies(writes, [access(7, 4, 5)])).toHaveLength(1);
    expect(findRegisterAnomalies(writes, [access(2, 0, 1.5)])).toHaveLength(1);
    expect(findRegisterAnomalies(writes, [access(1, 4, 5)])).toHaveLength(1);
    expect(findRegisterAnomalies(writes, [access(2, 2.1, 2.2), access(1, 2.3, 2.9)])).toHaveLength(1);
  });
});

const PROCESSES = 4;
const CLIENTS = 12;
const PAGES = 3;
const UPDATES = 8;

interface PageHistory {
  readonly id: string;
  readonly appends: Append[];
  readonly listReads: ListRead[];
  readonly writes: Access[];
  readonly reads: Access[];
}

/** Maximum number of blocks in one response. Longer lists take several requests, so they are not read at one moment. */
const MAX_LIST_LENGTH = 100;

interface Processes {
  readonly targets: readonly Target[];
  readonly first: Target;
  readonly databaseId: string;
}

/** Starts several processes on one database, with one key. */
async function startProcesses(location: string): Promise<Processes> {
  const env = createEnvironment(location);
  const key = await createKey(env);
  const services = await Promise.all(
    Array.from({ length: PROCESSES }, () => serve({ ...env, LOG_LEVEL: "silent" })),
  );
  const targets: Target[] = services.map(({ url }) => ({ ...key, url }));
  const [first] = targets;
  if (first === undefined) throw new Error("There is no process.");
  return { targets, first, databaseId: key.databaseId };
}

describe.each(sharedStores)("%s, 4 processes", (store, newLocation) => {
  const seconds = chooseLength(2, 600);
  test(
    `reads and writes of 12 clients for ${seconds} s are linearizable, and 50 clients with ${UPDATES} updates each of their own property lose no update`,
    { timeout: TEST_TIMEOUT_MS + seconds * 2000 },
    async () => {
      const processes = await startProcesses(await newLocation());
      await expectLinearizable(processes, store, seconds);
      await expectNoLostUpdate(processes);
    },
  );
});

/** Reads and writes for a time with several clients, and expects that all responses fit one order. */
async function expectLinearizable(
  { targets, first, databaseId }: Processes,
  store: string,
  seconds: number,
): Promise<void> {
  const random = new Random(takeSeed());
  const createPage = async (): Promise<PageHistory> => {
    const page = await sendRequest(first, "POST", "/v1/pages", {
      parent: { database_id: databaseId },
      properties: {},
    });
    return { id: String(page?.body.id), appends: [], listReads: [], writes: [], reads: [] };
  };
  const pages = await Promise.all(Array.from({ length: PAGES }, createPage));
  const histories = [...pages];
  let written = 0;
  let operations = 0;
  const step = async (): Promise<void> => {
    const place = random.below(PAGES);
    const page = pages[place];
    if (page === undefined) throw new Error("The page is missing.");
    const target = random.pick(targets);
    const kind = random.below(4);
    const path = `/v1/pages/${page.id}`;
    const sent = performance.now();
    if (kind === 0) {
      written += 1;
      const mark = `mark ${written}`;
      const body = { children: [createMarkedBlock(mark)] };
      const response = await sendRequest(target, "PATCH", `/v1/blocks/${page.id}/children`, body);
      expect(response?.status).toBe(200);
      page.appends.push({ mark, sent, completed: performance.now() });
      if (page.appends.length === MAX_LIST_LENGTH) {
        const next = await createPage();
        pages[place] = next;
        histories.push(next);
      }
    } else if (kind === 1) {
      const marks = await readMarks(target, page.id);
      if (marks.length <= MAX_LIST_LENGTH) page.listReads.push({ marks, sent, completed: performance.now() });
    } else if (kind === 2) {
      written += 1;
      const value = written;
      const response = await sendRequest(target, "PATCH", path, {
        properties: { Points: { number: value } },
      });
      expect(response?.status).toBe(200);
      page.writes.push({ value, sent, completed: performance.now() });
    } else {
      const response = await sendRequest(target, "GET", path);
      expect(response?.status).toBe(200);
      // The cast: the document declares the type.
      const values = response?.body["properties"] as { Points: { number: number | null } } | undefined;
      page.reads.push({ value: values?.Points.number ?? null, sent, completed: performance.now() });
    }
    operations += 1;
  };
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < end) await step();
    }),
  );
  const anomalies: string[] = [];
  for (const page of histories) {
    anomalies.push(
      ...findListAnomalies(page.appends, page.listReads, await readMarks(first, page.id)),
      ...findRegisterAnomalies(page.writes, page.reads),
    );
  }
  console.log(
    `${store}: ${operations} operations of ${PROCESSES} processes on ${histories.length} pages, ${anomalies.length} anomalies`,
  );
  expect(anomalies).toEqual([]);
}

/** Updates one page with many clients, and expects that every process reads the last value of each. */
async function expectNoLostUpdate({ targets, first, databaseId }: Processes): Promise<void> {
  const names = Array.from({ length: 50 }, (_, index) => `Client ${index}`);
  const database = await sendRequest(first, "PATCH", `/v1/databases/${databaseId}`, {
    properties: Object.fromEntries(names.map((name) => [name, { number: {} }])),
  });
  expect(database?.status).toBe(200);
  const page = await sendRequest(first, "POST", "/v1/pages", {
    parent: { database_id: databaseId },
    properties: {},
  });
  const path = `/v1/pages/${page?.body.id}`;
  await Promise.all(
    names.map(async (name, index) => {
      for (let count = 1; count <= UPDATES; count += 1) {
        const target = targets[(index + count) % PROCESSES] ?? first;
        const response = await sendRequest(target, "PATCH", path, {
          properties: { [name]: { number: count } },
        });
        expect(response?.status).toBe(200);
      }
    }),
  );
  for (const target of targets) {
    const response = await sendRequest(target, "GET", path);
    // The cast: the document declares the type.
    const values = response?.body["properties"] as Record<string, { number: number | null }>;
    expect(names.map((name) => values[name]?.number)).toEqual(names.map(() => UPDATES));
  }
}
