import type { IncomingMessage, ServerResponse } from "node:http";
import { CLOSE_DELAY_MS, MAX_BODY_CHUNKS, MAX_READ_BODY_BYTES } from "../budgets.js";

/** Smaller chunks are merged up to this size. */
const MIN_CHUNK_BYTES = 1024;

/** Number of waiting chunks that are merged into one, because each takes memory. */
const MERGED_CHUNKS = 64;

/** Merges small chunks of a body, each of which takes hundreds of bytes. Closes the connection after too many bytes or chunks. */
export function limitBodyChunks(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (length === undefined && encoding === undefined) return;
  const push = request.push.bind(request);
  let count = 0;
  let bytes = 0;
  let small: Buffer[] = [];
  let smallBytes = 0;
  // Node's HTTP parser calls this with each chunk, and with null at the end.
  request.push = (chunk: Buffer | null): boolean => {
    count += 1;
    if (count > MAX_BODY_CHUNKS) {
      request.socket.destroy();
      return false;
    }
    bytes += chunk?.length ?? 0;
    if (bytes > MAX_READ_BODY_BYTES) {
      setTimeout(() => request.socket.destroy(), CLOSE_DELAY_MS).unref();
      // Node's parser stops reading when this returns false, until the next chunk is requested.
      return false;
    }
    if (chunk !== null && chunk.length + smallBytes < MIN_CHUNK_BYTES) {
      small.push(chunk);
      smallBytes += chunk.length;
      if (small.length === MERGED_CHUNKS) small = [Buffer.concat(small)];
      return true;
    }
    if (small.length > 0) push(small.length === 1 ? small[0] : Buffer.concat(small));
    small = [];
    smallBytes = 0;
    return push(chunk);
  };
  // Reads the rest of an unread body, so that its chunks are counted too. Node itself would discard it without calling push().
  // Node emits "prefinish" when the handler has ended the response.
  response.once("prefinish", () => {
    request.resume();
    request.read(0);
  });
}
