import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { HttpResponse } from "../../../src/http/index.js";
import { serveBodies } from "./bodies-server.js";
import { useWorkspace } from "./workspace.js";

type Values = Record<string, unknown>;

const DOCUMENT = `
openapi: 3.2.0
info: { title: Lines, version: "1" }
paths:
  /lines:
    post:
      operationId: sendLines
      requestBody: { required: true, content: { application/jsonl: { itemSchema: { $ref: "#/components/schemas/Line" } } } }
      responses:
        "200": { description: They., content: { application/jsonl: { itemSchema: { $ref: "#/components/schemas/Line" } } } }
  /either:
    post:
      operationId: sendEither
      requestBody:
        content:
          application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Line" } } }
          application/geo+json-seq: { itemSchema: { $ref: "#/components/schemas/Line" } }
      responses: { "200": { description: They., content: { application/json: { schema: {} } } } }
components:
  schemas:
    Line:
      type: object
      required: [text]
      properties: { id: { type: integer, readOnly: true }, text: { type: string } }
`;

/** Handlers and calls that must compile. */
const PROJECT = `
import { createClient } from "./generated/client.js";
import type { DefaultHandlers } from "./generated/routes.js";
import type { Line } from "./generated/types.js";

export const handlers: DefaultHandlers<undefined> = {
  async sendLines({ body }) {
    async function* number(): AsyncGenerator<Line> {
      let id = 0;
      for await (const { text } of body) yield { id: id++, text: text.toUpperCase() };
    }
    return { status: 200, body: number() };
  },
  async sendEither(request) {
    if (request.contentType === "application/json") return { status: 200, body: request.body[0]?.text };
    const texts: string[] = [];
    for await (const line of request.body ?? []) texts.push(line.text);
    return { status: 200, body: texts };
  },
};

export async function calls(): Promise<void> {
  const client = createClient();
  async function* lines() {
    yield { text: "a" };
  }
  for await (const { text } of (await client.sendLines({ body: lines() })).body) text.trim();
  await client.sendLines({ body: [{ text: "a" }] });
  await client.sendEither({ contentType: "application/geo+json-seq", body: new Set([{ text: "a" }]) });
  // @ts-expect-error -- a line has a text
  await client.sendLines({ body: [{ id: 1 }] });
  // @ts-expect-error -- one line is not a list of them
  await client.sendLines({ body: { text: "a" } });
}
`;

const workspace = useWorkspace({ text: DOCUMENT });

test("handlers and callers have the types of the lines", () => {
  workspace.write("project.ts", PROJECT);
  expect(workspace.compile(["project.ts"])).toEqual([]);
});

/** Collects the items of a stream, and reports the arrival of each. */
async function collect(body: unknown, onItem = (): void => {}): Promise<unknown[]> {
  const items: unknown[] = [];
  // The cast: the runtime passes JSON lines as an async iterable.
  for await (const item of body as AsyncIterable<unknown>) {
    items.push(item);
    onItem();
  }
  return items;
}

/** Responds with the lines of the request, as a list. */
async function respond({ body, contentType }: Values): Promise<HttpResponse> {
  const items = await collect(body);
  return { status: 200, contentType: "application/json", body: contentType ? [contentType, items] : items };
}

const LINES = [{ text: "" }, { text: 'ü "\n\u2028😀' }, { text: "x".repeat(100_000), more: [null, 1.5] }];

test.each([
  ["a list", () => LINES],
  ["a generator", () => LINES.values()],
  ["an async generator", async function* () { yield* LINES; }], // prettier-ignore
  ["no lines", () => []],
])("the lines of %s arrive as they were sent", async (_, create) => {
  const { client } = await serveBodies(workspace, respond);
  const expected = await collect(create());
  const contentType = "application/geo+json-seq";
  const result = await client.sendEither?.({ contentType, body: create() });
  expect(result?.body).toEqual([contentType, expected]);
});

test("each line arrives when it is sent, and the next one is made when it is needed", async () => {
  const { client } = await serveBodies(workspace, async ({ body }) => ({ status: 200, body }));
  const log: unknown[] = [];
  let answer = (): void => {};
  async function* lines() {
    for (const text of ["a", "b", "c"]) {
      log.push(`sent ${text}`);
      yield { text };
      if (text !== "c") await new Promise<void>((resolve) => (answer = resolve));
    }
  }
  const result = await client.sendLines?.({ body: lines() });
  const received: unknown = result?.body;
  // The cast: the response consists of JSON lines, which the client returns as an async iterable.
  for await (const line of received as AsyncIterable<Values>) {
    log.push(line);
    answer();
  }
  expect(log).toEqual(["sent a", { text: "a" }, "sent b", { text: "b" }, "sent c", { text: "c" }]);
});

test("the handler of an aborted call gets an error", async () => {
  const aborter = new AbortController();
  let fail: (reason: unknown) => void = () => {};
  const failure = new Promise((resolve) => (fail = resolve));
  const { client } = await serveBodies(workspace, async ({ body }) => {
    await collect(body, () => aborter.abort()).catch(fail);
    return { status: 400 };
  });
  async function* endless() {
    for (;;) {
      yield { text: "x" };
      await setTimeout(1);
    }
  }
  const call = client.sendLines?.({ body: endless() }, { signal: aborter.signal });
  await expect(call).rejects.toThrow("aborted");
  expect(await failure).toMatchObject({ message: "The request ended before its body did." });
});

test.each([
  ['{"text":"a"}\n\n{"text":1}', 'body[1] failed validation: body[1].text should be a string, instead was `1`.'], // prettier-ignore
  ['{"text":"a"}\r\n{', "Error parsing JSON body[1]: Expected property name or '}' in JSON at position 1"],
  ['{"text":"\\ud800"}', "body[0] failed validation: body[0].text has half of a surrogate pair"],
])("the handler of %j gets an error that names the line", async (body, message) => {
  const { baseUrl, problems } = await serveBodies(workspace, respond);
  const headers = { "Content-Type": "application/jsonl" };
  const response = await fetch(`${baseUrl}/lines`, { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(String(problems[0])).toContain(message);
});

test("the size of a line and that of all lines have limits of their own", async () => {
  const { baseUrl } = await serveBodies(workspace, respond, { bodyLimit: 20, uploadLimit: 100 });
  const send = async (body: string) =>
    (
      await fetch(`${baseUrl}/lines`, { method: "POST", headers: { "Content-Type": "application/jsonl" }, body })
    ).status; // prettier-ignore
  expect(await send('{"text":"a"}\n'.repeat(7))).toBe(200);
  expect(await send('{"text":"a"}\n'.repeat(8))).toBe(413);
  expect(await send('{"text":"a23456789"}\n')).toBe(200);
  expect(await send('{"text":"a234567890"}\n')).toBe(413);
});
