import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type WebResponse, addHeader, createNegotiator } from "./response.js";

/** Encodings of responses, the best compression first. */
const ENCODINGS = ["br", "gzip", "identity"] as const;
/** An encoding, as the header Accept-Encoding names it. */
export type Encoding = (typeof ENCODINGS)[number];

/** Minimum size of compressed pages. Compressing smaller ones saves no packet. */
const MIN_COMPRESSED_BYTES = 1024;

/** Compression level of pages: 0.2 ms for a table of 100 rows. Higher levels take twice the time to save one percent. */
const PAGE_LEVEL = 3;

/** Compresses a body at a level from 1 to 9. */
type Compress = (body: string | Buffer, level: number) => Promise<Buffer>;

/** Compressors by encoding. They run in Node's thread pool, so that other requests do not wait. */
export const COMPRESSORS: Readonly<Record<Exclude<Encoding, "identity">, Compress>> = {
  br: (body, level) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  gzip: (body, level) => promisify(gzip)(body, { level }),
};

/** Chooses the smallest encoding that the client accepts. */
export function chooseEncoding(request: IncomingMessage): Encoding {
  const accepted = createNegotiator(request).encodings([...ENCODINGS]);
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? "identity";
}

/**
 * Compresses a page if the client accepts it. Pages that may contain text of the request stay uncompressed, because their
 * compressed size could reveal their secrets (BREACH), see src/access/DECISIONS.md.
 */
export async function compressPage(request: IncomingMessage, page: WebResponse): Promise<WebResponse> {
  const { method, url = "" } = request;
  const mayContainInput = (method !== "GET" && method !== "HEAD") || url.includes("?") || page.status !== 200;
  if (mayContainInput || Buffer.byteLength(page.body) < MIN_COMPRESSED_BYTES) return page;
  const uncompressed = addHeader(page, "Vary", "Accept-Encoding");
  const encoding = chooseEncoding(request);
  if (encoding === "identity") return uncompressed;
  const body = await COMPRESSORS[encoding](page.body, PAGE_LEVEL);
  return { ...addHeader(uncompressed, "Content-Encoding", encoding), body };
}
