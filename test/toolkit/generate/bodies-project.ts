/** Handlers and calls that use the generated code of bodies.yaml, and must compile. */
export const PROJECT = `
import { type Readable } from "node:stream";
import { createClient } from "./generated/client.js";
import type { DefaultHandlers } from "./generated/routes.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export const handlers: DefaultHandlers<undefined> = {
  async upload({ body }) {
    for await (const part of body) {
      if (part.name === "file") same<typeof part.stream, Readable>(true);
      if (part.name === "more") same<typeof part.filename, string | undefined>(true);
      if (part.name === "size") same<typeof part.value, number>(true);
      if (part.name === "tags") same<typeof part.value, string>(true);
    }
    const all = await body.collect();
    same<typeof all.file, File>(true);
    same<typeof all.more, File[] | undefined>(true);
    same<typeof all.title, string>(true);
    return { status: 200, body: all.title };
  },
  async sendPhotos({ body }) {
    for await (const part of body) {
      if (part.stream) same<typeof part.name, "photo" | "more">(true);
      else same<typeof part.value, string>(true);
    }
    const all = await body.collect();
    same<typeof all.photo, File | string>(true);
    same<typeof all.more, (File | string)[] | undefined>(true);
    return { status: 200, body: null };
  },
  async sendText({ body }) {
    same<typeof body, number | boolean | number[]>(true);
    return { status: 200, body: [body] };
  },
  async sendFields({ body }) {
    same<typeof body.n, number>(true);
    return { status: 200, body };
  },
  async sendForm({ body }) {
    same<typeof body.ids, number[] | undefined>(true);
    return { status: 200, body };
  },
  async putObject({ body }) {
    same<typeof body, Readable>(true);
    return { status: 200, body: 1 };
  },
  async getObject() {
    return { status: 200, headers: { "X-Point": { x: 1, y: "a" } }, body: new Blob(["a"]) };
  },
  async convert({ contentType, body }) {
    same<typeof contentType, \`image/\${string}\`>(true);
    return { status: 200, contentType, body };
  },
  async watch() {
    async function* events() {
      yield { data: { kind: "made" as const, of: "a" }, event: "change", id: "1" };
    }
    return { status: 200, body: events() };
  },
  async listen() {
    async function* events() {
      yield { data: "word" };
    }
    return { status: 200, body: events() };
  },
  async follow() {
    async function* events() {
      yield { event: "tick" as const, data: 1 };
    }
    return { status: 200, body: events() };
  },
  async chat({ body }) {
    async function* events() {
      yield { data: { delta: "a" } };
    }
    if (body.stream) return { status: 200, contentType: "text/event-stream", body: events() };
    return { status: 200, contentType: "application/json", body: { text: "a" } };
  },
};

export async function calls(): Promise<void> {
  const client = createClient({ baseUrl: "http://localhost" });
  const file = new Blob(["a"]);
  await client.upload({ body: { title: "a", file, more: [new Uint8Array(), { content: "text", filename: "a.txt" }] } });
  await client.upload({ body: new FormData() });
  // @ts-expect-error -- a path is not a file
  await client.upload({ body: { title: "a", file: "./a.png" } });
  await client.upload({ body: { title: "a", file: { content: file, contentType: "image/png" } } });
  // @ts-expect-error -- text without a file name would be a JSON field
  await client.upload({ body: { title: "a", file: { content: "text" } } });
  // @ts-expect-error -- the body is required
  await client.upload({ body: { title: "a" } });
  await client.sendPhotos({ body: { photo: "id", more: [file, "id"] } });
  await client.putObject({ path: { name: "a" }, body: new ReadableStream<Uint8Array>() });
  const bytes = await client.getObject({ path: { name: "a" } });
  same<typeof bytes.body, Uint8Array>(true);
  const stream = await client.getObject({ path: { name: "a" } }, { as: "stream" });
  same<typeof stream.body, ReadableStream<Uint8Array>>(true);
  const image = await client.convert({ contentType: "image/png", body: file }, { as: "blob" });
  if (image.contentType !== "application/problem+json") same<typeof image.body, Blob>(true);
  for await (const { data } of (await client.watch()).body) same<typeof data.kind, "made" | "gone">(true);
  for await (const { data } of (await client.listen()).body) same<typeof data, string>(true);
  for await (const event of (await client.follow()).body) {
    if (event.event === "tick") same<typeof event.data, number>(true);
  }
  const result = await client.chat({ body: { stream: true } });
  if (result.contentType === "application/json") same<typeof result.body.text, string>(true);
  else for await (const { data } of result.body) same<typeof data.delta, string>(true);
}
`;
