import { expect, test } from "vitest";
import type { Client } from "./bodies-server.js";
import { useWorkspace } from "./workspace.js";

const DOCUMENT = `
openapi: 3.1.0
info: { title: Servers, version: "1" }
servers: [{ url: https://api.test/v1 }]
paths:
  /assets:
    get: { operationId: listAssets, responses: { "204": { description: The assets. } } }
    post:
      operationId: uploadAsset
      servers:
        - url: https://{region}.uploads.test/
          variables: { region: { default: eu } }
      responses: { "204": { description: Uploaded. } }
  /status:
    servers: [{ url: /health }]
    get: { operationId: readStatus, responses: { "204": { description: The status. } } }
`;

const workspace = useWorkspace({ text: DOCUMENT });

/** Calls all operations with options of the client, and returns the URLs of the requests. */
async function callAll(options: object): Promise<string[]> {
  const urls: string[] = [];
  const { createClient } = await workspace.import("generated/client.js");
  // The cast: the generated function creates a client.
  const client = (createClient as (options: object) => Client)({
    // Relative URLs are URLs only in browsers.
    Request: class extends Request {
      constructor(url: string, init: RequestInit) {
        super(new URL(url, "https://page.test"), init);
      }
    },
    fetch: async ({ url }: Request) => {
      urls.push(url);
      return new Response(null, { status: 204 });
    },
    ...options,
  });
  for (const name of ["listAssets", "uploadAsset", "readStatus"]) await client[name]?.({});
  return urls;
}

test("an operation is sent to its own server, unless the client has a base URL", async () => {
  expect(workspace.compile(["generated/client.ts"])).toEqual([]);
  expect(await callAll({})).toEqual([
    "https://api.test/v1/assets",
    "https://eu.uploads.test/assets",
    "https://page.test/health/status",
  ]);
  expect(await callAll({ baseUrl: "https://proxy.test" })).toEqual([
    "https://proxy.test/assets",
    "https://proxy.test/assets",
    "https://proxy.test/status",
  ]);
});
