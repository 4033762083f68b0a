import { expect, onTestFinished } from "vitest";
import { type Client, createClient, PageServiceError } from "../../src/client/index.js";
import type { KeyRequest, ProvisionedKey } from "../../src/access/provision.js";
import { newServiceLocation } from "./stores.js";
import { type RunningService, startService } from "./service.js";

/** A running service and a client for it. */
export interface Connected extends RunningService {
  client: Client;
  /** A client with a key of its own, by default in another workspace. */
  connect(request?: Partial<KeyRequest>): Promise<ProvisionedKey & { client: Client }>;
  /** Sends a request as it is, with the key; for what the client's types do not allow. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/**
 * Starts a service that ends with the test, and a client for it.
 *
 * @param options `database`: an empty one of its own when it is left out, see stores.ts
 */
export async function connect(options: { database?: string; plan?: string } = {}): Promise<Connected> {
  const running = await startService({ database: await newServiceLocation(), ...options });
  onTestFinished(() => running.service.close());
  const { baseUrl } = running;
  return {
    ...running,
    // What is answered is what the tests look at: nothing is tried again.
    client: createClient({ baseUrl, apiKey: running.key, retries: 0 }),
    async connect(request) {
      const key = await running.createKey(request);
      return { ...key, client: createClient({ baseUrl, apiKey: key.key, retries: 0 }) };
    },
    send: (method, path, body, headers = {}) =>
      fetch(baseUrl + path, {
        method,
        headers: {
          Authorization: `Bearer ${running.key}`,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body) }),
      }),
  };
}

/** A title property's new value. */
export function title(text: string): { title: { text: { content: string } }[] } {
  return { title: [{ text: { content: text } }] };
}

/** Creates a page with a title and gives its id. */
export async function addPage(
  { client, rootDatabaseId }: { client: Client; rootDatabaseId: string },
  text = "Page",
): Promise<string> {
  const { body } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: { Title: title(text) } },
  });
  return body.id;
}

/** The error that a call of the client ends in. */
export async function failure(call: Promise<unknown>): Promise<PageServiceError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PageServiceError);
  if (!(error instanceof PageServiceError)) throw error;
  return error;
}

/** The error object in a response. */
export interface ErrorBody {
  object: string;
  status: number;
  code: string;
  message: string;
  request_id: string;
}

/** Reads an error response, which the shared check has held against the document already. */
export async function errorOf(response: Response): Promise<ErrorBody> {
  // The cast: the schema of errors was asserted when the response came in.
  const body = (await response.json()) as ErrorBody;
  expect(body.status).toBe(response.status);
  expect(body.request_id).toBe(response.headers.get("X-Request-Id"));
  return body;
}
