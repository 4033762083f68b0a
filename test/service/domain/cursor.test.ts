import { expect, onTestFinished, test, vi } from "vitest";
import { decodeCursor, encodeCursor } from "../../../src/domain/cursor.js";
import { newId } from "../../../src/domain/ids.js";

const id = newId();

test("a cursor decodes to its values in its own list", () => {
  const values = [id, "ä\u2028 \\[[{x}]]", 1.5, 7, null, null, null, 0, 2 ** 31 - 1];
  const types = [
    "id",
    "string",
    "number",
    "integer",
    "string",
    "number",
    "integer",
    "ordinal",
    "ordinal",
  ] as const;
  expect(decodeCursor("users", encodeCursor("users", values), types)).toEqual(values);
  expect(decodeCursor("users", undefined, types)).toEqual([]);
});

test("a cursor with nested values is refused before it is parsed, which takes long for many levels", () => {
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  for (const json of ['["users",[[[', '["users",{"a":1}]', "[[]]"]) {
    const cursor = Buffer.from(json).toString("base64url");
    expect(() => decodeCursor("users", cursor, ["id"])).toThrow("start_cursor provided is invalid");
  }
  expect(parse).not.toHaveBeenCalled();
});

test.each([
  ["of another list", encodeCursor("comments", [id]), ["id"]],
  ["with too few values", encodeCursor("users", []), ["id"]],
  ["with too many values", encodeCursor("users", [id, 1]), ["id"]],
  ["with a text instead of an id", encodeCursor("users", ["x"]), ["id"]],
  ["with an id in another spelling", encodeCursor("users", [id.toUpperCase()]), ["id"]],
  ["without an id", encodeCursor("users", [null]), ["id"]],
  ["with NUL, which databases do not accept", encodeCursor("users", ["a\0"]), ["string"]],
  ["with a text instead of a number", encodeCursor("users", ["1"]), ["number"]],
  ["with a position beyond PostgreSQL's integers", encodeCursor("users", [2 ** 31]), ["ordinal"]],
  ["with a position before the first item", encodeCursor("users", [-1]), ["ordinal"]],
  ["with a fraction instead of a position", encodeCursor("users", [1.5]), ["ordinal"]],
  ["without a position", encodeCursor("users", [null]), ["ordinal"]],
  ["with an integer above 53 bits", encodeCursor("users", [2 ** 53]), ["integer"]],
  ["with a number instead of a text", encodeCursor("users", [1]), ["string"]],
  ["with a fraction instead of an integer", encodeCursor("users", [1.5]), ["integer"]],
  ["that is not JSON", Buffer.from("[").toString("base64url"), ["id"]],
  ["that is not an array", Buffer.from('{"0":"users"}').toString("base64url"), []],
  ["that is not encoded", "next", ["id"]],
] as const)("a cursor %s is refused", (_, cursor, types) => {
  expect(() => decodeCursor("users", cursor, types)).toThrow(
    expect.objectContaining({
      kind: "invalid_cursor",
      message: `The start_cursor provided is invalid: ${cursor}. Use the next_cursor of the last response of the same list.`,
    }),
  );
});
