import { expect, onTestFinished } from "vitest";
import { type Client, createClient, PageServiceError } from "../../src/client/index.js";
import type { KeyRequest, NewKeyWithWorkspace } from "../../src/access/keys/operator-keys.js";
import { newServiceLocation } from "./stores.js";
import { type RunningService, startService } from "./service.js";

/** A running service and a client for it. */
export interface Connected extends RunningService {
  client: Client;
  /** Creates a client with a new key, by default in another workspace. */
  connect(request?: Partial<KeyRequest>): Promise<NewKeyWithWorkspace & { client: Client }>;
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

/** Matches an ID in a response. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An ID that no object has. */
export const UNKNOWN = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915";

/** Annotations of text without formatting, in responses. */
export const NO_ANNOTATIONS = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
} as const;

/** Creates rich text without formatting, for a request. */
export function text(content: string): { text: { content: string } }[] {
  return [{ text: { content } }];
}

/** Creates rich text without formatting, as in responses. */
export function plainText(content: string): object[] {
  const run = { type: "text", text: { content, link: null }, plain_text: content, href: null };
  return [{ ...run, annotations: NO_ANNOTATIONS }];
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

/**
 * Reads a whole list by its cursors, and checks `has_more`.
 *
 * @param read requests a part of the list, the first one without a cursor
 * @returns the body of each response
 */
export async function readList<Body extends { next_cursor: string | null; has_more: boolean }>(
  read: (from: { start_cursor?: string }) => Promise<{ body: Body }>,
): Promise<Body[]> {
  const bodies: Body[] = [];
  let cursor: string | null = null;
  do {
    const { body }: { body: Body } = await read(cursor === null ? {} : { start_cursor: cursor });
    expect(body.has_more).toBe(body.next_cursor !== null);
    bodies.push(body);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return bodies;
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
