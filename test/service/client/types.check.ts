// Checks the types of the client. types.test.ts compiles this file without running it.
import { expectTypeOf } from "vitest";
import type { operations } from "../../../generated/types.js";
import {
  type Client,
  type CreatePageResponse,
  connect,
  ConnectionError,
  createClient,
  type ErrorCode,
  isPageServiceError,
  PageServiceError,
  retrievePage,
  type RetrievePageRequest,
} from "../../../src/client/index.js";

const client = createClient({ baseUrl: "http://localhost:3000", apiKey: "ps_" });
expectTypeOf(client).toEqualTypeOf<Client>();

const { status, headers, body, response } = await client.retrievePage({ path: { page_id: "" } });
expectTypeOf(status).toEqualTypeOf<200>();
expectTypeOf(response).toEqualTypeOf<Response>();
expectTypeOf(headers["X-RateLimit-Limit"]).toEqualTypeOf<number>();
expectTypeOf(headers["X-RateLimit-Remaining"]).toEqualTypeOf<number>();
expectTypeOf(headers["X-RateLimit-Reset"]).toEqualTypeOf<number>();
expectTypeOf(headers["X-Request-Id"]).toEqualTypeOf<string>();
expectTypeOf(body.object).toEqualTypeOf<"page">();
expectTypeOf(body.id).toEqualTypeOf<string>();
expectTypeOf(body.in_trash).toEqualTypeOf<boolean>();
expectTypeOf(body.public_url).toEqualTypeOf<string | null>();
// @ts-expect-error a header that the document does not declare
void headers["X-Other"];
// @ts-expect-error only 429, which is thrown, has Retry-After
void headers["Retry-After"];
// @ts-expect-error a field that a page does not have
void body.title;

// The value of a property is a union with the discriminator `type`.
const value = body.properties.Title;
if (value?.type === "title") expectTypeOf(value.title[0]?.plain_text).toEqualTypeOf<string | undefined>();
if (value?.type === "number") expectTypeOf(value.number).toEqualTypeOf<number | null>();
// @ts-expect-error a property may be missing
void body.properties.Title.type;

// Requests are typed, and required members cannot be omitted.
expectTypeOf<RetrievePageRequest["path"]>().toEqualTypeOf<{ page_id: string }>();
await client.createPage({
  body: {
    parent: { database_id: "" },
    properties: { Title: { title: [{ text: { content: "" } }] }, Done: null },
  },
});
await client.updatePage({ path: { page_id: "" }, body: { icon: null, in_trash: true } });
// @ts-expect-error the body is required, although all its members are optional
await client.updatePage({ path: { page_id: "" } });
// @ts-expect-error the parent is missing
await client.createPage({ body: { properties: {} } });
// @ts-expect-error the path is missing
await client.retrievePage({});
// @ts-expect-error a member that an update does not have
await client.updatePage({ path: { page_id: "" }, body: { parent: { database_id: "" } } });
// @ts-expect-error a title is a list
await client.updatePage({ path: { page_id: "" }, body: { properties: { Title: { title: "x" } } } });
// @ts-expect-error the key is missing
createClient({ baseUrl: "" });

// The response type of an operation is its success; errors are in `operations`.
expectTypeOf<CreatePageResponse["status"]>().toEqualTypeOf<200>();
expectTypeOf(
  await client.createPage({ body: { parent: { database_id: "" }, properties: {} } }),
).toEqualTypeOf<CreatePageResponse>();
type TooMany = operations["createPage"]["responses"][429];
expectTypeOf<TooMany["headers"]["Retry-After"]>().toEqualTypeOf<number>();
expectTypeOf<TooMany["content"]["application/json"]["code"]>().toEqualTypeOf<"rate_limited">();

const { data, error } = await client.http.GET("/v1/pages/{page_id}", { params: { path: { page_id: "" } } });
expectTypeOf(data?.object).toEqualTypeOf<"page" | undefined>();
if (error) expectTypeOf(error.message).toEqualTypeOf<string>();
// @ts-expect-error no such path
await client.http.GET("/v1/nothing");

try {
  await client.retrievePage({ path: { page_id: "" } });
} catch (thrown) {
  if (thrown instanceof PageServiceError) {
    expectTypeOf(thrown).toExtend<Error>();
    expectTypeOf(thrown.status).toEqualTypeOf<number>();
    expectTypeOf(thrown.code).toEqualTypeOf<ErrorCode | (string & {})>();
    expectTypeOf(thrown.requestId).toEqualTypeOf<string | undefined>();
    expectTypeOf(thrown.headers).toEqualTypeOf<Headers>();
  }
}

// Error codes come from the document; other codes are strings.
expectTypeOf<ErrorCode>().toEqualTypeOf<
  | "invalid_json"
  | "invalid_request_url"
  | "invalid_request"
  | "validation_error"
  | "unauthorized"
  | "restricted_resource"
  | "object_not_found"
  | "conflict_error"
  | "rate_limited"
  | "internal_server_error"
  | "service_unavailable"
>();
declare const thrown: unknown;
if (isPageServiceError(thrown)) expectTypeOf(thrown).toEqualTypeOf<PageServiceError>();
if (isPageServiceError(thrown, "object_not_found")) {
  expectTypeOf(thrown.code).toEqualTypeOf<"object_not_found">();
}
// @ts-expect-error no error has this code
isPageServiceError(thrown, "object_missing");
if (thrown instanceof ConnectionError) expectTypeOf(thrown.reason).toEqualTypeOf<"network" | "timeout">();

// A standalone operation has the types of the method.
const connection = connect({ baseUrl: "http://localhost:3000", apiKey: "ps_" });
const path = { page_id: "" };
expectTypeOf(await retrievePage(connection, { path })).toEqualTypeOf(await client.retrievePage({ path }));
expectTypeOf(await retrievePage(client, { path })).toEqualTypeOf(await client.retrievePage({ path }));
// @ts-expect-error the connection is missing
await retrievePage({ path });
