import type { CreateDatabaseRequest } from "../../src/client/index.js";

/** A property of each writable type except relation, as in a request that creates a database. */
export const WRITABLE_PROPERTIES: CreateDatabaseRequest["body"]["properties"] = {
  Title: { title: {} },
  Text: { rich_text: {} },
  Number: { number: {} },
  Select: { select: { options: [{ name: "One", color: "red" }, { name: "Two" }] } },
  Multi: { multi_select: { options: [{ name: "a" }, { name: "b" }] } },
  Status: { status: {} },
  Date: { date: {} },
  People: { people: {} },
  Files: { files: {} },
  Done: { checkbox: {} },
  Link: { url: {} },
  Mail: { email: {} },
  Phone: { phone_number: {} },
};
