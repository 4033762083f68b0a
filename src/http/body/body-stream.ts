import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { InvalidRequestError } from "../errors.js";

/** Reads the next chunk; undefined at the end. */
export type ReadChunk = () => Promise<Uint8Array | undefined>;

/** Functions that release the bodies that are being read, by request. */
const releaseFunctions = new WeakMap<IncomingMessage, () => void>();

/** Returns the declared size of a body in bytes; 0 without a Content-Length. */
export function getContentLength({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

/**
 * Creates the reader of a request's body. Reads from the connection only when a chunk is requested. The caller must call
 * `releaseBody` in the end.
 *
 * @param limit maximum size in bytes; a larger body, or a client that disconnects, makes every later call throw
 */
export function createBodyReader(request: IncomingMessage, limit: number): ReadChunk {
  /** Resumes the call that waits for an event. */
  let resumeRead = (): void => {};
  // A declared length above the limit makes the first call throw, before anything is read.
  let receivedBytes = getContentLength(request) > limit ? Infinity : 0;
  const onEvent = (): void => resumeRead();
  const events = ["readable", "end", "error", "close"] as const;
  for (const event of events) request.on(event, onEvent);
  releaseFunctions.set(request, () => {
    for (const event of events) request.off(event, onEvent);
    // Errors of a body that is no longer read are ignored.
    request.on("error", () => {}).resume();
    resumeRead();
  });
  return async () => {
    for (;;) {
      if (receivedBytes > limit) throw createTooLargeError(limit);
      if (!releaseFunctions.has(request))
        throw new Error("The body cannot be read after the response was sent.");
      // Safe cast: a request without an encoding yields buffers.
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) {
        receivedBytes += chunk.length;
        if (receivedBytes <= limit) return chunk;
      } else if (request.readableEnded) return undefined;
      // The client disconnected.
      else if (request.destroyed)
        throw new InvalidRequestError("aborted", "The request ended before its body did.");
      else {
        await new Promise<void>((resolve) => {
          resumeRead = resolve;
        });
      }
    }
  };
}

/** Discards the unread rest of a body, so that the connection is free for the next request. */
export function releaseBody(request: IncomingMessage): void {
  const release = releaseFunctions.get(request);
  releaseFunctions.delete(request);
  release?.();
}

/** Creates a stream of the chunks of a body. `close` destroys the stream, even if it was not read to its end. */
export function createStream(readChunk: ReadChunk): { stream: Readable; close(): Promise<void> } {
  let pending = Promise.resolve();
  const stream = new Readable({
    read() {
      pending = readChunk().then(
        (chunk) => void stream.push(chunk ?? null),
        (error: Error) => void stream.destroy(error),
      );
    },
  });
  // A reader of the stream gets the error. Without a reader, the error must not end the process.
  stream.on("error", () => {});
  return {
    stream,
    async close() {
      await pending;
      stream.destroy();
    },
  };
}

export function createTooLargeError(limit: number): InvalidRequestError {
  return new InvalidRequestError(
    "payload_too_large",
    `body failed validation: body.length should be ≤ \`${limit}\`.`,
  );
}
