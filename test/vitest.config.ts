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

const main = { test: { ...settings, name: "main", include: ["test/**/*.test.ts"] } };

/** What holds of the service on SQLite holds on PostgreSQL: the same tests once more, see support/stores.ts. */
const onPostgres = {
  test: {
    ...settings,
    name: "postgres",
    include: ["test/contract/**/*.test.ts", "test/web/{forms,kept-pages,members}.test.ts"],
    env: { STORE: "postgres" },
  },
};

export default defineConfig(async () => ({
  test: {
    root: settings.root,
    globalSetup: [
      "test/support/build.ts",
      "test/support/postgres-setup.ts",
      "test/support/responses-setup.ts",
    ],
    projects: (await findPostgres()).reachable ? [main, onPostgres] : [main],
  },
}));
