import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { TEST_TIMEOUT_MS } from "./support/load.js";
import { findPostgres } from "./support/postgres.js";
import { RunReporter } from "./support/run-reporter.js";

/** Settings of every test. */
export const settings = {
  root: new URL("..", import.meta.url).pathname,
  setupFiles: ["test/support/setup.ts"],
  // Imports CommonJS packages like Node does, so that tests use the same values as production.
  deps: { interopDefault: false },
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  expect: { poll: { timeout: 60_000 } },
};

/** Modules stay loaded between test files, because loading them takes as long as several tests. */
const shared = { ...settings, isolate: false };

const main = { test: { ...shared, name: "main", include: ["test/**/*.test.ts"] } };

/** Runs tests of the service a second time, on PostgreSQL, see support/stores.ts. */
const onPostgres = {
  test: {
    ...shared,
    name: "postgres",
    include: ["test/contract/{*,properties/*}.test.ts", "test/service/web/{persons,races}.test.ts"],
    env: { STORE: "postgres" },
  },
};

export default defineConfig(async () => ({
  test: {
    root: settings.root,
    reporters: ["default", new RunReporter()],
    // More workers than cores, because tests of deadlines and outages mostly wait.
    maxWorkers: availableParallelism() + 2,
    globalSetup: [
      "test/support/build.ts",
      "test/support/postgres-setup.ts",
      "test/support/responses-setup.ts",
    ],
    projects: (await findPostgres()).reachable ? [main, onPostgres] : [main],
  },
}));
