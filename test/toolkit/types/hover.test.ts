import { expect, test } from "vitest";
import { openInEditor } from "../../support/editor.js";

test("hovers show plain objects with the names of the document", () => {
  const { hovers, messages } = openInEditor(
    "test/fixtures/snapshots/library/hover.ts",
    `
      import { createClient, addBook, type AddBookRequest, type AddBookResponse, type GetBookResponse } from "./client.js";
      import type { BooksHandlers, AddBookRequest as Received, GetBookResponse as Sent } from "./routes.js";
      import type { AddBookRequestBody, GetBookPath, GetBookResponseBody } from "./types.js";

      const client = createClient();
      type /*^*/A = AddBookRequest;
      type /*^*/B = GetBookResponse;
      type /*^*/G = AddBookResponse;
      type /*^*/C = Received;
      type /*^*/D = Sent;
      type /*^*/E = AddBookRequestBody;
      type /*^*/F = GetBookResponseBody;
      export const { /*^*/body, /*^*/headers } = await client./*^*/addBook({ /*^*/body: { author: "", isbn: "", title: "" } });
      await /*^*/addBook(client, { body: { author: "", isbn: "", title: "" } });
      export const handlers: Pick<BooksHandlers<undefined>, "getBook"> = {
        async getBook({ /*^*/path }) {
          return { status: 404, body: { title: path./*^*/isbn, status: 404 } };
        },
      };
    `,
  );
  expect(messages).toEqual([]);
  expect(hovers).toMatchInlineSnapshot(`
    [
      "type A = { body: NewBook; }",
      "type B = { status: 200; body: Book; response: Response; }",
      "type G = { status: 201; headers: AddBook201Headers; body: Book; response: Response; }",
      "type C = Received",
      "type D = { status: 200; body: Book; } | { status: 404; body: Problem; }",
      "type E = { author: string; isbn: string; title: string; }",
      "type F = NewBook & { added: string; }",
      "const body: Book",
      "const headers: AddBook201Headers",
      "(property) addBook: (request: AddBookRequest, options?: CallOptions | undefined) => Promise<AddBookResponse>",
      "(property) body: NewBook",
      "(alias) addBook(connection: Connection, request: AddBookRequest, options?: CallOptions): Promise<AddBookResponse> import addBook",
      "(parameter) path: GetBookPath",
      "(property) isbn: string",
    ]
  `);
});

test("hovers over functions and methods of the client show the route", () => {
  const { docs } = openInEditor(
    "test/fixtures/snapshots/library/hover.ts",
    `
      import { createClient, addBook } from "./client.js";
      await createClient()./*^*/getBook({ path: { isbn: "" } });
      await /*^*/addBook(createClient(), { body: { author: "", isbn: "", title: "" } });
    `,
  );
  expect(docs).toEqual(["`GET /books/{isbn}`: Get a book", "`POST /books`: Add a book"]);
});

test("hovers show the fields of a multipart body", () => {
  const { hovers, messages } = openInEditor(
    "test/fixtures/snapshots/bodies/hover.ts",
    `
      import { createClient, type UploadRequest } from "./client.js";
      import type { DefaultHandlers } from "./routes.js";
      type /*^*/A = UploadRequest;
      await createClient().upload({ /*^*/body: { title: "a", /*^*/file: new Blob([]) } });
      await createClient().upload({ body: { titl: "a", file: new Blob([]) } });
      export const handlers: Pick<DefaultHandlers<undefined>, "upload"> = {
        async upload({ /*^*/body }) {
          const /*^*/fields = await body.collect();
          return { status: 200, body: fields.title };
        },
      };
    `,
  );
  expect(messages).toMatchInlineSnapshot(`
    [
      "Object literal may only specify known properties, and 'titl' does not exist in type 'FormData | { file: FileInput; meta?: { a: number; } | undefined; more?: FileInput[] | undefined; points?: { x?: number | undefined; }[] | undefined; public?: boolean | undefined; size?: number | undefined; tags?: string[] | undefined; title: string; }'.",
    ]
  `);
  expect(hovers).toMatchInlineSnapshot(`
    [
      "type A = { body: MultipartInput<UploadRequestBody, "file" | "more">; }",
      "(property) body: FormData | { file: FileInput; meta?: { a: number; } | undefined; more?: FileInput[] | undefined; points?: { x?: number; }[] | undefined; public?: boolean | undefined; size?: number | undefined; tags?: string[] | undefined; title: string; }",
      "(property) file: FileInput",
      "(parameter) body: Multipart<UploadRequestBody, "file" | "more", never>",
      "const fields: { file: File; meta?: { a: number; } | undefined; more?: File[] | undefined; points?: { x?: number; }[] | undefined; public?: boolean | undefined; size?: number | undefined; tags?: string[] | undefined; title: string; }",
    ]
  `);
});

test("hovers show no helper types in responses with headers", () => {
  const { hovers, messages } = openInEditor(
    "test/fixtures/snapshots/bodies/hover.ts",
    `
      import type { GetObjectResponse } from "./client.js";
      import type { GetObjectResponse as Sent } from "./routes.js";
      type /*^*/A = GetObjectResponse;
      type /*^*/B = Sent;
    `,
  );
  expect(messages).toEqual([]);
  expect(hovers).toMatchInlineSnapshot(`
    [
      "type A = { status: 200; headers: GetObject200Headers; body: Uint8Array<ArrayBufferLike>; response: Response; }",
      "type B = { status: 200; headers?: GetObject200Headers; body: BinaryContent; }",
    ]
  `);
});
