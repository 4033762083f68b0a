import { afterEach, expect, test, vi } from "vitest";
import { printError } from "../../../scripts/command/report.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("an unexpected error is printed on one line, and with DEBUG also with its stack", () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const error = new TypeError("x is undefined");
  vi.stubEnv("DEBUG", "");
  printError(error);
  expect(printed.mock.calls).toEqual([
    [expect.stringMatching(/^error {2}Internal error: TypeError: x is undefined\. .*$/)],
  ]);
  vi.stubEnv("DEBUG", "1");
  printError(error);
  expect(printed.mock.calls.at(-1)).toEqual([error]);
});
