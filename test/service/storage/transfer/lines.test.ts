import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readLines } from "../../../../src/storage/transfer/lines.js";

async function* split(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;

test("a line can have 64 MiB", async () => {
  const { value } = await readLines(split(Buffer.alloc(MAX_LINE_BYTES, "x"))).next();
  expect(value?.text.length).toBe(MAX_LINE_BYTES);
});

test.each([
  [
    "is too long",
    Buffer.alloc(MAX_LINE_BYTES + 1, "x"),
    "line 2: the line is longer than 64 MiB, so this is not an export.",
  ],
  ["is not UTF-8", Buffer.from([0xff]), "line 2: this is not valid UTF-8."],
])("a line that %s is refused with its number", async (_, line, message) => {
  const lines = readLines(split(Buffer.from("first\n"), line));
  expect(await lines.next()).toEqual({ done: false, value: { number: 1, text: "first" } });
  await expect(lines.next()).rejects.toThrow(message);
});

test("a compressed file is refused with the command that imports it", async () => {
  await expect(readLines(split(gzipSync("first\n"))).next()).rejects.toThrow(
    "line 1: the file is compressed with gzip. Import it with `gunzip < FILE | page-service import`.",
  );
});
