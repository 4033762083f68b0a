import type { Gauges, Metrics } from "./metrics.js";

/**
 * Makes the text that Prometheus reads. What it takes for that is loaded when it is first asked for: most who run the
 * service never do.
 */
export function createMetricsPage(
  metrics: Metrics,
  gauges: Gauges,
): () => Promise<{ type: string; body: string }> {
  let page: Promise<() => Promise<{ type: string; body: string }>> | undefined;
  return async () => {
    page ??= import("./exposition.js").then(({ createExposition }) => createExposition(metrics, gauges));
    return (await page)();
  };
}
