import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from "prom-client";
import type { StoreStats } from "../storage/engine/store.js";

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const GROUP_SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

interface GaugeSources {
  store(): StoreStats;
  /** Whether processes share their counts in Redis at the moment; undefined without Redis. */
  redis(): boolean | undefined;
}

/** Metrics of the process, which all services in it share. Created by the first scrape. */
let processRegistry: Registry | undefined;

function getProcessRegistry(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of a service. No label contains a workspace, an id or a path. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "page_service_request_duration_seconds",
    help: "Duration of API requests from headers to response, by operation, method and class of the status.",
    labelNames: ["operation", "method", "status"],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const rateLimited = new Counter({
    name: "page_service_rate_limit_refusals_total",
    help: "Requests refused with 429: of workspaces over their plan, or of addresses without a valid key.",
    labelNames: ["caller"],
    registers,
  });
  for (const caller of ["workspace", "address"]) rateLimited.inc({ caller }, 0);
  const failedSignIns = new Counter({
    name: "page_service_failed_sign_ins_total",
    help: "Attempts to sign in that failed because of the address, the password or their number.",
    registers,
  });
  const writeGroups = new Histogram({
    name: "page_service_write_group_size",
    help: "Writes that were committed together.",
    buckets: GROUP_SIZE_BUCKETS,
    registers,
  });

  return {
    /** Observes a response; `operation` is undefined when no operation has the path and method. */
    observeRequest(operation: string | undefined, method: string, status: number, seconds: number): void {
      const labels = { operation: operation ?? "none", method, status: `${Math.floor(status / 100)}xx` };
      requests.observe(labels, seconds);
    },
    /** Counts a request that was refused with 429, by the kind of limit. */
    countRateLimited: (caller: "workspace" | "address") => rateLimited.inc({ caller }),
    countFailedSignIn: () => failedSignIns.inc(),
    /** Observes the number of writes that were committed together. */
    observeWriteGroup: (writes: number) => writeGroups.observe(writes),
    /** Adds gauges that are read from their sources at each scrape. */
    addGauges: (sources: GaugeSources) => addGauges(registry, sources),
    /** Returns all metrics in the Prometheus text format, with those of the process. */
    async collect(): Promise<{ type: string; body: string }> {
      const all = Registry.merge([getProcessRegistry(), registry]);
      return { type: all.contentType, body: await all.metrics() };
    },
  };
}

function addGauges(registry: Registry, sources: GaugeSources): void {
  const add = (options: Omit<GaugeConfiguration<string>, "registers">): void =>
    registry.registerMetric(new Gauge({ ...options, registers: [] }));
  const addValue = (name: string, help: string, read: () => number): void =>
    add({
      name,
      help,
      collect() {
        this.set(read());
      },
    });
  addValue("page_service_writes_waiting", "Writes that wait to begin.", () => sources.store().writesWaiting);
  add({
    name: "page_service_database_connections",
    help: "Open connections to PostgreSQL.",
    labelNames: ["use", "state"],
    collect() {
      for (const { use, open, idle } of sources.store().connections) {
        this.set({ use, state: "idle" }, idle);
        this.set({ use, state: "busy" }, open - idle);
      }
    },
  });
  add({
    name: "page_service_database_waiting",
    help: "Requests that wait for a connection to PostgreSQL.",
    labelNames: ["use"],
    collect() {
      for (const { use, waiting } of sources.store().connections) this.set({ use }, waiting);
    },
  });
  if (sources.store().diskFreeBytes !== undefined) {
    const help = "Free space on the disk of the SQLite database.";
    addValue("page_service_disk_free_bytes", help, () => sources.store().diskFreeBytes ?? 0);
  }
  if (sources.redis() !== undefined) {
    const help = "1 while requests are counted in Redis, 0 while this process counts on its own.";
    addValue("page_service_redis_up", help, () => (sources.redis() === true ? 1 : 0));
  }
}
