import path from "node:path";
import { expect, test } from "vitest";
import { bundleProgram } from "../../support/bundle.js";
import { SNAPSHOTS } from "../snapshots/snapshots.js";

/** Text that each part of the client runtime contains after minification. */
const PARTS = {
  multipart: "form-data",
  events: "retry",
  cookies: "Cookie",
  deepObject: "deepObject",
  bytes: "arrayBuffer",
};

/** Bundles the whole generated client of a fixture. */
function bundleClient(fixture: string): Promise<string> {
  const program = `import { createClient } from "./client.js"; globalThis.createClient = createClient;`;
  return bundleProgram(program, path.join(SNAPSHOTS, fixture));
}

function findParts(bundle: string): string[] {
  // openapi-fetch contains deepObject itself, once.
  return Object.entries(PARTS)
    .filter(([part, text]) => bundle.split(text).length > (part === "deepObject" ? 4 : 1))
    .map(([part]) => part);
}

test("a client contains only the parts of the runtime that its document uses", async () => {
  expect(findParts(await bundleClient("library"))).toEqual([]);
  expect(findParts(await bundleClient("bodies"))).toEqual(
    expect.arrayContaining(["multipart", "events", "bytes"]),
  );
  // A response with several media types is read as bytes if it has none of them.
  expect(findParts(await bundleClient("everything"))).toEqual(["cookies", "bytes"]);
});
