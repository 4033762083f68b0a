import { expect, test, vi } from "vitest";
import { runRedocly } from "../../../scripts/project/redocly.js";

test("the outcome of a command that cannot start has the reason", () => {
  expect(runRedocly(["--version"], "/no/such/folder")).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("ENOENT"),
  });
});

test("the outcome of a command that is killed has the signal and its output", () => {
  const script = 'process.stderr.write("partial\\n");process.kill(process.pid,"SIGKILL")';
  vi.stubEnv("NODE_OPTIONS", `--import=data:text/javascript,${encodeURIComponent(script)}`);
  const { code, stderr } = runRedocly(["--version"], ".");
  vi.unstubAllEnvs();
  expect({ code, stderr }).toEqual({ code: 1, stderr: "partial\nRedocly was killed by the signal SIGKILL." });
});
