import { expect, test } from "vitest";
import type { HttpResponse } from "../../../src/http/index.js";
import { startServer } from "../../support/server.js";
import { type Client, createClientFor, serveBodies } from "./bodies-server.js";
import { useWorkspace } from "./workspace.js";

const DOCUMENT = `
openapi: 3.1.0
info: { title: Redirects, version: "1" }
paths:
  /archive:
    get:
      operationId: getArchive
      responses:
        "302": { description: The archive., headers: { Location: { required: true, schema: { type: string } } } }
        "404": { description: There is none. }
    head:
      operationId: checkArchive
      responses: { 3XX: { description: The archive. } }
    post:
      operationId: makeArchive
      responses:
        "303": { description: The archive. }
        default: { description: An error., content: { application/json: { schema: { type: string } } } }
`;

/** A project whose calls must compile. */
const PROJECT = `
import { createClient } from "./generated/client.js";

export async function calls(): Promise<void> {
  const client = createClient();
  const { status, body, contentType } = await client.getArchive();
  const bytes: Uint8Array = body;
  const stream: ReadableStream<Uint8Array> = (await client.getArchive({}, { as: "stream" })).body;
  const made: Blob = (await client.makeArchive({}, { as: "blob" })).body;
  const checked: number = (await client.checkArchive()).status;
  // @ts-expect-error -- responses to HEAD have no content
  void (await client.checkArchive()).body;
  // @ts-expect-error -- fetch follows the redirect
  if (status === 302) return;
  void [bytes, contentType.length, stream, made, checked];
}
`;

const workspace = useWorkspace({ text: DOCUMENT });

test("an operation that only redirects has the type of any content as its success", () => {
  workspace.write("project.ts", PROJECT);
  expect(workspace.compile(["project.ts"])).toEqual([]);
});

/** Serves a page, to which the generated routes redirect. */
async function serve(): Promise<{ client: Client; manual: Client }> {
  const target = await startServer((_, response) => {
    response.writeHead(206, { "Content-Type": "text/html; charset=utf-8" }).end("<p>ü</p>");
  });
  let status = 302;
  const respond = async (): Promise<HttpResponse> => ({ status, headers: { Location: target } });
  const { client, baseUrl } = await serveBodies(workspace, respond);
  status = 303;
  const manual = await createClientFor(workspace, baseUrl, (input, init) =>
    fetch(new Request(input, { ...init, redirect: "manual" })),
  );
  return { client, manual };
}

test("the client returns the content that a redirect leads to, in the form that the caller chooses", async () => {
  const { client } = await serve();
  const bytes = await client.getArchive?.({});
  expect(bytes).toMatchObject({ status: 206, contentType: "text/html" });
  // The casts: the option `as` chooses a Blob, and without it the body is bytes.
  expect(new TextDecoder().decode(bytes?.body as Uint8Array)).toBe("<p>ü</p>");
  const blob = (await client.makeArchive?.({}, { as: "blob" }))?.body as Blob;
  expect(await blob.text()).toBe("<p>ü</p>");
  expect(await client.checkArchive?.({})).toMatchObject({ status: 206, body: undefined });
});

test("a client that follows no redirects throws an error with the headers", async () => {
  const { manual } = await serve();
  const error = await manual.getArchive?.({}).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "ApiError", status: 303 });
  // The cast: an ApiError has headers.
  expect((error as { headers: Headers }).headers.get("Location")).toMatch(/^http:/);
});
