import type { SeenResponse } from "./check-response.js";

const LOCAL = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Wraps a fetch so that `check` receives every response of a local server before the caller does. An error of `check`
 * rejects the call.
 */
export function createCheckedFetch(fetch: typeof globalThis.fetch, check: (response: SeenResponse) => void) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!LOCAL.includes(new URL(url).hostname)) return response;
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    const { status, headers } = response;
    const body = new Uint8Array(await response.arrayBuffer());
    check({ method: method.toUpperCase(), url, status, headers, body });
    return copyResponse(response, body);
  };
}

/** Creates a response with a body that has been read. Reading a clone instead takes 0.35 ms more of CPU time per response. */
function copyResponse(response: Response, body: Uint8Array<ArrayBuffer>): Response {
  const { url, redirected, status, statusText, headers } = response;
  const copy = new Response(body.length === 0 ? null : body, { status, statusText, headers });
  return Object.defineProperties(copy, { url: { value: url }, redirected: { value: redirected } });
}
