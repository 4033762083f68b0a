import { afterAll, beforeAll, expect, test } from "vitest";
import { findRuntimeModules } from "../../../scripts/emit/runtime-modules.js";
import type { JsonObject } from "../../../scripts/json.js";
import { Workspace } from "../generate/workspace.js";
import { emit } from "../emit/emit.js";
import { build, documentWith, operationWith } from "../model/document.js";

let workspace: Workspace;
beforeAll(() => {
  workspace = new Workspace();
});
afterAll(() => workspace.remove());

const json = (schema: JsonObject, rest: JsonObject = {}): JsonObject => ({
  description: "d",
  content: { "application/json": { schema } },
  ...rest,
});
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
});

/** Generates code for a document, compiles code that imports it, and returns the locations of the compiler's errors. */
async function findErrors(document: JsonObject, ...code: string[]): Promise<string[]> {
  return (await compile(document, ...code)).map((line) => line.replace(/ .*/s, ""));
}

/** Generates code for a document, compiles code that imports it, and returns the compiler's messages after their locations. */
async function compile(document: JsonObject, ...code: string[]): Promise<string[]> {
  const runtime = await findRuntimeModules(workspace.path("generated"));
  await workspace.writeGenerated((await emit(build(document), { runtime })).files);
  workspace.write("generated/check.ts", code.join("\n"));
  return workspace.compile(["generated/check.ts", "generated/client.ts"]);
}

test("the status distinguishes explicit statuses, ranges and default", async () => {
  const responses = {
    200: json(object({ ok: { type: "string" } }, "ok")),
    404: json(object({ missing: { type: "string" } }, "missing")),
    "4XX": json(object({ wrong: { type: "string" } }, "wrong")),
    default: json(object({ failed: { type: "string" } }, "failed")),
  };
  const found = await findErrors(
    documentWith({ "/a": { get: operationWith({ operationId: "a", responses }) } }),
    `import type { AResponse } from "./routes.js";`,
    `export function read(response: AResponse): string {`,
    `  if (response.status === 200) return response.body.ok;`,
    `  if (response.status === 404) return response.body.missing;`,
    `  if (response.status === 400 || response.status === 429) return response.body.wrong;`,
    `  if (response.status === 500) return response.body.failed;`,
    `  return "wrong" in response.body ? response.body.wrong : response.body.failed;`,
    `}`,
    `export const responses: AResponse[] = [`,
    `  { status: 404, body: { missing: "x" } },`,
    `  { status: 403, body: { wrong: "x" } },`,
    `  { status: 302, body: { failed: "x" } },`,
    `  { status: 404, body: { wrong: "x" } },`,
    `  { status: 403, body: { failed: "x" } },`,
    `  { status: 503, body: { wrong: "x" } },`,
    `];`,
  );
  expect(found).toEqual([13, 14, 15].map((line) => `generated/check.ts:${line}`));
});

test("an error about a response without a required header names the types of the document", async () => {
  const headers = { "X-Total": { required: true, schema: { type: "integer" } } };
  const responses = { 200: json({ type: "string" }, { headers }) };
  const [error, ...others] = await compile(
    documentWith({ "/a": { get: operationWith({ operationId: "a", tags: ["b"], responses }) } }),
    `import type { BHandlers } from "./routes.js";`,
    `export const handlers: BHandlers<unknown> = { async a() { return { status: 200, body: "" }; } };`,
  );
  expect(others).toEqual([]);
  expect(error).toContain("required in type 'AResponse'.");
});

test("options can be undefined", async () => {
  const operation = operationWith({ operationId: "a", responses: { 200: { description: "d" } } });
  const found = await findErrors(
    documentWith({ "/a": { get: operation } }),
    `import { type CallOptions, type ClientOptions, connect, createClient, a } from "./client.js";`,
    `export async function call(signal?: AbortSignal, headers?: Record<string, string>): Promise<void> {`,
    `  await createClient().a({}, { signal, headers });`,
    `  await a(connect(), {}, { signal, headers });`,
    `}`,
    `export const create = (toError: ClientOptions["toError"], around: ClientOptions["around"], fetch?: typeof globalThis.fetch) =>`,
    `  createClient({ toError, around: around ?? ((_, attempt, { signal }: CallOptions) => attempt({ signal, headers: undefined, fetch })) });`,
  );
  expect(found).toEqual([]);
});

test("the status of an error distinguishes explicit statuses, ranges and default", async () => {
  const responses = {
    204: { description: "d" },
    404: json(object({ missing: { type: "string" } }, "missing")),
    "4XX": json(object({ wrong: { type: "string" } }, "wrong")),
    503: json(object({ busy: { type: "string" } }, "busy")),
    default: json(object({ failed: { type: "string" } }, "failed")),
  };
  const found = await findErrors(
    documentWith({ "/a": { get: operationWith({ operationId: "a", responses }) } }),
    `import { type ErrorOf, isErrorOf } from "./client.js";`,
    `export function read(error: unknown): string {`,
    `  if (!isErrorOf(error, "a")) return "";`,
    `  if (error.status === 404) return error.body.missing;`,
    `  if (error.status === 418 || error.status === 499) return error.body.wrong;`,
    `  if (error.status === 503) return error.body.busy;`,
    `  if (error.status === 302 || error.status === 500 || error.status === 599) return error.body.failed;`,
    `  return "wrong" in error.body ? error.body.wrong : error.body.failed;`,
    `}`,
    `export function misread(error: ErrorOf<"a">): unknown {`,
    `  if (error.status === 404) return error.body.wrong;`,
    `  if (error.status === 418) return error.body.failed;`,
    `  if (error.status === 500) return error.body.busy;`,
    `  return error.status === 204;`,
    `}`,
  );
  expect(found).toEqual([11, 12, 13, 14].map((line) => `generated/check.ts:${line}`));
});

test("the context of a binder must be the one that the handlers need", async () => {
  const tagged = (tag: string): JsonObject => ({ get: operationWith({ operationId: tag, tags: [tag] }) });
  const { http } = await findRuntimeModules(workspace.path("generated"));
  const found = await findErrors(
    documentWith({ "/books": tagged("books"), "/events": tagged("events") }),
    `import { createBinder, type RouteHandler } from ${JSON.stringify(http)};`,
    `import { type BooksHandlers, type EventsHandlers, registerRoutes, type RouteTarget } from "./routes.js";`,
    `interface Context { user: { name: string } }`,
    `class Books implements BooksHandlers<Context> {`,
    `  async books(_request: object, { user }: Context): Promise<never> { throw new Error(user.name); }`,
    `}`,
    `const books: BooksHandlers<Context> = { async books(_request, { user }) { throw new Error(user.name); } };`,
    `const anyEvents: EventsHandlers<unknown> = { async events() { throw new Error(); } };`,
    `const events: EventsHandlers<Context> = anyEvents;`,
    `declare const router: RouteTarget<RouteHandler>;`,
    `const validators = {};`,
    `const user = { name: "n" };`,
    `const bind = createBinder({ validators, begin: () => ({ user, time: 1 }) });`,
    `registerRoutes(router, { books, events }, bind);`,
    `registerRoutes(router, { books: new Books(), events: anyEvents }, bind);`,
    `registerRoutes(router, { books, events: anyEvents }, createBinder({ validators, begin: async () => ({ user }) }));`,
    `registerRoutes<Context>(router, { books, events }, createBinder({ validators, begin: () => ({ user }) }));`,
    `registerRoutes(router, { books: { async books() { throw new Error(); } }, events: anyEvents }, createBinder({ validators }));`,
    `const none = createBinder({ validators });`,
    `registerRoutes(router, { books, events }, createBinder({ validators }));`,
    `registerRoutes(router, { books, events: anyEvents }, none);`,
    `registerRoutes(router, { books: new Books(), events: anyEvents }, none);`,
    `registerRoutes(router, { books, events: anyEvents }, createBinder({ validators, begin: () => ({ user: 5 }) }));`,
    `registerRoutes(router, { books, events: anyEvents }, createBinder({ validators, begin: () => ({ tenant: 5 }) }));`,
    `registerRoutes(router, { books, events }, createBinder({ validators, begin: () => ({}) }));`,
  );
  expect(found).toEqual([20, 21, 22, 23, 24, 25].map((line) => `generated/check.ts:${line}`));
});

test("response headers, including referenced ones, have their types and are optional if the document declares so", async () => {
  const headers = {
    "X-Text": { required: true, schema: { type: "string" } },
    "X-Count": { schema: { type: "integer" } },
    "X-List": { required: true, schema: { type: "array", items: { type: "integer" } } },
    "X-Object": { required: true, schema: object({ a: { type: "integer" } }, "a") },
    "X-Json": { content: { "application/json": { schema: object({ b: { type: "boolean" } }, "b") } } },
    "X-Shared": { $ref: "#/components/headers/Shared" },
    "X-Needed": { $ref: "#/components/headers/Needed" },
    "Content-Type": { required: true, schema: { type: "string" } },
  };
  const document = documentWith(
    { "/a": { get: operationWith({ operationId: "a", responses: { 200: { description: "d", headers } } }) } },
    {
      components: {
        headers: {
          Shared: { schema: { type: "boolean" } },
          Needed: { required: true, schema: { type: "string", enum: ["x", "y"] } },
        },
      },
    },
  );
  const least = `"X-Text": "t", "X-List": [1], "X-Object": { a: 1 }, "X-Needed": "x"`;
  const found = await findErrors(
    document,
    `import type { AResponse } from "./routes.js";`,
    `import type { Client } from "./client.js";`,
    `export const right: AResponse[] = [`,
    `  { status: 200, headers: { ${least} } },`,
    `  { status: 200, headers: { ${least}, "X-Count": 1, "X-Json": { b: true }, "X-Shared": false } },`,
    `];`,
    `export const none: AResponse = { status: 200 };`,
    `export const missing: AResponse = { status: 200, headers: { "X-Text": "t" } };`,
    `export const wrong: AResponse = { status: 200, headers: { ${least}, "X-Shared": "no" } };`,
    `export const other: AResponse = { status: 200, headers: { ${least}, "X-Other": 1 } };`,
    `export async function read(client: Client): Promise<void> {`,
    `  const { headers } = await client.a();`,
    `  const list: number[] = headers["X-List"];`,
    `  const a: number = headers["X-Object"].a;`,
    `  const needed: "x" | "y" = headers["X-Needed"];`,
    `  const json: boolean | undefined = headers["X-Json"]?.b;`,
    `  const shared: boolean = headers["X-Shared"];`,
    `  void [list, a, needed, json, shared];`,
    `}`,
  );
  expect(found).toEqual([7, 8, 9, 10, 17].map((line) => `generated/check.ts:${line}`));
});

const PET = {
  type: "object",
  required: ["id", "name", "token"],
  properties: {
    id: { type: "string", readOnly: true },
    name: { type: "string" },
    token: { type: "string", writeOnly: true },
  },
};

test("webhooks have types for sender and receiver, with request and response forms exchanged", async () => {
  const document = documentWith(
    {
      "/pets": {
        post: operationWith({
          operationId: "newPetWebhook",
          requestBody: json({ $ref: "#/components/schemas/Pet" }),
        }),
      },
    },
    {
      components: { schemas: { Pet: PET } },
      webhooks: {
        newPet: {
          post: operationWith({
            parameters: [
              { name: "X-IndexSignature", in: "header", required: true, schema: { type: "string" } },
            ],
            requestBody: { required: true, ...json({ $ref: "#/components/schemas/Pet" }) },
            responses: {
              200: json(object({ done: { type: "boolean" } }, "done")),
              default: { description: "d" },
            },
          }),
          put: operationWith({ operationId: "changedPet" }),
        },
      },
    },
  );
  const found = await findErrors(
    document,
    `import type { NewPetPostWebhookRequest, NewPetPostWebhookResponse, ChangedPetWebhookResponse } from "./routes.js";`,
    `import type { webhooks, operations } from "./types.js";`,
    `export const sent: NewPetPostWebhookRequest = { headers: { "X-IndexSignature": "s" }, body: { id: "i", name: "n" } };`,
    `export function receive(request: NewPetPostWebhookRequest): NewPetPostWebhookResponse {`,
    `  return request.body.id === "" ? { status: 500 } : { status: 200, body: { done: true } };`,
    `}`,
    `export const changed: ChangedPetWebhookResponse = { status: 204 };`,
    `export type Same = webhooks["newPet"]["put"] extends operations["changedPet"] ? true : never;`,
    `export const same: Same = true;`,
    `export const secret: NewPetPostWebhookRequest["body"] = { id: "i", name: "n", token: "t" };`,
    `export const bad: NewPetPostWebhookResponse = { status: 200, body: {} };`,
    // A webhook without an operationId is no member of `operations`.
    `export const named: "newPet" extends keyof operations ? true : false = false;`,
  );
  expect(found).toEqual([10, 11].map((line) => `generated/check.ts:${line}`));
});

test("the types of a callback are accessible", async () => {
  const callbacks = {
    onEvent: {
      "{$request.body#/url}": {
        post: operationWith({
          requestBody: { required: true, ...json({ $ref: "#/components/schemas/Pet" }) },
        }),
      },
    },
  };
  const found = await findErrors(
    documentWith(
      { "/subscribe": { post: operationWith({ operationId: "subscribe", callbacks }) } },
      { components: { schemas: { Pet: PET } } },
    ),
    `import type { operations } from "./types.js";`,
    `type Event = operations["subscribe"]["callbacks"]["onEvent"]["{$request.body#/url}"]["post"];`,
    `export const event: Event["requestBody"]["content"]["application/json"] = { id: "i", name: "n" };`,
    `export const wrong: Event["requestBody"]["content"]["application/json"] = { name: "n" };`,
  );
  expect(found).toEqual(["generated/check.ts:4"]);
});

test("a parameter with content has the type of its value, and headers that OpenAPI ignores are not parameters", async () => {
  const found = await findErrors(
    documentWith({
      "/a": {
        get: operationWith({
          operationId: "a",
          parameters: [
            {
              name: "filter",
              in: "query",
              content: { "application/json": { schema: object({ a: { type: "integer" } }, "a") } },
            },
            { name: "X-A", in: "header", schema: { type: "string" } },
            { name: "Authorization", in: "header", required: true, schema: { type: "string" } },
          ],
        }),
      },
    }),
    `import type { ARequest } from "./routes.js";`,
    `export const right: ARequest = { query: { filter: { a: 1 } }, headers: {} };`,
    `export const wrong: ARequest = { query: { filter: "a" }, headers: {} };`,
  );
  expect(found).toEqual(["generated/check.ts:3"]);
});

test("operations keep their names with any characters in their ids", async () => {
  const ids = ["a#b", "a/b", "a%41b", "#/a/b", "a~1b", "constructor", "ä"];
  const document = documentWith(
    Object.fromEntries(ids.map((id, index) => [`/p${index}`, { get: operationWith({ operationId: id }) }])),
  );
  const found = await findErrors(
    document,
    `import type { operations, paths } from "./types.js";`,
    ...ids.map(
      (id, index) =>
        `export const p${index}: paths["/p${index}"]["get"] extends operations[${JSON.stringify(id)}] ? 1 : 2 = 1;`,
    ),
  );
  expect(found).toEqual([]);
});

test("supports a parent that is a union of its subschemas, and schemas that only refer to each other", async () => {
  const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
  const extending = (name: string): JsonObject => ({
    allOf: [to("Pet"), object({ [name]: { type: "boolean" } }, name)],
  });
  const schemas = {
    Pet: {
      ...object({ kind: { type: "string" }, name: { type: "string" } }, "kind"),
      oneOf: [to("Cat"), to("Dog")],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
    },
    Cat: extending("meows"),
    Dog: extending("barks"),
    Self: { allOf: [to("Self"), object({ a: { type: "string" } })] },
    One: to("Other"),
    Other: to("One"),
    Text: { oneOf: [to("Text"), { type: "string" }] },
    List: { type: "array", items: { oneOf: [to("Same"), { type: "number" }] } },
    Same: { allOf: [to("List")] },
  };
  const found = await findErrors(
    documentWith({}, { components: { schemas } }),
    `import type { components } from "./types.js";`,
    `type C = components["schemas"];`,
    `export const cat: C["Pet"] = { kind: "cat", name: "n", meows: true };`,
    `export const dog: C["Dog"] = { kind: "dog", barks: true };`,
    `export function read(pet: C["Pet"]): boolean { return pet.kind === "dog" ? pet.barks : pet.meows; }`,
    `export const same: [C["Self"], C["One"], C["Text"], C["List"]] = [{ a: "x" }, 1, "t", [1, [2, [3]]]];`,
    `export const wrong: C["Pet"] = { kind: "cat", barks: true };`,
    `export const text: C["Text"] = 1;`,
    `export const list: C["List"] = ["a"];`,
  );
  expect(found).toEqual([7, 8, 9].map((line) => `generated/check.ts:${line}`));
});

test("undeclared parts of a multipart body can be files, and declared ones keep their type", async () => {
  const schema = {
    ...object({ operations: object({ query: { type: "string" } }, "query") }, "operations"),
    additionalProperties: { type: "string", format: "binary" },
  };
  const requestBody = { required: true, content: { "multipart/form-data": { schema } } };
  const found = await findErrors(
    documentWith({ "/a": { post: operationWith({ operationId: "a", requestBody }) } }),
    `import type { Client } from "./client.js";`,
    `import type { ARequest } from "./routes.js";`,
    `export async function call(client: Client): Promise<void> {`,
    `  await client.a({ body: { operations: { query: "x" }, "0": new Blob(["x"]) } });`,
    `  await client.a({ body: { operations: new Blob(["x"]) } });`,
    `}`,
    `export async function handle({ body }: ARequest): Promise<string> {`,
    `  const { operations, ...files } = await body.collect();`,
    `  return files["0"] instanceof File ? files["0"].name : operations.query;`,
    `}`,
  );
  expect(found).toEqual(["generated/check.ts:5"]);
});
