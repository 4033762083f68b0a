import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts", "test/support/global-setup.ts"],
    setupFiles: ["test/support/setup.ts"],
    // CommonJS packages are imported as Node imports them: tests must see what runs.
    deps: { interopDefault: false },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
