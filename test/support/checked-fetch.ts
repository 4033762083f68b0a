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
    check({
      method: method.toUpperCase(),
      url,
      status: response.status,
      headers: response.headers,
      body: new Uint8Array(await response.clone().arrayBuffer()),
    });
    return response;
  };
}
