import { defineConfig } from "vitest/config";
import { RunReporter } from "../support/run-reporter.js";
import { settings } from "../vitest.config.js";

/** The tests that break things, for as long as it takes to believe them: `npm run torture`. */
export default defineConfig({
  test: {
    ...settings,
    reporters: ["default", new RunReporter()],
    globalSetup: [
      "test/support/build.ts",
      "test/support/postgres-setup.ts",
      "test/support/responses-setup.ts",
    ],
    include: ["test/torture/*.test.ts"],
    env: { TORTURE: "1" },
    // They measure times, too.
    fileParallelism: false,
  },
});
