import { median } from "../compare.js";
import { RawClient } from "../raw-client.js";

/** A series of requests. Requests of one series differ if the service can cache their responses. */
export interface RequestSeries {
  readonly name: string;
  readonly url: string;
  /** Creates the request with a number. */
  readonly request: (number: number) => Buffer;
}

/**
 * Sends requests of each series in turns, one at a time on a connection per series, so that other load on the machine
 * affects all of them.
 *
 * @returns the median time of each series in microseconds
 */
export async function measureMedians(
  series: readonly RequestSeries[],
  rounds: number,
  warmUp = 200,
): Promise<number[]> {
  const clients = await Promise.all(series.map(({ url }) => RawClient.open(url)));
  const times: number[][] = series.map(() => []);
  for (let number = 0; number < warmUp + rounds; number += 1) {
    for (const [index, { request }] of series.entries()) {
      const bytes = request(number);
      const started = performance.now();
      await clients[index]?.send(bytes);
      if (number >= warmUp) times[index]?.push((performance.now() - started) * 1000);
    }
  }
  for (const client of clients) client.close();
  const found = times.map(median);
  for (const [index, { name }] of series.entries())
    console.log(`  ${name}: ${formatMicros(found[index] ?? 0)}`);
  return found;
}

export function formatMicros(value: number): string {
  return `${Math.round(value).toLocaleString("en")} µs`;
}
