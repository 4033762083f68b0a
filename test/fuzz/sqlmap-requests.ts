import type { Visitor } from "../support/visitor.js";

/** A request for sqlmap, which tests the positions marked with `*` one after another and leaves the rest unchanged. */
export interface SqlmapRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether each request hashes a password. Fewer of them are sent, because hashing is slow. */
  readonly slow?: true;
  /** The field whose value sqlmap randomizes in each request. */
  readonly random?: string;
}

/** Objects of the service and the key of the requests. */
export interface SqlmapTarget {
  readonly key: string;
  readonly databaseId: string;
  readonly pageId: string;
  /** A signed-in visitor, and one without an account. */
  readonly owner: Visitor;
  readonly stranger: Visitor;
}

const FORM = "application/x-www-form-urlencoded";
const TOKEN = "x".repeat(43);

/** Lists requests that cover every input of the service: paths, query strings, headers, JSON, forms and cookies. */
export async function createSqlmapRequests(target: SqlmapTarget): Promise<SqlmapRequest[]> {
  return [...createApiRequests(target), ...(await createFormRequests(target))];
}

function createApiRequests({ key, databaseId, pageId }: SqlmapTarget): SqlmapRequest[] {
  const api = (name: string, method: string, path: string, body?: object): SqlmapRequest => ({
    name,
    method,
    path: `/v1${path}`,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = (content: string) => [{ text: { content } }];
  const paragraph = { type: "paragraph", paragraph: { rich_text: text("block*") } };
  const query = (name: string, body: object) =>
    api(`query: ${name}`, "POST", `/databases/${databaseId}/query`, body);
  const page = api("retrieve a page", "GET", `/pages/${pageId}*?filter_properties=title*`);
  return [
    page,
    api("property item", "GET", `/pages/${pageId}/properties/title*?page_size=5*&start_cursor=${pageId}*`),
    api("children", "GET", `/blocks/${pageId}*/children?page_size=5*&start_cursor=${pageId}*`),
    api("comments", "GET", `/comments?block_id=${pageId}*&page_size=5*`),
    api("retrieve a database", "GET", `/databases/${databaseId}*`),
    api("users", "GET", `/users?page_size=5*&start_cursor=${pageId}*`),
    api("retrieve a user", "GET", `/users/${pageId}*`),
    query("text filter", { filter: { property: "Text*", rich_text: { contains: "Text 1*" } } }),
    query("title filter", { filter: { property: "title", title: { equals: "Page 1*" } } }),
    query("choices", {
      filter: {
        or: [
          { property: "Choice", select: { equals: "a*" } },
          { property: "Tags", multi_select: { contains: "a*" } },
          { property: "Text", rich_text: { starts_with: "Text*" } },
        ],
      },
    }),
    query("number and date", {
      filter: {
        and: [
          { property: "Number", number: { less_than: "3*" } },
          { property: "Day", date: { after: "2020-01-01*" } },
          { timestamp: "created_time", created_time: { on_or_after: "2020-01-01*" } },
        ],
      },
    }),
    query("sorts and pages", {
      sorts: [{ property: "Text*", direction: "ascending*" }],
      page_size: "5*",
      start_cursor: `${pageId}*`,
    }),
    api("search", "POST", "/search", {
      query: "Page*",
      filter: { property: "object", value: "page*" },
      sort: { timestamp: "last_edited_time", direction: "ascending*" },
    }),
    api("create a page", "POST", "/pages", {
      parent: { database_id: `${databaseId}*` },
      properties: { title: { title: text("New*") }, "Text*": { rich_text: text("New*") } },
      children: [paragraph],
    }),
    api("update a page", "PATCH", `/pages/${pageId}*`, {
      properties: { Choice: { select: { name: "a*" } }, Day: { date: { start: "2024-01-01*" } } },
    }),
    api("create a database", "POST", "/databases", {
      parent: { page_id: `${pageId}*` },
      title: text("Database*"),
      properties: { Title: { title: {} }, "Name*": { select: { options: [{ name: "a*" }] } } },
    }),
    api("update a database", "PATCH", `/databases/${databaseId}`, {
      title: text("Database*"),
      properties: { Choice: { name: "Choice*" } },
    }),
    api("append blocks", "PATCH", `/blocks/${pageId}/children`, {
      after: `${pageId}*`,
      children: [paragraph],
    }),
    api("comment", "POST", "/comments", { parent: { page_id: `${pageId}*` }, rich_text: text("comment*") }),
    { ...page, name: "headers", path: `/v1/pages/${pageId}`, headers: { Authorization: `Bearer ${key}*` } },
    {
      ...api("idempotency key", "POST", "/comments", {
        parent: { page_id: pageId },
        rich_text: text("again"),
      }),
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": "key*",
      },
    },
  ];
}

async function createFormRequests({ owner, stranger }: SqlmapTarget): Promise<SqlmapRequest[]> {
  const form = async (
    name: string,
    [visitor, page, action]: [Visitor, string, string],
    fields: Record<string, string>,
  ): Promise<SqlmapRequest> => {
    const shown = await (await visitor.get(page)).text();
    const csrf = /name="csrf" value="([^"]*)"/.exec(shown)?.[1] ?? "";
    const cookie = [...visitor.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    const body = new URLSearchParams({ csrf, ...fields }).toString().replaceAll("%2A", "*");
    return { name, method: "POST", path: action, headers: { Cookie: cookie, "Content-Type": FORM }, body };
  };
  const get = (name: string, path: string, headers: Record<string, string> = {}): SqlmapRequest => {
    return { name, method: "GET", path, headers };
  };
  const keyId = "0192f000-0000-7000-8000-000000000001";
  const password = "correct horse battery";
  const session = owner.cookies.get("page-service-session") ?? "";
  return [
    {
      ...(await form("sign in", [stranger, "/sign-in", "/sign-in"], {
        email: "ada@example.org*",
        password: "not it",
      })),
      slow: true,
    },
    {
      ...(await form("sign up", [stranger, "/sign-up", "/sign-up"], {
        name: "Eve*",
        email: "eve@example.org",
        password,
      })),
      slow: true,
      // Each request creates a new account.
      random: "email",
    },
    // The password is rejected before it is hashed, and the response contains the form with its values.
    await form("sign up, refused", [stranger, "/sign-up", "/sign-up"], {
      name: "Eve*",
      email: "eve@example.org*",
      password: "short",
      invitation: `${TOKEN}*`,
      next: "/settings/api*",
    }),
    await form("create a key", [owner, "/settings/api", "/settings/api/keys"], {
      id: `${keyId}*`,
      name: "Key*",
      expires: "90d*",
      access: "full*",
    }),
    await form("invite", [owner, "/settings/members", "/settings/members/invite"], { role: "member*" }),
    await form("choose a workspace", [owner, "/settings/api", "/settings/workspace"], {
      workspace: `${keyId}*`,
    }),
    get("invitation", `/join/${TOKEN}*`),
    get("password reset", `/reset/${TOKEN}*`),
    get("redirect after sign-in", "/sign-in?next=/settings/api*"),
    get("session", "/settings/api", { Cookie: `page-service-session=${session}*` }),
  ];
}
