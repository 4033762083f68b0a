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
      "type A = { status: 200; headers?: GetObject200Headers; body: Uint8Array<ArrayBufferLike>; response: Response; }",
      "type B = { status: 200; headers?: GetObject200Headers; body: BinaryContent; }",
    ]
  `);
});
