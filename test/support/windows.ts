/** Maximum difference in seconds between rounded ends of one window; windows start at least a minute apart. */
const ROUNDING_SECONDS = 5;

/**
 * Groups responses by the rate limit window that counted them.
 *
 * @param resetOf Reads the end of the window, X-RateLimit-Reset, in seconds.
 */
export function groupByWindow<T>(responses: readonly T[], resetOf: (response: T) => number): T[][] {
  const windows: T[][] = [];
  let end = -Infinity;
  for (const response of responses.toSorted((one, other) => resetOf(one) - resetOf(other))) {
    if (resetOf(response) - end > ROUNDING_SECONDS) windows.push([]);
    end = resetOf(response);
    windows.at(-1)?.push(response);
  }
  return windows;
}
