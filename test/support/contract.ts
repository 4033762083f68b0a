import { expect, onTestFinished } from "vitest";
import { type Client, createClient, PageServiceError } from "../../src/client/index.js";
import type { KeyRequest, ProvisionedKey } from "../../src/access/operator-keys.js";
import { newServiceLocation } from "./stores.js";
import { type RunningService, startService } from "./service.js";

/** A running service and a client for it. */
export interface Connected extends RunningService {
  client: Client;
  /** Creates a client with a new key, by default in another workspace. */
  connect(request?: Partial<KeyRequest>): Promise<ProvisionedKey & { client: Client }>;
  /** Sends a raw request with the key, for requests that the client's types do not allow. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/**
 * Starts a service that stops after the test, and creates a client for it.
 *
 * @param options `database`: a new empty one when omitted, see stores.ts
 */
export async function connect(options: { database?: string; plan?: string } = {}): Promise<Connected> {
  const running = await startService({ database: await newServiceLocation(), ...options });
  onTestFinished(() => running.service.close());
  const { baseUrl } = running;
  return {
    ...running,
    // Without retries, so that tests see every response.
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

/** Creates the value of a title property. */
export function title(text: string): { title: { text: { content: string } }[] } {
  return { title: [{ text: { content: text } }] };
}

/** Creates a page with a title and returns its id. */
export async function addPage(
  { client, rootDatabaseId }: { client: Client; rootDatabaseId: string },
  text = "Page",
): Promise<string> {
  const { body } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: { Title: title(text) } },
  });
  return body.id;
}

/** Returns the error that a call of the client rejects with. */
export async function getError(call: Promise<unknown>): Promise<PageServiceError> {
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

/** Reads an error response, which the shared check has already validated. */
export async function readError(response: Response): Promise<ErrorBody> {
  // The cast: checkedFetch has validated the response against the schema of errors.
  const body = (await response.json()) as ErrorBody;
  expect(body.status).toBe(response.status);
  expect(body.request_id).toBe(response.headers.get("X-Request-Id"));
  return body;
}
