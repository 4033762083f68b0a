import { describe, expect, test } from "vitest";
import { serve } from "../service/command.js";
import { Random, takeSeed } from "../support/random.js";
import { sharedStores } from "../support/stores.js";
import { type Access, type Append, listAnomalies, type ListRead, registerAnomalies } from "./history.js";
import { ask, markedBlock, readMarks, type Target } from "./load.js";
import { environmentFor, makeKey, times } from "./setup.js";

describe("the checker reports", () => {
  const append = (mark: string, sent: number, answered: number): Append => ({ mark, sent, answered });
  const a = append("a", 0, 1);
  const b = append("b", 2, 3);

  test.each<[string, Append[], ListRead[], string[]]>([
    ["a lost mark", [a, b], [], ["b"]],
    ["a mark that is there twice", [a], [], ["a", "a"]],
    ["a mark from nowhere", [a], [], ["a", "x"]],
    ["an order against time", [a, b], [], ["b", "a"]],
    ["a read in another order", [a, b], [{ sent: 4, answered: 5, marks: ["b"] }], ["a", "b"]],
    ["a read behind the time", [a, b], [{ sent: 4, answered: 5, marks: ["a"] }], ["a", "b"]],
    ["a read from the future", [a, b], [{ sent: 1.2, answered: 1.5, marks: ["a", "b"] }], ["a", "b"]],
  ])("%s", (_, appends, reads, final) => {
    expect(listAnomalies(appends, reads, final)).toHaveLength(1);
  });

  test("no problem for valid lists, including appends without a response", () => {
    const lost = append("c", 4, Infinity);
    const reads = [
      { sent: 0.5, answered: 2.5, marks: [] },
      { sent: 2.5, answered: 2.6, marks: ["a", "b"] },
    ];
    expect(listAnomalies([a, b, lost], reads, ["a", "b"])).toEqual([]);
    expect(listAnomalies([a, b, lost], reads, ["a", "b", "c"])).toEqual([]);
  });

  test("reads of unwritten, future, stale and regressing values", () => {
    const access = (value: number | null, sent: number, answered: number): Access => ({
      value,
      sent,
      answered,
    });
    const writes = [access(1, 0, 1), access(2, 2, 3)];
    expect(registerAnomalies(writes, [access(1, 1.5, 5), access(2, 4, 5), access(null, 0.5, 2)])).toEqual([]);
    expect(registerAnomalies(writes, [access(7, 4, 5)])).toHaveLength(1);
    expect(registerAnomalies(writes, [access(2, 0, 1.5)])).toHaveLength(1);
    expect(registerAnomalies(writes, [access(1, 4, 5)])).toHaveLength(1);
    expect(registerAnomalies(writes, [access(2, 2.1, 2.2), access(1, 2.3, 2.9)])).toHaveLength(1);
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

/** So many blocks of a page are read in one request: a longer list was never there as a whole. */
const LONGEST = 100;

describe.each(sharedStores)("%s, 4 processes", (store, newLocation) => {
  const seconds = times(2, 600);
  test(
    `what 12 clients read and write for ${seconds} s has an order`,
    { timeout: 120_000 + seconds * 2000 },
    async () => {
      const random = new Random(takeSeed());
      const env = environmentFor(await newLocation());
      const made = await makeKey(env);
      const services = await Promise.all(
        Array.from({ length: PROCESSES }, () => serve({ ...env, LOG_LEVEL: "silent" })),
      );
      const targets: Target[] = services.map(({ url }) => ({ ...made, url }));
      const [first] = targets;
      if (first === undefined) throw new Error("There is no process.");
      const newPage = async (): Promise<PageHistory> => {
        const page = await ask(first, "POST", "/v1/pages", {
          parent: { database_id: made.databaseId },
          properties: {},
        });
        return { id: String(page?.body.id), appends: [], listReads: [], writes: [], reads: [] };
      };
      const pages = await Promise.all(Array.from({ length: PAGES }, newPage));
      const histories = [...pages];
      let written = 0;
      let operations = 0;
      const step = async (): Promise<void> => {
        const place = random.below(PAGES);
        const page = pages[place];
        if (page === undefined) throw new Error("There is no page.");
        const target = random.pick(targets);
        const kind = random.below(4);
        const path = `/v1/pages/${page.id}`;
        const sent = performance.now();
        if (kind === 0) {
          written += 1;
          const mark = `mark ${written}`;
          const body = { children: [markedBlock(mark)] };
          const answer = await ask(target, "PATCH", `/v1/blocks/${page.id}/children`, body);
          expect(answer?.status).toBe(200);
          page.appends.push({ mark, sent, answered: performance.now() });
          if (page.appends.length === LONGEST) {
            const next = await newPage();
            pages[place] = next;
            histories.push(next);
          }
        } else if (kind === 1) {
          const marks = await readMarks(target, page.id);
          if (marks.length <= LONGEST) page.listReads.push({ marks, sent, answered: performance.now() });
        } else if (kind === 2) {
          written += 1;
          const value = written;
          const answer = await ask(target, "PATCH", path, { properties: { Points: { number: value } } });
          expect(answer?.status).toBe(200);
          page.writes.push({ value, sent, answered: performance.now() });
        } else {
          const answer = await ask(target, "GET", path);
          expect(answer?.status).toBe(200);
          // The cast: what the document says of this answer.
          const values = answer?.body["properties"] as { Points: { number: number | null } } | undefined;
          page.reads.push({ value: values?.Points.number ?? null, sent, answered: performance.now() });
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
          ...listAnomalies(page.appends, page.listReads, await readMarks(first, page.id)),
          ...registerAnomalies(page.writes, page.reads),
        );
      }
      console.log(
        `${store}: ${operations} operations of ${PROCESSES} processes on ${histories.length} pages, ${anomalies.length} anomalies`,
      );
      expect(anomalies).toEqual([]);
    },
  );

  test(
    `50 clients with ${UPDATES} updates each of a property of its own: none is lost`,
    { timeout: 120_000 },
    async () => {
      const env = environmentFor(await newLocation());
      const made = await makeKey(env);
      const services = await Promise.all(
        Array.from({ length: PROCESSES }, () => serve({ ...env, LOG_LEVEL: "silent" })),
      );
      const targets: Target[] = services.map(({ url }) => ({ ...made, url }));
      const [first] = targets;
      if (first === undefined) throw new Error("There is no process.");
      const names = Array.from({ length: 50 }, (_, index) => `Client ${index}`);
      const database = await ask(first, "PATCH", `/v1/databases/${made.databaseId}`, {
        properties: Object.fromEntries(names.map((name) => [name, { number: {} }])),
      });
      expect(database?.status).toBe(200);
      const page = await ask(first, "POST", "/v1/pages", {
        parent: { database_id: made.databaseId },
        properties: {},
      });
      const path = `/v1/pages/${page?.body.id}`;
      await Promise.all(
        names.map(async (name, index) => {
          for (let count = 1; count <= UPDATES; count += 1) {
            const target = targets[(index + count) % PROCESSES] ?? first;
            const answer = await ask(target, "PATCH", path, { properties: { [name]: { number: count } } });
            expect(answer?.status).toBe(200);
          }
        }),
      );
      for (const target of targets) {
        const answer = await ask(target, "GET", path);
        // The cast: what the document says of this answer.
        const values = answer?.body["properties"] as Record<string, { number: number | null }>;
        expect(names.map((name) => values[name]?.number)).toEqual(names.map(() => UPDATES));
      }
    },
  );
});
