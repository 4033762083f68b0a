import { expect, test } from "vitest";
import { runRedocly } from "../../../scripts/project/redocly.js";

test("the outcome of a command that cannot start has the reason", () => {
  expect(runRedocly(["--version"], "/no/such/folder")).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("ENOENT"),
  });
});
