import path from "node:path";
import { Project } from "ts-morph";
import { describe, expect, test } from "vitest";
import { operations } from "../../generated/routes.js";
import { validators } from "../../generated/validators.js";
import { createClient } from "../../src/client/index.js";
import { ApiDocument, PROJECT } from "../support/api-document.js";
import { uncheckedFetch } from "../support/checked-responses.js";
import { startServer } from "../support/server.js";
import { mountOnExpress, mountOnRouter } from "./mount.js";

const ID = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915";
const document = ApiDocument.committed().operations();
const documentIds = document.map(({ id }) => id).sort();

/** Reads the members of the handler interfaces from the source, as `group.operation`. */
function readHandlerMembers(): string[] {
  const project = new Project({
    tsConfigFilePath: path.join(PROJECT, "tsconfig.json"),
    skipAddingFilesFromTsConfig: true,
  });
  const routes = project.addSourceFileAtPath(path.join(PROJECT, "generated/routes.ts"));
  return routes
    .getInterfaceOrThrow("Handlers")
    .getProperties()
    .flatMap((group) => {
      const type = group.getTypeNodeOrThrow().getText().replace(/<.*/, "");
      return routes
        .getInterfaceOrThrow(type)
        .getProperties()
        .map((handler) => `${group.getName()}.${handler.getName()}`);
    });
}

function removeGroup(member: string): string {
  return member.slice(member.indexOf(".") + 1);
}

/** Converts a path template of the document to the syntax of routers. */
function toRoutePath(template: string): string {
  return template.replace(/\{([^}]+)\}/g, ":$1");
}

test("the generated table has the document's operations, with their methods, paths and statuses", () => {
  const inDocument = document.map((operation) => ({
    id: operation.id,
    method: operation.method,
    path: operation.path,
    parameters: operation.parameters.map(({ name }) => name),
    body: operation.body?.map(({ mediaType }) => mediaType),
    responses: Object.fromEntries(
      operation.responses.map(({ status, content }) => [status, content.map(({ mediaType }) => mediaType)]),
    ),
  }));
  const inTable = Object.values(operations).map((operation) => ({
    id: operation.name,
    method: operation.method,
    path: operation.path,
    parameters: operation.parameters.map(({ name }) => name),
    body: "body" in operation ? Object.keys(operation.body.mediaTypes) : undefined,
    responses: operation.responseMediaTypes,
  }));
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
  expect(inTable.sort(byId)).toEqual(inDocument.sort(byId));
  expect(Object.keys(operations).sort()).toEqual(documentIds);
  expect(Object.keys(validators).sort()).toEqual(documentIds);
  console.log(
    `${documentIds.length} operations: the document, the table, the handler interfaces, the routes on two routers and the client match.`,
  );
});

test("each tag is in one group of the docs, which leave out all others", () => {
  // The cast: declares only the parts of the document that this test uses.
  const { tags, "x-tagGroups": groups } = ApiDocument.committed().root as {
    tags: { name: string }[];
    "x-tagGroups": { tags: string[] }[];
  };
  const grouped = groups.flatMap((group) => group.tags);
  expect(grouped.sort(), "x-tagGroups in spec/openapi.yaml").toEqual(tags.map(({ name }) => name).sort());
});

test("the handler interfaces have exactly one member for each operation", () => {
  expect(readHandlerMembers().map(removeGroup).sort()).toEqual(documentIds);
});

test("the client has a method for each operation, and the client of openapi-fetch", () => {
  const client = createClient({ baseUrl: "http://localhost", apiKey: "key" });
  expect(Object.keys(client).sort()).toEqual([...documentIds, "http"].sort());
  expect(documentIds.map((id) => typeof Reflect.get(client, id))).toEqual(documentIds.map(() => "function"));
});

test("each method of the client calls its own operation's method and path", async () => {
  const calls: string[] = [];
  const client = createClient({
    baseUrl: "http://localhost",
    apiKey: "key",
    fetch: async (request) => {
      calls.push(`${request.method} ${new URL(request.url).pathname}`);
      return Response.json({});
    },
  });
  for (const { id, parameters, body } of document) {
    const path = Object.fromEntries(parameters.map(({ name }) => [name, ID]));
    const request = { path, ...(body ? { body: {} } : {}) };
    // The cast: the operation is chosen at run time, so its type is unknown.
    await (Reflect.get(client, id) as (request: object) => Promise<unknown>)(request);
  }
  expect(calls).toEqual(
    document.map(({ method, path: template }) => `${method} ${template.replace(/\{[^}]+\}/g, ID)}`),
  );
});

describe.each([
  ["the router package", mountOnRouter],
  ["an Express 5 application", mountOnExpress],
])("mounted on %s", (_, mount) => {
  test("there is exactly one route for each operation", () => {
    const wanted = document.map(({ method, path: template }) => `${method} ${toRoutePath(template)}`).sort();
    const mounted = mount().routes.map(({ method, path: template }) => `${method} ${template}`);
    expect(mounted.sort()).toEqual(wanted);
  });

  test("a request for each operation reaches its handler", async () => {
    const url = await startServer(mount().listener);
    const members = readHandlerMembers();
    for (const { id, method, path: template } of document) {
      const response = await uncheckedFetch(url + template.replace(/\{[^}]+\}/g, ID), { method });
      const member = members.find((name) => removeGroup(name) === id);
      expect(await response.text()).toBe(`${id} ${member}`);
    }
    expect((await uncheckedFetch(`${url}/v1/nothing`)).status).toBe(404);
  });
});
