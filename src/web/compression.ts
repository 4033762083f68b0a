import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { type WebResponse, withHeader } from "./response.js";

/** Encodings of responses, the smallest first. */
const ENCODINGS = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Smaller pages are sent as they are: compressing them saves no packet. */
const MIN_COMPRESSED_BYTES = 1024;

/** A fifth of a millisecond for a table of 100 rows, which higher levels would double to save one percent of it. */
const LEVEL = 3;

/** They run in Node's thread pool, so that other requests do not wait. */
const COMPRESSORS: Readonly<Record<Exclude<Encoding, "identity">, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: LEVEL } }),
  gzip: (text) => promisify(gzip)(text, { level: LEVEL }),
};

/** Chooses the smallest encoding that the client accepts. */
export function chooseEncoding(request: IncomingMessage): Encoding {
  const accepted = new Negotiator(request).encodings([...ENCODINGS]);
  return ENCODINGS.find((each) => accepted.includes(each)) ?? "identity";
}

/**
 * Compresses a page if the client accepts it. Pages whose address has a query, responses to forms and error pages stay
 * uncompressed: text of the request in them could reveal their secrets by their size, see src/access/DECISIONS.md.
 */
export async function compressPage(request: IncomingMessage, page: WebResponse): Promise<WebResponse> {
  if (!isCompressible(request, page)) return page;
  const varied = withHeader(page, "Vary", "Accept-Encoding");
  const encoding = chooseEncoding(request);
  if (encoding === "identity") return varied;
  const body = await COMPRESSORS[encoding](String(page.body));
  return { ...withHeader(varied, "Content-Encoding", encoding), body };
}

function isCompressible({ method, url = "" }: IncomingMessage, { status, body }: WebResponse): boolean {
  const isReflecting = (method !== "GET" && method !== "HEAD") || url.includes("?") || status !== 200;
  return !isReflecting && Buffer.byteLength(body) >= MIN_COMPRESSED_BYTES;
}
