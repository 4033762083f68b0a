import { RequestRefused } from "./errors.js";
import { decodeUtf8 } from "./json.js";
import type { Pull } from "./source.js";

/** What stands above the content of a part. */
export interface PartHead {
  /** Empty where the part has none; only bodies that are no forms have such parts. */
  name: string;
  filename: string | undefined;
  contentType: string;
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** More than any form has; each part costs some memory. */
const MAX_PARTS = 1000;
const MAX_HEAD_BYTES = 16 * 1024;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Takes a multipart body apart (RFC 2046, and RFC 7578 for forms) as it arrives, keeping no more than one chunk of it.
 * Parts are read one after the other: `next` gives the head of the next one, `read` the content of that part piece by
 * piece. Both throw a RequestRefused for a body that is malformed.
 */
export class MultipartParser {
  readonly #pull: Pull;
  readonly #delimiter: Buffer;
  readonly #form: boolean;
  /** The first delimiter may stand at the very beginning, without the line end in front that belongs to it. */
  #buffer: Buffer = Buffer.from("\r\n");
  #place: "content" | "delimiter" | "end" = "content";
  #parts = 0;

  /** @param contentType of the body, with its boundary */
  constructor(pull: Pull, contentType: string) {
    this.#pull = pull;
    this.#form = /^\s*multipart\/form-data\b/i.test(contentType);
    const boundary = parameters(contentType.slice(contentType.indexOf(";")))?.get("boundary");
    if (boundary === undefined || boundary === "" || boundary.length > 70) {
      throw malformed("the Content-Type should name a `boundary` of 1 to 70 characters");
    }
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  }

  /** The head of the next part, after what is left of the one before; undefined after the last. */
  async next(): Promise<PartHead | undefined> {
    while ((await this.read()) !== undefined);
    if (this.#place === "end") return undefined;
    while (this.#buffer.length < 2) await this.#more();
    if (this.#buffer[0] === 0x2d && this.#buffer[1] === 0x2d) {
      this.#place = "end";
      return undefined;
    }
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) {
      throw new RequestRefused("payload_too_large", `body failed validation: more than ${MAX_PARTS} parts.`);
    }
    const head = await this.#head();
    this.#place = "content";
    return head;
  }

  /** The next piece of the part's content; undefined at its end. */
  async read(): Promise<Uint8Array | undefined> {
    while (this.#place === "content") {
      const at = this.#buffer.indexOf(this.#delimiter);
      if (at === 0) {
        this.#take(this.#delimiter.length);
        this.#place = "delimiter";
      } else {
        // The end of what there is may be the beginning of a delimiter.
        const sure = at === -1 ? this.#buffer.length - this.#delimiter.length + 1 : at;
        if (sure > 0) return this.#take(sure);
        await this.#more();
      }
    }
    return undefined;
  }

  /** Reads the rest of the delimiter's line and the headers up to the empty line. */
  async #head(): Promise<PartHead> {
    let end = this.#buffer.indexOf("\r\n\r\n");
    while (end === -1 && this.#buffer.length <= MAX_HEAD_BYTES) {
      await this.#more();
      end = this.#buffer.indexOf("\r\n\r\n");
    }
    if (end === -1 || end > MAX_HEAD_BYTES) {
      throw malformed(`the headers of a part should not be longer than ${MAX_HEAD_BYTES} bytes`);
    }
    const [padding = "", ...lines] = decodeUtf8(this.#take(end)).split("\r\n");
    if (/[^ \t]/.test(padding)) throw malformed("a line begins with the boundary and goes on otherwise");
    // In a part without content the line end after the headers may be that of the delimiter.
    while (this.#buffer.length < this.#delimiter.length + 2) await this.#more();
    this.#take(2);
    if (this.#buffer.indexOf(this.#delimiter) !== 0) this.#take(2);
    return describe(lines, this.#form);
  }

  #take(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    const chunk = await this.#pull();
    if (chunk === undefined) throw malformed("it ends before its last boundary");
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
  }
}

function describe(lines: string[], form: boolean): PartHead {
  // Without a prototype: a header may be called __proto__.
  const headers = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!TOKEN.test(name)) throw malformed("a part has a line above its content that is no header");
    headers[name] = line.slice(colon + 1).trim();
  }
  const disposition = headers["content-disposition"] ?? "";
  const values = parameters(disposition.slice(disposition.split(";")[0]?.length ?? 0));
  const name = values?.get("name");
  if (!values || (form && name === undefined)) {
    throw malformed("each part should have a Content-Disposition header with a `name`");
  }
  const encoding = headers["content-transfer-encoding"]?.toLowerCase() ?? "binary";
  if (!["7bit", "8bit", "binary"].includes(encoding)) {
    throw malformed(`the transfer encoding ${encoding} is not supported; send the content as it is`);
  }
  const filename = extended(values.get("filename*")) ?? values.get("filename");
  return {
    name: unescape(name ?? ""),
    filename: filename === undefined ? undefined : unescape(filename),
    contentType:
      headers["content-type"] ?? (filename === undefined ? "text/plain" : "application/octet-stream"),
    headers,
  };
}

/**
 * The parameters of a header, from the semicolon on; undefined when they cannot be read. Browsers write backslashes as
 * they are, others escape quotes with them: what cannot be read the one way is read the other.
 */
function parameters(text: string): Map<string, string> | undefined {
  const plainly = parametersAs(
    text,
    /\s*;\s*(?:([^\s=;"]+)\s*=\s*(?:"([^"]*)"(?=\s*(?:;|$))|([^\s;"]*)))?\s*/y,
  );
  if (plainly) return plainly;
  const escaped = parametersAs(text, /\s*;\s*(?:([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?\s*/y);
  return escaped && new Map([...escaped].map(([name, value]) => [name, value.replace(/\\(["\\])/g, "$1")]));
}

function parametersAs(text: string, one: RegExp): Map<string, string> | undefined {
  const found = new Map<string, string>();
  while (one.lastIndex < text.length) {
    const match = one.exec(text);
    if (!match) return undefined;
    const [, name, quoted, plain] = match;
    if (name !== undefined) found.set(name.toLowerCase(), quoted ?? plain ?? "");
  }
  return found;
}

/** The name that RFC 5987 writes as `UTF-8''a%20b`. */
function extended(text: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? "")?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** As forms of browsers have it, quotes and line ends of names are written in percent, in capitals. */
function unescape(text: string): string {
  return text.replace(/%(0A|0D|22)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function malformed(what: string): RequestRefused {
  return new RequestRefused("invalid_value", `The multipart body is malformed: ${what}.`);
}
