import { describe, expect, test } from "vitest";
import { ApiError, ConnectionError, createClient, isPageServiceError } from "../../../src/client/index.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { addPage, connect, getError, title } from "../../support/contract.js";
import { startServer } from "../../support/server.js";

const ID = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915";

/** Creates a client for a server other than the service, whose responses are not checked against the document. */
function createUncheckedClient(baseUrl: string): ReturnType<typeof createClient> {
  return createClient({ baseUrl, apiKey: "key", fetch: (request) => uncheckedFetch(request), retries: 0 });
}

describe("a success", () => {
  test("has status, the declared headers with their types, the body and the response itself", async () => {
    const connected = await connect();
    const id = await addPage(connected, "Typed");
    const result = await connected.client.retrievePage({ path: { page_id: id } });
    expect(result.status).toBe(200);
    expect(result.headers).toEqual({
      "X-RateLimit-Limit": 2_147_483_647,
      "X-RateLimit-Remaining": 2_147_483_645,
      "X-RateLimit-Reset": Number(result.response.headers.get("X-RateLimit-Reset")),
      "X-Request-Id": result.response.headers.get("X-Request-Id"),
      ETag: result.response.headers.get("ETag"),
    });
    expect(result.headers.ETag).toMatch(/^"0-\d+"$/);
    expect(result.body.properties.Title).toMatchObject({ title: [{ plain_text: "Typed" }] });
    expect(result.response).toBeInstanceOf(Response);
  });

  test("of the openapi-fetch client has data, a failure has error", async () => {
    const connected = await connect();
    const id = await addPage(connected);
    const { http } = connected.client;
    const found = await http.GET("/v1/pages/{page_id}", { params: { path: { page_id: id } } });
    expect(found.data?.id).toBe(id);
    const missing = await http.GET("/v1/pages/{page_id}", { params: { path: { page_id: ID } } });
    expect(missing.error?.code).toBe("object_not_found");
  });
});

describe("a failed call", () => {
  test("throws an Error with status, code, message, request id and headers", async () => {
    const { client } = await connect();
    const error = await getError(client.retrievePage({ path: { page_id: ID } }));
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("PageServiceError");
    expect(error.stack).toContain("PageServiceError: Could not find page");
    expect(error).toMatchObject({ status: 404, code: "object_not_found" });
    expect(error.requestId).toBe(error.headers.get("X-Request-Id"));
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.headers.get("X-RateLimit-Limit")).not.toBeNull();
  });

  test("describes responses of other servers: a proxy's page, an empty body, other JSON", async () => {
    const responses: [number, string | undefined, string][] = [
      [502, "<html>Bad gateway</html>", "text/html"],
      [503, undefined, "text/plain"],
      [500, "null", "application/json"],
      [500, "[1]", "application/json"],
      [404, '{"message":7,"code":{}}', "application/json"],
      [403, '"text"', "application/json"],
    ];
    for (const [status, body, type] of responses) {
      const url = await startServer((_, response) =>
        response.writeHead(status, { "Content-Type": type }).end(body),
      );
      const error = await getError(createUncheckedClient(url).retrievePage({ path: { page_id: ID } }));
      expect(error).toMatchObject({ status, code: "unknown", requestId: undefined });
      expect(error.message).toBe(`retrievePage failed with status ${status}.`);
      expect(error.headers.get("Content-Type")).toBe(type);
    }
  });

  test("throws for a success that is not JSON, such as a proxy's page", async () => {
    const url = await startServer((_, response) =>
      response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Sign in</html>"),
    );
    const error = await getError(createUncheckedClient(url).retrievePage({ path: { page_id: ID } }));
    expect(error).toMatchObject({ status: 200, code: "unknown" });
    expect(error.message).toBe("retrievePage failed with status 200: the body is not JSON.");
  });

  test("an unreachable service is a ConnectionError", async () => {
    const error: unknown = await createUncheckedClient("http://127.0.0.1:1")
      .retrievePage({ path: { page_id: ID } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ reason: "network", cause: expect.any(TypeError) });
    expect(isPageServiceError(error)).toBe(false);
  });

  test("is distinguished by its code", async () => {
    const { client } = await connect();
    const error = await getError(client.retrievePage({ path: { page_id: ID } }));
    expect(isPageServiceError(error)).toBe(true);
    expect(isPageServiceError(error, "object_not_found")).toBe(true);
    expect(isPageServiceError(error, "validation_error")).toBe(false);
    expect(error).toBeInstanceOf(ApiError);
  });

  test("never contains the key, including an invalid one", async () => {
    for (const apiKey of ["", "ps_\nsecret", "ps_ secret", "ps_sécret"]) {
      expect(() => createClient({ baseUrl: "http://localhost", apiKey })).toThrow(
        "The apiKey must be ASCII without spaces.",
      );
    }
  });
});

describe("the address", () => {
  test.each(["", ".", "..", null, undefined])("is not sent without an id: %j", async (page_id) => {
    const client = createUncheckedClient("http://127.0.0.1:1");
    // The cast: an untyped program can pass any value.
    await expect(client.retrievePage({ path: { page_id: page_id as string } })).rejects.toThrow(
      new TypeError("The path parameter page_id is empty, . or .."),
    );
  });

  test.each(["", "/", "///"])("can end with %j", async (end) => {
    const { baseUrl, key, ...rest } = await connect();
    const id = await addPage(rest);
    const urls: string[] = [];
    const client = createClient({
      baseUrl: baseUrl + end,
      apiKey: key,
      fetch: (request) => {
        urls.push(request.url);
        return uncheckedFetch(request);
      },
    });
    expect((await client.retrievePage({ path: { page_id: id } })).body.id).toBe(id);
    expect(urls).toEqual([`${baseUrl}/v1/pages/${id}`]);
  });

  test("can have a path, as behind a proxy; ids are encoded", async () => {
    const seen: (string | undefined)[] = [];
    const url = await startServer((request, response) => {
      seen.push(request.url);
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
    await createUncheckedClient(`${url}/api/`).retrievePage({ path: { page_id: "a/b?c#d é" } });
    expect(seen).toEqual(["/api/v1/pages/a%2Fb%3Fc%23d%20%C3%A9"]);
  });
});

describe("a call", () => {
  test("sends the key, JSON and the caller's own headers", async () => {
    const seen: Record<string, unknown>[] = [];
    const url = await startServer((request, response) => {
      const { authorization, "content-type": type, "x-trace": trace } = request.headers;
      seen.push({ method: request.method, authorization, type, trace });
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
    const client = createUncheckedClient(url);
    const body = { parent: { database_id: ID }, properties: { Title: title("x") } };
    await client.createPage({ body }, { headers: { "X-Trace": "7" } });
    await client.retrievePage({ path: { page_id: ID } });
    expect(seen).toEqual([
      { method: "POST", authorization: "Bearer key", type: "application/json", trace: "7" },
      { method: "GET", authorization: "Bearer key", type: undefined, trace: undefined },
    ]);
  });

  test("uses a custom fetch", async () => {
    const { baseUrl, key } = await connect();
    const requests: Request[] = [];
    const client = createClient({
      baseUrl,
      apiKey: key,
      fetch: (request) => {
        requests.push(request);
        return fetch(request);
      },
    });
    await getError(client.updatePage({ path: { page_id: ID }, body: {} }));
    await client.http.GET("/v1/users");
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `PATCH ${baseUrl}/v1/pages/${ID}`,
      `GET ${baseUrl}/v1/users`,
    ]);
  });

  test("can be cancelled before it starts and while it waits", async () => {
    const controller = new AbortController();
    const url = await startServer(() => controller.abort());
    const client = createUncheckedClient(url);
    const waiting = client.retrievePage({ path: { page_id: ID } }, { signal: controller.signal });
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    const cancelled = client.retrievePage({ path: { page_id: ID } }, { signal: controller.signal });
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
  });
});
