import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Buckets } from "./buckets.js";
import type { Gauges, Metrics } from "./metrics.js";

/** Of the process, however many services are in it. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/** Makes what gives the metrics of a service in Prometheus' format, those of its process among them. */
export function createExposition(
  metrics: Metrics,
  gauges: Gauges,
): () => Promise<{ type: string; body: string }> {
  const registry = new Registry();
  // Each is registered here, and nowhere else by itself.
  const registers: Registry[] = [];
  registry.registerMetric(
    new BucketsHistogram(
      {
        name: "page_service_request_duration_seconds",
        help: "Requests to the API: from their headers to their answer, by operation, method and class of the status.",
        labelNames: ["operation", "method", "status"],
        registers,
      },
      function* () {
        for (const { operation, method, durations } of metrics.answers) {
          for (const [statusClass, buckets] of durations.entries()) {
            if (buckets) yield [{ operation, method, status: `${statusClass}xx` }, buckets];
          }
        }
      },
    ),
  );
  registry.registerMetric(
    new Counter({
      name: "page_service_rate_limit_refusals_total",
      help: "Requests that were refused for their number: of workspaces over their plan, of addresses without a valid key.",
      labelNames: ["caller"],
      registers,
      collect() {
        this.reset();
        for (const [caller, count] of Object.entries(metrics.refusals)) this.inc({ caller }, count);
      },
    }),
  );
  registry.registerMetric(
    new BucketsHistogram(
      {
        name: "page_service_write_group_size",
        help: "Writes that were committed together.",
        registers,
      },
      () => [[{}, metrics.groups]],
    ),
  );
  registry.registerMetric(
    new Gauge({
      name: "page_service_writes_waiting",
      help: "Writes that wait to be committed.",
      registers,
      collect() {
        this.set(gauges.store().writesWaiting);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: "page_service_database_connections",
      help: "Connections to PostgreSQL that are open.",
      labelNames: ["use", "state"],
      registers,
      collect() {
        for (const { use, open, idle } of gauges.store().connections) {
          this.set({ use, state: "idle" }, idle);
          this.set({ use, state: "busy" }, open - idle);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: "page_service_database_waiting",
      help: "Requests that wait for a connection to PostgreSQL.",
      labelNames: ["use"],
      registers,
      collect() {
        for (const { use, waiting } of gauges.store().connections) this.set({ use }, waiting);
      },
    }),
  );
  if (gauges.redis() !== undefined) {
    registry.registerMetric(
      new Gauge({
        name: "page_service_redis_up",
        help: "1 while requests are counted in Redis, 0 while this process counts by itself.",
        registers,
        collect() {
          this.set(gauges.redis() === true ? 1 : 0);
        },
      }),
    );
  }
  const all = Registry.merge([ofProcess, registry]);
  return async () => ({ type: all.contentType, body: await all.metrics() });
}

type Labels = Record<string, string | number>;

/** A histogram of what was counted elsewhere. */
class BucketsHistogram extends Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #read: () => Iterable<[Labels, Buckets]>;

  constructor(
    configuration: ConstructorParameters<typeof Histogram>[0],
    read: () => Iterable<[Labels, Buckets]>,
  ) {
    super(configuration);
    this.#name = configuration.name;
    this.#help = configuration.help;
    this.#read = read;
  }

  /** What a registry asks for; prom-client's types do not know of it. */
  async getForPromString(): Promise<object> {
    const values = [];
    for (const [labels, { bounds, counts, sum }] of this.#read()) {
      let count = 0;
      for (const [place, more] of counts.entries()) {
        count += more;
        const le = bounds[place] ?? "+Inf";
        values.push({ labels: { le, ...labels }, value: count, metricName: `${this.#name}_bucket` });
      }
      values.push({ labels, value: sum, metricName: `${this.#name}_sum` });
      values.push({ labels, value: count, metricName: `${this.#name}_count` });
    }
    return { name: this.#name, help: this.#help, type: "histogram", aggregator: "sum", values };
  }
}
