import { expect, test } from "vitest";
import { createClientFor, serveBodies } from "./bodies-server.js";
import { useWorkspace } from "./workspace.js";

const DOCUMENT = `
openapi: 3.1.0
info: { title: Errors, version: "1" }
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200": { description: The thing., content: { application/json: { schema: { type: string } } } }
        "404": { description: No thing., content: { application/json: { schema: { $ref: "#/components/schemas/Missing" } } } }
        "409":
          description: A conflict.
          content: { application/problem+json; charset=utf-8: { schema: { $ref: "#/components/schemas/Problem" } } }
        "410": { description: Gone., content: { text/plain: { schema: { type: string } } } }
        "423": { description: Locked. }
    delete:
      operationId: deleteThing
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        2XX: { description: Deleted. }
        default: { description: An error., content: { application/json: { schema: { $ref: "#/components/schemas/Problem" } } } }
  /things:
    patch:
      operationId: "1"
      responses: { "204": { description: Changed. }, "409": { description: A conflict., content: { application/json: { schema: { $ref: "#/components/schemas/Problem" } } } } }
    post:
      operationId: makeThing
      responses: { "204": { description: Made. } }
    delete: { operationId: dropThings }
    put:
      operationId: replace-things
      responses:
        "204": { description: Replaced. }
        "404": { description: No thing., content: { application/json: { schema: { $ref: "#/components/schemas/Missing" } } } }
components:
  schemas:
    Missing: { type: object, required: [missing], properties: { missing: { type: string } } }
    Problem: { type: object, required: [title], properties: { title: { type: string } } }
`;

/** A project whose lines must compile. */
const PROJECT = `
import { ApiError, createClient, type ErrorOf, isErrorOf } from "./generated/client.js";
import type { Problem } from "./generated/types.js";

export async function calls(): Promise<void> {
  const client = createClient();
  try {
    await client.getThing({ path: { id: "1" } });
  } catch (error) {
    if (isErrorOf(error, "getThing")) {
      const status: 404 | 409 | 410 | 423 = error.status;
      if (error.status === 404) { const name: string = error.body.missing; void name; }
      else if (error.status === 409) { const problem: Problem = error.body; void problem; }
      else { const body: unknown = error.body; void body; }
      // @ts-expect-error -- the body depends on the status
      void error.body.missing;
      // @ts-expect-error -- not a declared status
      if (error.status === 200) return;
      void [status, error.headers.get("Retry-After"), error.message];
    }
    if (isErrorOf(error, "deleteThing")) { const [status, title]: [number, string] = [error.status, error.body.title]; void [status, title]; }
    if (isErrorOf(error, "makeThing")) { const own: ApiError = error; void own.body; }
    if (isErrorOf(error, "replaceThings")) { const name: string = error.body.missing; void name; }
    if (isErrorOf(error, "_1")) { const title: string = error.body.title; void title; }
    // @ts-expect-error -- no such operation
    isErrorOf(error, "getThings");
    // @ts-expect-error -- not the name of a method
    isErrorOf(error, "replace-things");
  }
}
export const toTitle = (error: ErrorOf<"deleteThing">): string => error.body.title;
export const toError = (error: ApiError): ErrorOf<"dropThings"> => error;
`;

const workspace = useWorkspace({ text: DOCUMENT });

test("errors have the statuses and JSON bodies that the document declares for an operation", () => {
  workspace.write("project.ts", PROJECT);
  expect(workspace.compile(["project.ts"])).toEqual([]);
});

test("isErrorOf recognizes the error responses of an operation", async () => {
  const { baseUrl } = await serveBodies(workspace, async () => ({
    status: 404,
    headers: {},
    body: { missing: "1" },
  }));
  const client = await createClientFor(workspace, baseUrl);
  // The cast: client.ts of every document exports the function.
  const { isErrorOf } = (await workspace.import("generated/client.js")) as {
    isErrorOf(error: unknown, operation: string): boolean;
  };
  const error = await client.getThing?.({ path: { id: "1" } }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 404, body: { missing: "1" } });
  expect(isErrorOf(error, "getThing")).toBe(true);
  expect(isErrorOf(error, "deleteThing")).toBe(false);
  expect(isErrorOf(new Error("No connection."), "getThing")).toBe(false);
  const replaceError = await client.replaceThings?.({}).catch((reason: unknown) => reason);
  expect(isErrorOf(replaceError, "replaceThings")).toBe(true);

  const html = await createClientFor(workspace, baseUrl, async () => new Response("<html>"));
  const invalid = await html.getThing?.({ path: { id: "1" } }).catch((reason: unknown) => reason);
  expect(invalid).toMatchObject({ name: "ApiError", status: 200 });
  expect(isErrorOf(invalid, "getThing")).toBe(false);
});
