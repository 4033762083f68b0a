import { expect, test } from "vitest";
import { openInEditor } from "../../support/editor.js";

const SETUP = `
  import { connect, createClient, listUsers, paginate, updatePage } from "../../../src/client/index.js";
  const client = createClient({ baseUrl: "", apiKey: "" });
  const connection = connect({ baseUrl: "", apiKey: "" });
`;

/** Returns the compiler's messages for one statement. */
function getMessages(statement: string): string {
  return openInEditor("test/service/client/mistake.ts", SETUP + statement).messages.join("\n");
}

test.each([
  [
    "an operation without a cursor",
    `paginate(client.retrieveUser, { path: { user_id: "" } });`,
    "this operation takes no start_cursor",
  ],
  [
    "a standalone operation without a cursor",
    `paginate(connection, updatePage, { path: { page_id: "" }, body: {} });`,
    "this operation takes no start_cursor",
  ],
  [
    "a missing body",
    `paginate(client.queryDatabase, { path: { database_id: "" } });`,
    "Property 'body' is missing",
  ],
  ["a misspelled member", `paginate(client.listUsers, { quer: {} });`, "Did you mean to write 'query'?"],
  [
    "a wrong type",
    `paginate(client.listUsers, { query: { page_size: "2" } });`,
    "Type 'string' is not assignable to type 'number'",
  ],
])("paginate names the mistake: %s", (_, statement, message) => {
  const messages = getMessages(statement);
  expect(messages).toContain(message);
  expect(messages).not.toContain("'never'");
});

test("an item has the type of the list", () => {
  const { hovers, messages } = openInEditor(
    "test/service/client/item.ts",
    `${SETUP}
      for await (const /*^*/page of paginate(client.queryDatabase, { path: { database_id: "" }, body: {} })) page.id;
      for await (const /*^*/user of paginate(connection, listUsers, {})) user.id;`,
  );
  expect(messages).toEqual([]);
  expect(hovers).toEqual(["const page: Page", "const user: User"]);
});
