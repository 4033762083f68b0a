import { InvalidRequestError } from "../errors.js";
import { checkStrings, decodeUtf8 } from "../json.js";
import type { ReadChunk } from "./body-stream.js";
import type { FilePart } from "./multipart-types.js";

/** A part without its content. The name is empty if the part has none, which is an error in `multipart/form-data`. */
export type PartHeaders = Omit<FilePart<string>, "stream" | "value">;

/** Maximum number of parts of a body, because each part uses memory. */
const MAX_PARTS = 1000;
/** Maximum size of the headers of a part, because they are buffered. */
const MAX_HEADERS_BYTES = 16 * 1024;
/** Matches the name of a header, a token (RFC 9110, section 5.6.2). */
const HEADER_NAME_PATTERN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Streaming parser of multipart bodies (RFC 2046, and RFC 7578 for forms). Buffers at most one chunk of content. Throws
 * an InvalidRequestError for a malformed body.
 */
export class MultipartParser {
  private readonly delimiter: Buffer;
  private readonly isForm: boolean;
  /** Bytes that are not parsed yet. Begins with a line break, because the first delimiter of a body may lack one. */
  private buffer: Buffer = Buffer.from("\r\n");
  /** Whether content is at the start of the buffer. Otherwise headers or the end of the body are, which follow a delimiter. */
  private isInContent = true;
  private partCount = 0;

  /**
   * @param readNextChunk reads the next chunk of the body; undefined at its end
   * @param contentType `Content-Type` of the body, with its boundary
   */
  constructor(
    private readonly readNextChunk: ReadChunk,
    contentType: string,
  ) {
    this.isForm = /^\s*multipart\/form-data\b/i.test(contentType);
    const boundary = parseParameters(contentType)?.get("boundary");
    if (boundary === undefined || boundary === "" || boundary.length > 70)
      throw createMalformedError("the Content-Type should name a `boundary` of 1 to 70 characters");
    this.delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  }

  /** Skips the rest of the current part and returns the headers of the next one; undefined after the last. */
  async nextPart(): Promise<PartHeaders | undefined> {
    let skipped = await this.readContent();
    while (skipped) skipped = await this.readContent();
    // `--` after the delimiter ends the body. It stays in the buffer, so that a body that was read has no further parts.
    while (this.buffer.length < 2) await this.readChunk();
    if (this.buffer.toString("latin1", 0, 2) === "--") return undefined;
    this.partCount += 1;
    if (this.partCount > MAX_PARTS)
      throw new InvalidRequestError(
        "payload_too_large",
        `body failed validation: more than ${MAX_PARTS} parts.`,
      );
    const headers = await this.readHeaders();
    this.isInContent = true;
    return headers;
  }

  /** Returns the next chunk of the part's content; undefined at its end. */
  async readContent(): Promise<Uint8Array | undefined> {
    while (this.isInContent) {
      const delimiterIndex = this.buffer.indexOf(this.delimiter);
      if (delimiterIndex === 0) {
        this.consume(this.delimiter.length);
        this.isInContent = false;
      } else {
        // The end of the buffer can be the beginning of a delimiter, so keep as many bytes as it could have.
        const length =
          delimiterIndex === -1 ? this.buffer.length - this.delimiter.length + 1 : delimiterIndex;
        if (length > 0) return this.consume(length);
        await this.readChunk();
      }
    }
    return undefined;
  }

  /** Reads the rest of the delimiter's line, the headers and the empty line after them. */
  private async readHeaders(): Promise<PartHeaders> {
    const findEnd = (): number => this.buffer.indexOf("\r\n\r\n");
    let end = findEnd();
    for (; end === -1 && this.buffer.length <= MAX_HEADERS_BYTES; end = findEnd()) await this.readChunk();
    if (end === -1 || end > MAX_HEADERS_BYTES)
      throw createMalformedError(
        `the headers of a part should not be longer than ${MAX_HEADERS_BYTES} bytes`,
      );
    const [delimiterRest = "", ...lines] = decodeUtf8(this.consume(end)).split("\r\n");
    if (/[^ \t]/.test(delimiterRest))
      throw createMalformedError("a line begins with the boundary and continues with other text");
    // If a part has no content, some clients send only one line break between its headers and the delimiter.
    while (this.buffer.length < this.delimiter.length + 2) await this.readChunk();
    this.consume(2);
    if (this.buffer.indexOf(this.delimiter) !== 0) this.consume(2);
    return parseHeaders(lines, this.isForm);
  }

  private consume(length: number): Buffer {
    const consumed = this.buffer.subarray(0, length);
    this.buffer = this.buffer.subarray(length);
    return consumed;
  }

  private async readChunk(): Promise<void> {
    const chunk = await this.readNextChunk();
    if (chunk === undefined) throw createMalformedError("it ends before its last boundary");
    this.buffer = Buffer.concat([this.buffer, chunk]);
  }
}

function parseHeaders(lines: string[], isForm: boolean): PartHeaders {
  // Without a prototype, because a header can be called __proto__.
  const headers = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!HEADER_NAME_PATTERN.test(name))
      throw createMalformedError("a part has a line before its content that is not a header");
    headers[name] = line.slice(colon + 1).trim();
  }
  const parameters = parseParameters(headers["content-disposition"] ?? "");
  const name = parameters?.get("name");
  if (!parameters || (isForm && name === undefined))
    throw createMalformedError("each part should have a Content-Disposition header with a `name`");
  const encoding = headers["content-transfer-encoding"]?.toLowerCase() ?? "binary";
  if (!["7bit", "8bit", "binary"].includes(encoding))
    throw createMalformedError(
      `the transfer encoding ${encoding} is not supported; send the content without encoding`,
    );
  const filename = decodeExtendedValue(parameters.get("filename*")) ?? decodeName(parameters.get("filename"));
  const names = { name: decodeName(name) ?? "", filename };
  checkStrings(names.name, "body");
  checkStrings(names.filename, "body");
  return {
    ...names,
    contentType:
      headers["content-type"] ?? (filename === undefined ? "text/plain" : "application/octet-stream"),
    headers,
  };
}

/**
 * Parses the parameters after the first semicolon of a header; undefined if they are malformed. Reads quoted values
 * literally first, because browsers do not escape backslashes. If that fails, reads backslash escapes, which other
 * clients use.
 */
function parseParameters(header: string): Map<string, string> | undefined {
  const text = /;.*/s.exec(header)?.[0] ?? "";
  const literal = matchParameters(text, /\s*;\s*(?:([^\s=;"]+)\s*=\s*(?:"([^"]*)"|([^\s;"]*)))?\s*/y);
  if (literal) return literal;
  const withEscapes = matchParameters(
    text,
    /\s*;\s*(?:([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?\s*/y,
  );
  return (
    withEscapes && new Map([...withEscapes].map(([name, value]) => [name, value.replace(/\\(["\\])/g, "$1")]))
  );
}

/** Matches parameters until the end of the text. A sticky pattern continues where its last match ended. */
function matchParameters(text: string, pattern: RegExp): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (!match) return undefined;
    const [, name, quoted, unquoted] = match;
    if (name !== undefined) parameters.set(name.toLowerCase(), quoted ?? unquoted ?? "");
  }
  return parameters;
}

/** Decodes an extended value such as `UTF-8''a%20b` (RFC 5987). */
function decodeExtendedValue(text: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? "")?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Decodes the quotes and line breaks of a name. Browsers percent-encode only these (HTML standard, form submission). */
function decodeName(text: string | undefined): string | undefined {
  return text?.replace(/%(0A|0D|22)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function createMalformedError(problem: string): InvalidRequestError {
  return new InvalidRequestError("invalid_value", `The multipart body is malformed: ${problem}.`);
}
