import { APIErrorCode, APIResponseError, Client, isNotionClientError, LogLevel } from "@notionhq/client";
import { expect, test } from "vitest";
import { connectNotion, expectRefusal, getRefusal } from "./setup.js";
import { UNKNOWN, UUID } from "../../support/contract.js";

test("an error is an APIResponseError with code, status and message", async () => {
  const { client } = await connectNotion();
  const error = await getRefusal(client.pages.retrieve({ page_id: UNKNOWN }));
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

test("a client without a key, or with an invalid one, is unauthorized; a call can have its own key", async () => {
  const { baseUrl, key } = await connectNotion();
  for (const options of [{}, { auth: "" }, { auth: "secret_nonsense" }]) {
    const client = new Client({ baseUrl, logLevel: LogLevel.ERROR, ...options });
    await expectRefusal(client.users.me({}), APIErrorCode.Unauthorized, /^API token is invalid\. /);
    // The cast: the types of the client omit the option.
    expect((await client.users.me({ auth: key } as never)).type).toBe("bot");
  }
});

test("OAuth gets invalid_request_url, because the service does not support it", async () => {
  const { client } = await connectNotion();
  const secrets = { client_id: "a", client_secret: "b" };
  for (const call of [
    client.oauth.token({ ...secrets, grant_type: "authorization_code", code: "c" }),
    client.oauth.introspect({ ...secrets, token: "t" }),
    client.oauth.revoke({ ...secrets, token: "t" }),
  ]) {
    await expectRefusal(call, APIErrorCode.InvalidRequestURL, /^Invalid request URL\. /);
  }
});

test("too many requests get rate_limited with Retry-After", async () => {
  const { baseUrl, createKey } = await connectNotion();
  const { key } = await createKey({ plan: "enterprise", limit: 3 });
  // The cast: the client declares the type of node-fetch.
  const client = new Client({ baseUrl, auth: key, logLevel: LogLevel.ERROR, fetch: fetch as never });
  for (let index = 0; index < 3; index += 1) await client.users.me({});
  const error = await expectRefusal(client.users.me({}), APIErrorCode.RateLimited);
  expect(error.status).toBe(429);
  // The cast: these are the headers of the fetch that was passed.
  const headers = error.headers as Headers;
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});
