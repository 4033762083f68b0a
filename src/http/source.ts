import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { RequestRefused } from "./errors.js";

/** Gives the next bytes; undefined at the end. */
export type Pull = () => Promise<Uint8Array | undefined>;

/** What is left to do about bodies that are read as they arrive, by their request. */
const open = new WeakMap<IncomingMessage, () => void>();

/**
 * Reads the body of a request as it arrives: no more is taken from the connection than is asked for.
 *
 * @param limit most bytes that are accepted; more, or a client that leaves, fails every pull from then on
 */
export function pullBody(request: IncomingMessage, limit: number): Pull {
  let wake = (): void => {};
  let total = Number(request.headers["content-length"] ?? 0) > limit ? Infinity : 0;
  const onEvent = (): void => wake();
  const events = ["readable", "end", "error", "close"] as const;
  for (const event of events) request.on(event, onEvent);
  open.set(request, () => {
    for (const event of events) request.off(event, onEvent);
    // An error of a body that nobody reads concerns nobody.
    request.on("error", () => {}).resume();
    wake();
  });
  return async () => {
    for (;;) {
      if (total > limit) throw tooLarge(limit);
      if (!open.has(request))
        throw new Error("The body can be read no longer: the request has been answered.");
      // The cast: without an encoding a request gives buffers.
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) {
        total += chunk.length;
        if (total <= limit) return chunk;
      } else if (request.readableEnded) return undefined;
      else if (request.destroyed) throw aborted();
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
}

/** Drops what a handler has not read of a body, so that the connection is free for the next request. */
export function releaseBody(request: IncomingMessage): void {
  const release = open.get(request);
  open.delete(request);
  release?.();
}

/** A stream of what is pulled, and a way to leave it before its end. */
export function streamOf(pull: Pull): { stream: Readable; leave(): Promise<void> } {
  let pending = Promise.resolve();
  const stream = new Readable({
    read() {
      pending = pull().then(
        (chunk) => void stream.push(chunk ?? null),
        (error: Error) => void stream.destroy(error),
      );
    },
  });
  // Whoever reads the stream learns of a client that leaves; where nobody does it must not end the process.
  stream.on("error", () => {});
  return {
    stream,
    async leave() {
      await pending;
      stream.destroy();
    },
  };
}

/** The refusal of a body that is longer than the limit, in bytes. */
export function tooLarge(limit: number): RequestRefused {
  return new RequestRefused(
    "payload_too_large",
    `body failed validation: body.length should be ≤ \`${limit}\`.`,
  );
}

/** What a body fails with whose client left before it was whole. */
export function aborted(): RequestRefused {
  return new RequestRefused("aborted", "The request ended before its body did.");
}
