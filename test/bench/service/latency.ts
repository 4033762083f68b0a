import { median } from "../compare.js";
import { RawClient } from "../raw-client.js";

/** A question that is asked again and again, never twice the same where the answers could be kept. */
export interface Question {
  readonly name: string;
  readonly url: string;
  /** The request of a number. */
  readonly request: (number: number) => Buffer;
}

/**
 * Asks questions in turns, one at a time on one connection each, so that a slow spell of the machine hits all alike.
 *
 * @returns the median of each in microseconds, in their order
 */
export async function medians(
  questions: readonly Question[],
  rounds: number,
  warmUp = 200,
): Promise<number[]> {
  const clients = await Promise.all(questions.map(({ url }) => RawClient.open(url)));
  const times: number[][] = questions.map(() => []);
  for (let number = 0; number < warmUp + rounds; number += 1) {
    for (const [index, { request }] of questions.entries()) {
      const bytes = request(number);
      const started = performance.now();
      await clients[index]?.send(bytes);
      if (number >= warmUp) times[index]?.push((performance.now() - started) * 1000);
    }
  }
  for (const client of clients) client.close();
  const found = times.map(median);
  for (const [index, { name }] of questions.entries()) console.log(`  ${name}: ${micros(found[index] ?? 0)}`);
  return found;
}

export function micros(value: number): string {
  return `${Math.round(value).toLocaleString("en")} µs`;
}
