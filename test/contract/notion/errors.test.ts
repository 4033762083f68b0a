import {
  APIErrorCode,
  APIResponseError,
  Client,
  ClientErrorCode,
  isNotionClientError,
  LogLevel,
  RequestTimeoutError,
} from "@notionhq/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../../support/server.js";
import {
  addTopPage,
  expectRefusal,
  UNKNOWN,
  type Notion,
  openNotion,
  getRefusal,
  text,
  UUID,
} from "./setup.js";

let notion: Notion;
beforeAll(async () => {
  notion = await openNotion();
});
afterAll(() => notion.service.close());

describe("an error", () => {
  test("is an APIResponseError with code, status and message", async () => {
    const error = await getRefusal(notion.client.pages.retrieve({ page_id: UNKNOWN }));
    expect(isNotionClientError(error)).toBe(true);
    expect(error).toBeInstanceOf(APIResponseError);
    expect(error.code).toBe(APIErrorCode.ObjectNotFound);
    expect(error.status).toBe(404);
    const body: unknown = JSON.parse(error.body);
    expect(body).toEqual({
      object: "error",
      status: 404,
      code: "object_not_found",
      message: error.message,
      request_id: expect.stringMatching(UUID),
    });
    expect(error.headers).toBeInstanceOf(Headers);
  });

  test.each([
    ["page", "pages"],
    ["database", "databases"],
    ["block", "blocks"],
    ["user", "users"],
  ])("names the missing %s", async (kind, path) => {
    await expectRefusal(
      notion.call("get", `${path}/${UNKNOWN.replaceAll("-", "")}`),
      APIErrorCode.ObjectNotFound,
      `Could not find ${kind} with ID: ${UNKNOWN}`,
    );
    const error = await expectRefusal(notion.call("get", `${path}/1234`), APIErrorCode.ValidationError);
    expect(error.message).toBe(
      `path failed validation: path.${kind}_id should be a valid uuid, instead was \`"1234"\`.`,
    );
    expect(error.status).toBe(400);
  });
});

describe("unauthorized", () => {
  test.each([undefined, "", "secret_nonsense", "ps_0000000000000000000000000000000000000"])(
    "with %j",
    async (auth) => {
      const { baseUrl } = notion;
      const client = new Client({
        baseUrl,
        logLevel: LogLevel.ERROR,
        ...(auth === undefined ? {} : { auth }),
      });
      const error = await expectRefusal(
        client.users.me({}),
        APIErrorCode.Unauthorized,
        /^API token is invalid\. /,
      );
      expect(error.status).toBe(401);
    },
  );

  test("takes precedence over other errors", async () => {
    const { baseUrl } = notion;
    const client = new Client({ baseUrl, auth: "wrong", logLevel: LogLevel.ERROR });
    await expectRefusal(client.pages.retrieve({ page_id: "x" }), APIErrorCode.Unauthorized);
    await expectRefusal(
      client.request({ method: "post", path: "pages", body: { nonsense: true } }),
      APIErrorCode.Unauthorized,
    );
  });

  test("uses the key of the call instead of the client's key", async () => {
    const client = new Client({ baseUrl: notion.baseUrl, logLevel: LogLevel.ERROR });
    expect((await client.users.me({ auth: notion.key } as never)).type).toBe("bot");
  });
});

describe("invalid_request_url", () => {
  test.each([
    ["get", "nothing"],
    ["get", "file_uploads"],
    ["post", "file_uploads"],
    ["get", "pages"],
    ["delete", `pages/${UNKNOWN}`],
    ["post", `pages/${UNKNOWN}`],
    ["patch", "search"],
    ["get", "search"],
    ["get", `databases/${UNKNOWN}/query`],
    ["post", "users"],
    ["get", `pages/${UNKNOWN}/properties`],
    ["get", `comments/${UNKNOWN}`],
    ["get", `data_sources/${UNKNOWN}`],
    ["get", ""],
  ] as const)("%s %s", async (method, path) => {
    const error = await expectRefusal(
      notion.call(method, path),
      APIErrorCode.InvalidRequestURL,
      /^Invalid request URL\. /,
    );
    expect(error.status).toBe(400);
  });

  test("for OAuth, which the service does not support", async () => {
    const secrets = { client_id: "a", client_secret: "b" };
    const { oauth } = notion.client;
    for (const call of [
      oauth.token({ ...secrets, grant_type: "authorization_code", code: "c" }),
      oauth.introspect({ ...secrets, token: "t" }),
      oauth.revoke({ ...secrets, token: "t" }),
    ]) {
      await expectRefusal(call, APIErrorCode.InvalidRequestURL);
    }
  });
});

describe("invalid_json", () => {
  test.each(["{", "", "nonsense", '{"a":1,}', "\u0000"])("for %j", async (body) => {
    // A custom fetch replaces the valid JSON of the client.
    const client = new Client({
      baseUrl: notion.baseUrl,
      auth: notion.key,
      logLevel: LogLevel.ERROR,
      fetch: (url, init) => fetch(url, { ...(init as RequestInit), body }),
    });
    const error = await getRefusal(client.comments.create({ discussion_id: UNKNOWN, rich_text: [] }));
    expect(error.status).toBe(400);
    // An empty body is a missing body instead of invalid JSON.
    expect(error.code).toBe(body === "" ? APIErrorCode.ValidationError : APIErrorCode.InvalidJSON);
  });
});

describe("validation_error", () => {
  test("names the part, the path, the expectation and the actual value", async () => {
    const page_id = await addTopPage(notion);
    const children = (...blocks: unknown[]) =>
      notion.call("patch", `blocks/${page_id}/children`, { children: blocks });
    const paragraph = (content: unknown) => ({ paragraph: { rich_text: [{ text: { content } }] } });
    await expectRefusal(
      children(paragraph("x".repeat(2001))),
      APIErrorCode.ValidationError,
      "body failed validation: body.children[0].paragraph.rich_text[0].text.content.length should be ≤ `2000`, instead was `2001`.",
    );
    await expectRefusal(
      children(paragraph("fine"), paragraph(5)),
      APIErrorCode.ValidationError,
      "body failed validation: body.children[1].paragraph.rich_text[0].text.content should be a string, instead was `5`.",
    );
    await expectRefusal(
      notion.call("post", "pages", { properties: {} }),
      APIErrorCode.ValidationError,
      "body failed validation: body.parent should be defined, instead was `undefined`.",
    );
    await expectRefusal(
      notion.call("post", "pages", { parent: { database_id: "x" }, properties: {} }),
      APIErrorCode.ValidationError,
      'body.parent.database_id should be a valid uuid, instead was `"x"`.',
    );
    await expectRefusal(
      notion.call("patch", `pages/${page_id}`, { colour: "red" }),
      APIErrorCode.ValidationError,
      'body failed validation: body.colour should be not present, instead was `"red"`.',
    );
    await expectRefusal(
      notion.call("patch", `pages/${page_id}`, { icon: "🌱" }),
      APIErrorCode.ValidationError,
      /body\.icon should be an object/,
    );
    await expectRefusal(
      children({ paragraph: { rich_text: [{ text: { content: "a", link: { url: "no address" } } }] } }),
      APIErrorCode.ValidationError,
      "Invalid URL for link.",
    );
  });

  test("accepts unusual text", async () => {
    const odd = "\u0001\u200b\u202e\ufeff😀\u{10ffff}'\"\\</script>";
    const page = await notion.call("post", "pages", {
      parent: { type: "workspace", workspace: true },
      properties: { title: text(odd) },
    });
    expect(page).toMatchObject({ properties: { title: { title: [{ plain_text: odd }] } } });
  });
});

describe("too many requests", () => {
  test("get rate_limited with Retry-After", async () => {
    const { key } = await notion.createKey({ plan: "enterprise", limit: 3 });
    const client = new Client({
      baseUrl: notion.baseUrl,
      auth: key,
      logLevel: LogLevel.ERROR,
      fetch: fetch as never,
    });
    for (let index = 0; index < 3; index += 1) await client.users.me({});
    const error = await expectRefusal(client.users.me({}), APIErrorCode.RateLimited);
    expect(error.status).toBe(429);
    const headers = error.headers as Headers;
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("a missing response", () => {
  test("is a timeout of the client", async () => {
    const baseUrl = await startServer(() => undefined);
    const client = new Client({ baseUrl, auth: "x", timeoutMs: 50, logLevel: LogLevel.ERROR });
    const error: unknown = await client.users.me({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RequestTimeoutError);
    expect(error).toMatchObject({ code: ClientErrorCode.RequestTimeout });
  });
});
