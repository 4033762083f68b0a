import { expect, test } from "vitest";
import { serializeError } from "../../../src/cli/log-output.js";
import { StorageUnavailableError } from "../../../src/errors.js";

test("the log has no stack of an operational error, which a full disk causes for every write", () => {
  expect(serializeError(new StorageUnavailableError("The disk is full."))).toEqual({
    type: "StorageUnavailableError",
    message: "The disk is full.",
  });
  expect(serializeError(new Error("a mistake"))).toMatchObject({
    message: "a mistake",
    stack: expect.stringContaining("log-output.test.ts"),
  });
});
