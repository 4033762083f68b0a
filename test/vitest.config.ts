import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { findPostgres } from "./support/postgres.js";

/** What holds for every test. */
export const settings = {
  root: new URL("..", import.meta.url).pathname,
  setupFiles: ["test/support/setup.ts"],
  // CommonJS packages are imported as Node imports them: tests must see what runs.
  deps: { interopDefault: false },
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

/** Modules stay loaded from one file of tests to the next: to load them takes as long as many a test. */
const shared = { ...settings, isolate: false };

const main = { test: { ...shared, name: "main", include: ["test/**/*.test.ts"] } };

/** What holds of the service on SQLite holds on PostgreSQL: the same tests once more, see support/stores.ts. */
const onPostgres = {
  test: {
    ...shared,
    name: "postgres",
    include: [
      "test/contract/**/*.test.ts",
      "test/web/{forms,settings-view,members,passwords,persons,races,ways-in}.test.ts",
    ],
    env: { STORE: "postgres" },
  },
};

export default defineConfig(async () => ({
  test: {
    root: settings.root,
    // Tests of deadlines and outages wait, most of the time.
    maxWorkers: availableParallelism() + 1,
    globalSetup: [
      "test/support/build.ts",
      "test/support/postgres-setup.ts",
      "test/support/responses-setup.ts",
    ],
    projects: (await findPostgres()).reachable ? [main, onPostgres] : [main],
  },
}));
