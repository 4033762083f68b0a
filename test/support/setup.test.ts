import { execFile } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "./api-document.js";

/** Runs the fixture with the settings of the project's tests, and returns the output and the exit code. */
function runFixture(): Promise<{ output: string; code: unknown }> {
  const vitest = path.join(PROJECT, "node_modules/vitest/vitest.mjs");
  const config = "test/support/fixture/vitest.config.ts";
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [vitest, "run", "--config", config, "--no-color"],
      { cwd: PROJECT },
      (error, stdout, stderr) => resolve({ output: stdout + stderr, code: error?.code ?? 0 }),
    );
  });
}

test("a response that the document does not allow fails its test, even if the test catches the error", async () => {
  const { output, code } = await runFixture();
  const lines = output.split("\n").filter((line) => /^(not )?ok /.test(line) && !line.includes("# SKIP"));
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toMatch(line.includes("> fails: ") ? /^not ok/ : /^ok .*> passes: /);
  expect(code).toBe(1);
  expect(output).toContain("createPage (POST /v1/pages), status 418");
  expect(output).toMatch(/^All tests may take \d+ minutes on this machine/m);
  expect(output).toContain("Skipped 1: this fixture shows how (test/support/fixture/violations.fixture.ts)");
  expect(output).toMatch(/0 of \d+ operation × status pairs seen/);
  expect(output).toMatch(/Never seen:\n(?: {2}.*\n)* {2}createPage 200/);
});
