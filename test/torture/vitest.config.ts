import { defineConfig } from "vitest/config";
import { RunReporter } from "../support/run-reporter.js";
import { settings } from "../vitest.config.js";

/** Runs the torture tests at full length, including those that need it (`*.long.ts`): `npm run torture`. */
export default defineConfig({
  test: {
    ...settings,
    reporters: ["default", new RunReporter()],
    globalSetup: [
      "test/support/build.ts",
      "test/support/postgres-setup.ts",
      "test/support/responses-setup.ts",
    ],
    include: ["test/torture/*.{test,long}.ts"],
    env: { TORTURE: "1" },
    // One file at a time, because the tests measure times.
    fileParallelism: false,
  },
});
