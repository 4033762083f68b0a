import type { ServerResponse } from "node:http";
import {
  MAX_REQUEST_MEMORY_BYTES,
  MAX_REQUEST_MEMORY_BYTES_PER_CLIENT,
  MAX_UNREAD_RESPONSE_BYTES,
} from "../budgets.js";
import { BusyError } from "../errors.js";

const DEFAULT_LIMITS = {
  totalBytes: MAX_REQUEST_MEMORY_BYTES,
  bytesPerClient: MAX_REQUEST_MEMORY_BYTES_PER_CLIENT,
  unreadBytes: MAX_UNREAD_RESPONSE_BYTES,
};

/** Memory that a client uses for a request. */
interface Reservation {
  readonly client: string;
  readonly response: ServerResponse;
  bytes: number;
}

/** Keeps the memory of a request reserved until a promise settles, even if the client leaves before. Returns the promise. */
type KeepReserved = <Result>(work: Promise<Result>) => Promise<Result>;

/**
 * Bounds the memory of requests in progress: of their bodies, and of responses that are not read yet. Each client (a workspace
 * or an address) has a limit. A client below its fair share may exceed the total, so that others cannot shut it out. Unread
 * responses, whose size is not known before, have a limit of their own: connections of the clients with the most are closed.
 */
export class MemoryBudget {
  readonly #limits: typeof DEFAULT_LIMITS;
  readonly #usedBytes = new Map<string, number>();
  #usedTotalBytes = 0;
  /** Reservations of requests whose handlers have ended the response. */
  readonly #unread = new Set<Reservation>();
  #unreadBytes = 0;

  constructor(limits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** Reserves memory for a request, until its response is closed. Throws BusyError when too much is in use. */
  reserve(client: string, bytes: number, response: ServerResponse): KeepReserved {
    this.requireAvailable(client, bytes);
    // A destroyed response has emitted "close" already.
    if (response.destroyed) return (work) => work;
    const reservation: Reservation = { client, response, bytes: 0 };
    let work: Promise<unknown> | undefined;
    this.#resize(reservation, bytes);
    // Node emits "prefinish" when the handler has ended the response. Then only the part that is not sent yet takes memory.
    response.once("prefinish", () => {
      // The memory of the request is free, and only the response counts as unread.
      this.#resize(reservation, 0);
      this.#unread.add(reservation);
      this.#resize(reservation, response.writableLength);
      this.#closeUnread(reservation);
    });
    const release = (): void => this.#release(reservation);
    response.once("close", () => {
      if (work === undefined) release();
      else void work.then(release, release);
    });
    return (newWork) => {
      work = newWork;
      return newWork;
    };
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

  /** Closes connections with unread responses, the largest of the client with the most first, until the others fit. */
  #closeUnread(newest: Reservation): void {
    const getUsedBytes = ({ client }: Reservation): number => this.#usedBytes.get(client) ?? 0;
    const compare = (first: Reservation, second: Reservation): number =>
      getUsedBytes(first) - getUsedBytes(second) || first.bytes - second.bytes;
    while (this.#unreadBytes > this.#limits.unreadBytes) {
      let largest: Reservation | undefined;
      for (const reservation of this.#unread) {
        // Its client had no time to read the newest one.
        if (reservation === newest) continue;
        if (largest === undefined || compare(reservation, largest) > 0) largest = reservation;
      }
      if (largest === undefined) return;
      this.#release(largest);
      largest.response.destroy();
    }
  }

  #release(reservation: Reservation): void {
    this.#resize(reservation, 0);
    this.#unread.delete(reservation);
  }

  #resize(reservation: Reservation, bytes: number): void {
    const { client, bytes: previousBytes } = reservation;
    const used = (this.#usedBytes.get(client) ?? 0) + bytes - previousBytes;
    this.#usedTotalBytes += bytes - previousBytes;
    if (this.#unread.has(reservation)) this.#unreadBytes += bytes - previousBytes;
    reservation.bytes = bytes;
    if (used > 0) this.#usedBytes.set(client, used);
    else this.#usedBytes.delete(client);
  }
}
