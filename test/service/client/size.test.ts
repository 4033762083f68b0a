import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ApiDocument } from "../../support/api-document.js";
import { bundleProgram } from "../../support/bundle.js";

/** Creates a program that imports everything of a module. */
const importAll = (module: string): string => `import * as all from "${module}"; globalThis.all = all;`;
const CLIENT = "./src/client/index.js";
/** Measured programs: whole modules, and programs that use a part of the client. */
const PROGRAMS = {
  openapiFetch: importAll("openapi-fetch"),
  client: importAll(CLIENT),
  oneFunction: `import { connect, retrievePage } from "${CLIENT}";
    globalThis.read = (options, page_id) => retrievePage(connect(options), { path: { page_id } });`,
  query: `import { connect, filter, paginate, queryDatabase } from "${CLIENT}";
    globalThis.read = (options, path) =>
      paginate(connect(options), queryDatabase, { path, body: { filter: filter.checkbox("Done").equals(true) } });`,
};

test("the client and its parts stay below their size limits", async () => {
  const measure = async (name: keyof typeof PROGRAMS): Promise<number> =>
    gzipSync(await bundleProgram(PROGRAMS[name]), { level: 9 }).length;
  const operations = ApiDocument.committed().operations().length;
  expect(await measure("client")).toBeLessThanOrEqual(
    1.5 * (await measure("openapiFetch")) + 1568 + 25 * operations,
  );
  expect(await measure("oneFunction")).toBeLessThan(await measure("query"));
  expect(await measure("query")).toBeLessThan(await measure("client"));
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
