import { expect, test } from "vitest";
import { bundleProgram, measureSizes, SIZE_LIMIT, PROGRAMS } from "../../bench/client-size.js";

test("the client and its parts stay below their size limits", async () => {
  const { openapiFetch, client, oneFunction, query } = await measureSizes();
  expect(client).toBeLessThanOrEqual(SIZE_LIMIT.times * openapiFetch + SIZE_LIMIT.bytes);
  expect(oneFunction).toBeLessThan(query);
  expect(query).toBeLessThan(client);
});

test("a program with one operation bundles no other operation and no builders", async () => {
  const program = await bundleProgram(PROGRAMS.oneFunction);
  expect(program).toContain("retrievePage");
  for (const other of ["retrieveBlock", "listUsers", "does_not_equal", "phone_number", "start_cursor"]) {
    expect(program).not.toContain(other);
    expect(await bundleProgram(PROGRAMS.client)).toContain(other);
  }
});

test("unused runtime parts are not bundled", async () => {
  const program = await bundleProgram(PROGRAMS.client);
  for (const part of ["multipart", "Cookie", "text/event-stream", "deepObject%5B", "boundary"]) {
    expect(program).not.toContain(part);
  }
});
