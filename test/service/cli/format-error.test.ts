import { Writable, type WritableOptions } from "node:stream";
import { expect, test } from "vitest";
import { runInProcess } from "../run-in-process.js";
import { formatError } from "../../../src/cli/format-error.js";

test.each([
  [{ port: 80 }, "Port 80 needs administrator rights. Set PORT to a port above 1023."],
  [{ path: "/root/a.jsonl.0123456789ab.partial" }, "Cannot open /root/a.jsonl: permission denied."],
])("a refused permission is explained: %j", (fields, message) => {
  const error = new Error("EACCES: permission denied, open '/root/a.jsonl.0123456789ab.partial'");
  expect(formatError(Object.assign(error, { code: "EACCES", syscall: "open", ...fields }))).toBe(message);
});

test("a full disk is explained", () => {
  const error = new Error("ENOSPC: no space left on device, write");
  expect(formatError(Object.assign(error, { code: "ENOSPC", syscall: "write" }))).toBe(
    "The disk is full. Free space, or write to another disk.",
  );
});

test.each([
  ["ENOSPC", 2, "page-service: The disk is full. Free space, or write to another disk.\n"],
  ["EPIPE", 0, ""],
])("a command whose output fails with %s exits with %i", async (errorCode, code, message) => {
  const write: WritableOptions["write"] = (_chunk, _encoding, callback) =>
    callback(Object.assign(new Error(errorCode), { code: errorCode }));
  expect(await runInProcess(["--help"], {}, new Writable({ write }))).toEqual({
    code,
    stdout: "",
    stderr: message,
  });
});
