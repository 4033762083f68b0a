import { readMainThreadMicros } from "./child.js";
import { RawClient } from "./raw-client.js";
import { formatSpeed } from "./table.js";

/** A server under load, and the requests to send to it. */
export interface Side {
  readonly name: string;
  readonly url: string;
  /** Process of the server. With it, the processor time of its main thread is measured too. */
  readonly pid?: number;
  /** Returns the next request, as bytes. */
  readonly request: () => Buffer;
}

/** Speed of a server under load. */
interface Speed {
  /** Responses per second. */
  readonly perSecond: number;
  /** Processor time of the main thread per response, in microseconds; undefined where the system does not report it. */
  readonly micros: number | undefined;
}

/** The result of comparing two sides: medians over the rounds. */
export interface Comparison {
  /** Requests per second. */
  readonly left: number;
  readonly right: number;
  /**
   * Speed of left relative to right: by processor time of the main thread if the system reports it, because this time
   * limits the throughput of a server and depends little on other programs; otherwise by throughput.
   */
  readonly ratio: number;
  /** Processor time of the main thread per response, in microseconds, if the system reports it. */
  readonly leftMicros?: number | undefined;
  readonly rightMicros?: number | undefined;
}

/** Connections of the load generator. */
export const CONNECTIONS = 16;
const SECONDS = 1;
const ROUNDS = 5;
const WARM_UP_RESPONSES = 5000;
const MAX_WARM_UP_SECONDS = 15;

/** Loads two servers in turns and compares their speed. */
export async function compare(left: Side, right: Side): Promise<Comparison> {
  for (const side of [left, right]) await warmUp(side);
  const rounds: { left: Speed; right: Speed }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Alternates the order, because the second load can profit from the first.
    const swap = round % 2 === 1;
    const first = await load(swap ? right : left);
    const second = await load(swap ? left : right);
    const found = swap ? { left: second, right: first } : { left: first, right: second };
    rounds.push(found);
    console.log(
      `  round ${round + 1} of ${ROUNDS}: ${left.name} ${formatSpeed(found.left.perSecond, found.left.micros)}, ${right.name} ${formatSpeed(found.right.perSecond, found.right.micros)}`,
    );
  }
  const throughput = summarize(
    rounds.map((round) => ({ left: round.left.perSecond, right: round.right.perSecond })),
  );
  const leftMicros = medianMicros(rounds.map((round) => round.left));
  const rightMicros = medianMicros(rounds.map((round) => round.right));
  if (leftMicros === undefined || rightMicros === undefined) return throughput;
  return { ...throughput, ratio: rightMicros / leftMicros, leftMicros, rightMicros };
}

/** Loads a server until V8 has compiled the code that handles the requests, also on a busy machine. */
async function warmUp(side: Side): Promise<void> {
  let responses = 0;
  for (let second = 0; second < MAX_WARM_UP_SECONDS && responses < WARM_UP_RESPONSES; second += 1) {
    responses += (await load(side, 1)).perSecond;
  }
}

function medianMicros(speeds: readonly Speed[]): number | undefined {
  const known = speeds.flatMap(({ micros }) => micros ?? []);
  return known.length === speeds.length ? median(known) : undefined;
}

/** Takes the medians of the throughput in rounds. */
export function summarize(rounds: readonly { left: number; right: number }[]): Comparison {
  return {
    left: median(rounds.map(({ left }) => left)),
    right: median(rounds.map(({ right }) => right)),
    ratio: median(rounds.map(({ left, right }) => left / right)),
  };
}

/**
 * Loads one server over CONNECTIONS connections, each of which sends its next request once it has the response.
 *
 * @throws when a response has a status other than 200
 */
export async function load(
  { url, pid, request }: Side,
  seconds = SECONDS,
  connections = CONNECTIONS,
): Promise<Speed> {
  const clients = await Promise.all(Array.from({ length: connections }, () => RawClient.open(url)));
  const before = pid === undefined ? undefined : readMainThreadMicros(pid);
  const started = performance.now();
  const end = started + seconds * 1000;
  let count = 0;
  const sendRequests = async (client: RawClient): Promise<void> => {
    while (performance.now() < end) {
      await client.send(request());
      count += 1;
    }
    client.close();
  };
  await Promise.all(clients.map(sendRequests));
  const perSecond = count / ((performance.now() - started) / 1000);
  const after = pid === undefined ? undefined : readMainThreadMicros(pid);
  const isKnown = before !== undefined && after !== undefined;
  return { perSecond, micros: isKnown ? (after - before) / count : undefined };
}

/**
 * Returns a function that picks random members of a list. The order must be random, because connections that all start
 * with the first member hit the cache.
 */
export function createPicker<T>(list: readonly T[]): () => T {
  return () => {
    const member = list[Math.floor(Math.random() * list.length)];
    if (member === undefined) throw new Error("The list is empty.");
    return member;
  };
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("An empty list has no median.");
  return middle;
}
