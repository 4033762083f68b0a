import { deflateSync, inflateSync } from "node:zlib";
import { MAX_STORED_BODY_BYTES, MAX_STORED_RESPONSE_BYTES } from "../budgets.js";
import { EncodedJson, type HttpResponse } from "../http/index.js";

/* Encodes the responses of writes with an Idempotency-Key, which are stored for a day, so that a retry gets the same response. */

/**
 * Deflate dictionary: text that is frequent in responses, the most frequent last. It halves the size of a compressed page. Do not
 * change it without a new format: responses that were stored before an update could not be decoded after it.
 */
const DICTIONARY = Buffer.from(
  '"select":null,"multi_select":[],"date":null,"people":[],"relation":[],"has_more":false,"files":[],"email":null,' +
    '"phone_number":null,"status":null,"formula":{"type":"string"},"unique_id":{"prefix":null,"number":' +
    '"object":"list","results":[{"object":"block","has_children":false,"type":"paragraph","paragraph":{"rich_text":[' +
    '"next_cursor":null,"type":"block","block":{},"object":"comment","discussion_id":"' +
    '{"headers":{"ETag":"\\"0-17"},"body":{"object":"page","id":"01","created_time":"202","last_edited_time":"202",' +
    '"created_by":{"object":"user","id":"01"},"last_edited_by":{"object":"user","id":"01"},"parent":{"type":' +
    '"database_id","database_id":"01"},"archived":false,"in_trash":false,"icon":null,"cover":null,"properties":{' +
    '"Title":{"id":"title","type":"title","title":[{"type":"text","text":{"content":"","link":null},"annotations":{' +
    '"bold":false,"italic":false,"strikethrough":false,"underline":false,"code":false,"color":"default"},' +
    '"plain_text":"","href":null}]},"Notes":{"id":"","type":"rich_text","rich_text":[]},"Done":{"id":"","type":' +
    '"checkbox","checkbox":false},"Points":{"id":"","type":"number","number":null}},"url":"https://","public_url":null}',
);

/** A small window and little memory take half the time of the defaults, and compress small responses equally well. */
const COMPRESSION = { dictionary: DICTIONARY, level: 3, windowBits: 12, memLevel: 5 };

const BODY_MEMBER = '"body":';

/** A response whose body is JSON, so that the body is encoded once to be stored and sent. */
export interface EncodedResponse extends HttpResponse {
  readonly body: EncodedJson<unknown>;
}

/** Compresses headers and body of a response; null when they are too large to store. */
export function encodeStoredResponse({ headers, body }: EncodedResponse): Uint8Array | null {
  if (body.bytes.length > MAX_STORED_BODY_BYTES) return null;
  const start = JSON.stringify({ headers, body: null }).slice(0, -"null}".length);
  const bodyBytes = typeof body.bytes === "string" ? Buffer.from(body.bytes, "latin1") : body.bytes;
  const content = deflateSync(Buffer.concat([Buffer.from(start), bodyBytes, Buffer.from("}")]), COMPRESSION);
  return content.length <= MAX_STORED_RESPONSE_BYTES ? content : null;
}

/** Decodes a response from its status and its compressed content. Its body stays JSON, because parsing a large one takes long. */
export function decodeStoredResponse(status: number, content: Uint8Array): EncodedResponse {
  const json = inflateSync(content, { dictionary: DICTIONARY });
  // The first match is the member: no header has this name, and JSON escapes quotes in the values of headers.
  const bodyStart = json.indexOf(BODY_MEMBER) + BODY_MEMBER.length;
  const { headers }: Pick<HttpResponse, "headers"> = JSON.parse(
    `${json.toString("utf8", 0, bodyStart)}null}`,
  );
  return { status, headers, body: new EncodedJson(json.subarray(bodyStart, -1)) };
}
