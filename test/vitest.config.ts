import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { TEST_TIMEOUT_MS } from "./support/load.js";
import { findPostgres } from "./support/postgres.js";
import { RunReporter } from "./support/run-reporter.js";

/** Settings of every test. */
export const settings = {
  root: new URL("..", import.meta.url).pathname,
  setupFiles: ["test/support/setup.ts"],
  // CommonJS packages are imported as Node imports them: tests must see what runs.
  deps: { interopDefault: false },
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  expect: { poll: { timeout: 60_000 } },
};

/** Modules stay loaded from one file of tests to the next: to load them takes as long as many a test. */
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
    // Tests of deadlines and outages wait, most of the time.
    maxWorkers: availableParallelism() + 2,
    globalSetup: [
      "test/support/build.ts",
      "test/support/postgres-setup.ts",
      "test/support/responses-setup.ts",
    ],
    projects: (await findPostgres()).reachable ? [main, onPostgres] : [main],
  },
}));
