import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/client/index.js";
import { checkResponse } from "../support/checked-responses.js";
import { addPage, connect, readError } from "../support/contract.js";
import { startService } from "../support/service.js";

const INVALID_URL = {
  status: 400,
  code: "invalid_request_url",
  message: "Invalid request URL. Version 2022-06-28 has no operation with this method and path: see /docs.",
};

/** Sends a request line that fetch would normalize, and checks the response like `fetch`. */
function sendRaw(
  baseUrl: string,
  key: string,
  method: string,
  path: string,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const headers = { Authorization: `Bearer ${key}` };
    const outgoing = request({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const status = response.statusCode ?? 0;
        const body = Buffer.concat(chunks);
        const seen = new Headers();
        for (const [name, value] of Object.entries(response.headers)) seen.set(name, String(value));
        try {
          checkResponse({ method, url: path, status, headers: seen, body });
          resolve({ status, body: body.toString() });
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.once("error", reject).end();
  });
}

test("an unknown path gets 400 invalid_request_url, also without a valid key", async () => {
  const { send } = await connect();
  const paths = [
    "/v1",
    "/v1/",
    "/v1/page",
    "/v1/pages/",
    "/v1/pages/a/b",
    "/v1/Pages",
    "/v1/oauth/token",
    "/v1/data_sources/a", // of a later version of Notion's API
    "/v1//pages",
  ];
  for (const path of paths) {
    expect(await readError(await send("GET", path)), path).toMatchObject(INVALID_URL);
  }
  const headers = { Authorization: "Bearer unknown" };
  expect(await readError(await send("GET", "/v1/page", undefined, headers))).toMatchObject(INVALID_URL);
});

test("paths are exact: another case or a trailing slash gives another path", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  const body = { parent: { database_id: connected.rootDatabaseId }, properties: {} };
  for (const path of [`/v1/Pages/${id}`, `/V1/pages/${id}`, `/v1/pages/${id}/`]) {
    expect(await readError(await connected.send("GET", path)), path).toMatchObject(INVALID_URL);
  }
  for (const path of ["/v1/Pages", "/v1/pages/"]) {
    expect(await readError(await connected.send("POST", path, body)), path).toMatchObject(INVALID_URL);
  }
});

test("an unsupported method gets 400 invalid_request_url", async () => {
  const connected = await connect();
  const page = `/v1/pages/${await addPage(connected)}`;
  const requests = [
    ["GET", "/v1/pages"],
    ["PUT", "/v1/pages"],
    ["PATCH", "/v1/pages"],
    ["OPTIONS", "/v1/pages"],
    ["POST", page],
    ["PUT", page],
    ["DELETE", page],
    ["OPTIONS", page],
    ["PROPFIND", page],
  ] as const;
  for (const [method, path] of requests) {
    expect(await readError(await connected.send(method, path)), method).toMatchObject(INVALID_URL);
  }
  const trace = await sendRaw(connected.baseUrl, connected.key, "TRACE", page);
  expect(JSON.parse(trace.body)).toMatchObject(INVALID_URL);
});

test("a path that cannot be decoded gets 400 invalid_request_url", async () => {
  const { send } = await connect();
  for (const path of ["/v1/pages/%", "/v1/pages/%zz", "/v1/pages/%E0%A4%A", "/v1/pages/%C3%28"]) {
    expect(await readError(await send("GET", path)), path).toMatchObject(INVALID_URL);
    expect(await readError(await send("PATCH", path, {})), path).toMatchObject(INVALID_URL);
  }
});

test("malformed request lines get the same response as unknown paths", async () => {
  const { baseUrl, key } = await connect();
  for (const path of [
    "//v1/pages",
    "/v1/../v1/pages",
    "/v1/pages/..%2f..",
    "/v1/pages/a b".replace(" ", "%20"),
  ]) {
    const { status, body } = await sendRaw(baseUrl, key, "GET", path);
    expect(status, path).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ object: "error", status: 400 });
  }
});

test("a second slash before /v1, from a base URL that ends with one, is ignored", async () => {
  const { baseUrl, key } = await connect();
  expect(await sendRaw(baseUrl, key, "GET", "//v1/users/me")).toMatchObject({ status: 200 });
});

test("decodes a percent-encoded id, and ignores the query string", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  const encoded = [...id].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
  for (const path of [`/v1/pages/${encoded}`, `/v1/pages/${id}?a=1&a=%zz`, `/v1/pages/${id}?`]) {
    const response = await connected.send("GET", path);
    expect(await response.json(), path).toMatchObject({ object: "page", id });
  }
});

test("HEAD has the headers of GET and no body", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  const head = await connected.send("HEAD", `/v1/pages/${id}`);
  const get = await connected.send("GET", `/v1/pages/${id}`);
  expect(head.status).toBe(200);
  expect(await head.text()).toBe("");
  for (const name of ["Content-Type", "Content-Length", "X-RateLimit-Limit"]) {
    expect(head.headers.get(name), name).toBe(get.headers.get(name));
  }
  expect((await connected.send("HEAD", `/v1/pages/${crypto.randomUUID()}`)).status).toBe(404);
  expect((await connected.send("HEAD", "/v1/pages")).status).toBe(400);
});

test("the web application is at the origin of the API unless it has an address of its own", async () => {
  const { service, baseUrl, key, rootDatabaseId } = await startService({
    baseUrl: "https://example.org/api",
  });
  onTestFinished(() => service.close());
  const { body } = await createClient({ baseUrl, apiKey: key }).retrieveDatabase({
    path: { database_id: rootDatabaseId },
  });
  expect(body.url).toBe(`https://example.org/${rootDatabaseId.replaceAll("-", "")}`);
});
