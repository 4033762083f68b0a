import type { ServerResponse } from "node:http";
import { MAX_REQUEST_MEMORY_BYTES, MAX_REQUEST_MEMORY_BYTES_PER_CLIENT } from "../budgets.js";
import { BusyError } from "../errors.js";

/**
 * Bounds the memory of requests in progress: of their bodies, and of responses that are not read yet. Each client (a workspace
 * or an address) has a limit. A client below its fair share may exceed the total, so that others cannot shut it out.
 */
export class MemoryBudget {
  readonly #limits: { readonly totalBytes: number; readonly bytesPerClient: number };
  readonly #usedBytes = new Map<string, number>();
  #usedTotalBytes = 0;

  constructor(
    limits = { totalBytes: MAX_REQUEST_MEMORY_BYTES, bytesPerClient: MAX_REQUEST_MEMORY_BYTES_PER_CLIENT },
  ) {
    this.#limits = limits;
  }

  /** Reserves memory for a request, until its response is closed. Throws BusyError when too much is in use. */
  reserve(client: string, bytes: number, response: ServerResponse): void {
    this.requireAvailable(client, bytes);
    // A destroyed response has emitted "close" already.
    if (response.destroyed) return;
    let reservedBytes = 0;
    const resize = (next: number): void => {
      this.#adjust(client, next - reservedBytes);
      reservedBytes = next;
    };
    resize(bytes);
    // Node emits "prefinish" when the handler has ended the response. Then only the part that is not sent yet takes memory.
    response.once("prefinish", () => resize(response.writableLength));
    response.once("close", () => resize(0));
  }

  /** Throws BusyError when a client may not use `bytes` more than it uses now. */
  requireAvailable(client: string, bytes = 0): void {
    const used = (this.#usedBytes.get(client) ?? 0) + bytes;
    if (used > this.#limits.bytesPerClient) {
      throw new BusyError(
        "Too many large requests are in progress, or responses unread. Read the responses and send fewer requests at once.",
      );
    }
    const clientCount = this.#usedBytes.size + (this.#usedBytes.has(client) ? 0 : 1);
    const fairShare = this.#limits.totalBytes / clientCount;
    if (this.#usedTotalBytes + bytes > this.#limits.totalBytes && used > fairShare) {
      throw new BusyError("The service has too many requests in progress. Try again later.");
    }
  }

  /** @param bytes negative to release memory */
  #adjust(client: string, bytes: number): void {
    const used = (this.#usedBytes.get(client) ?? 0) + bytes;
    this.#usedTotalBytes += bytes;
    if (used > 0) this.#usedBytes.set(client, used);
    else this.#usedBytes.delete(client);
  }
}
