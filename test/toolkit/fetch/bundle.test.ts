import path from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { SNAPSHOTS } from "../snapshots/snapshots.js";

/** Text that each part of the client runtime contains after minification. */
const PARTS = {
  multipart: "form-data",
  events: "retry",
  cookies: "Cookie",
  deepObject: "deepObject",
  bytes: "arrayBuffer",
};

/** Bundles the whole generated client of a fixture for browsers. */
async function bundleClient(fixture: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createClient } from "./client.js"; globalThis.createClient = createClient;`,
      resolveDir: path.join(SNAPSHOTS, fixture),
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
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
