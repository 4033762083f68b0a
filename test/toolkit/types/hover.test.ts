import { expect, test } from "vitest";
import { openInEditor } from "../../support/editor.js";

test("hovers show plain objects with the names of the document", () => {
  const { hovers, messages } = openInEditor(
    "test/fixtures/snapshots/library/hover.ts",
    `
      import { createClient, addBook, type AddBookRequest, type GetBookResponse } from "./client.js";
      import type { BooksHandlers, AddBookRequest as Received, GetBookResponse as Sent } from "./routes.js";
      import type { AddBookRequestBody, GetBookPath, GetBookResponseBody } from "./types.js";

      const client = createClient();
      type /*^*/A = AddBookRequest;
      type /*^*/B = GetBookResponse;
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
      "type C = Received",
      "type D = { status: 200; body: Book; } | { status: 404; body: Problem; }",
      "type E = { author: string; isbn: string; title: string; }",
      "type F = NewBook & { added: string; }",
      "const body: Book",
      "const headers: { Location: string; }",
      "(property) addBook: (request: AddBookRequest, options?: CallOptions | undefined) => Promise<AddBookResponse>",
      "(property) body: NewBook",
      "(alias) addBook(connection: Connection, request: AddBookRequest, options?: CallOptions): Promise<AddBookResponse> import addBook",
      "(parameter) path: GetBookPath",
      "(property) isbn: string",
    ]
  `);
});
