import autocannon from "autocannon";

/** A server under load, and what it is asked. */
export interface Side {
  name: string;
  request: autocannon.Options;
}

/** What a comparison of two sides gave: medians over its rounds. */
export interface Comparison {
  /** Requests a second. */
  left: number;
  right: number;
  /** Median of left to right in each round, so that a slow spell of the machine hits both. */
  ratio: number;
}

/** Connections that a load comes over. */
export const CONNECTIONS = 16;
const SECONDS = 1.5;
const ROUNDS = 7;

/** Loads two servers in turns and compares their throughput. */
export async function compare(left: Side, right: Side): Promise<Comparison> {
  for (const side of [left, right, left, right]) await load(side);
  const rounds: { left: number; right: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each goes first in half of the rounds.
    const swap = round % 2 === 1;
    const first = await load(swap ? right : left);
    const second = await load(swap ? left : right);
    const found = swap ? { left: second, right: first } : { left: first, right: second };
    rounds.push(found);
    console.log(
      `  round ${round + 1} of ${ROUNDS}: ${left.name} ${whole(found.left)}/s, ${right.name} ${whole(found.right)}/s`,
    );
  }
  return {
    left: median(rounds.map((found) => found.left)),
    right: median(rounds.map((found) => found.right)),
    ratio: median(rounds.map((found) => found.left / found.right)),
  };
}

/** Loads one server for a moment; the answers a second. Fails when any answer is not of status 200. */
export async function load(side: Side, seconds = SECONDS): Promise<number> {
  const result = await autocannon({ connections: CONNECTIONS, duration: seconds, ...side.request });
  const good = result["2xx"];
  if (result.errors > 0 || result.timeouts > 0 || result.non2xx > 0 || good === 0) {
    throw new Error(
      `${side.name}: ${result.errors} errors, ${result.timeouts} timeouts, ${result.non2xx} answers other than 2xx, ${good} good.`,
    );
  }
  return good / result.duration;
}

/** The middle value. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("There is no median of nothing.");
  return middle;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}
