/**
 * The parts of client.ts that write and read bodies that are neither JSON nor plain text, as top-level statements with
 * blank lines between. None uses what only Node has.
 */
export const CLIENT_BODIES = `
/** What the bytes of an answer can be given as; \`bytes\` when nothing is said. */
export interface Bytes {
  bytes: Uint8Array;
  blob: Blob;
  /** As they arrive: nothing is kept in memory. */
  stream: ReadableStream<Uint8Array>;
}

/** The answers of an operation whose bytes are given as the caller says. */
export type Received<Reply, As extends keyof Bytes> = Reply extends { body: infer Body }
  ? [Body] extends [BinaryBody]
    ? Omit<Reply, "body"> & { body: Bytes[As] }
    : Reply
  : Reply;

/** Bytes to send. A stream is sent as it is read. */
export type BinaryInput = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;

/** A request as a caller gives it: files and bytes in any form that the platform has. */
export type Sent<Request> = { [Name in keyof Request]: Name extends "body" ? SentBody<Request[Name]> : Request[Name] };

type SentFile<Value> = Value extends readonly unknown[]
  ? FileInput[]
  : Value extends null | undefined
    ? Value
    : FileInput;

/** A file to send; a File brings its name and type along. */
export type FileInput = BinaryInput | NamedFile;

/** A file with what its part of the body is to say. */
export interface NamedFile {
  content: BinaryInput | string;
  filename?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

/** A form; fields without a style of their own are text, repeated for the items of a list, and JSON for an object. */
function writeForm(styles: Record<string, QueryStyle>): WriteBody {
  return (body) => {
    if (typeof body === "string" || body instanceof URLSearchParams) return { body: String(body) };
    const fields = Object.entries(Object(body)).map(([name, value]) => [
      name,
      isObject(value) && !Array.isArray(value) && !Object.hasOwn(styles, name) ? JSON.stringify(value) : value,
    ]);
    return { body: writeQuery(Object.fromEntries(fields), styles) };
  };
}

/** A multipart body, with the content types of the parts that declare one; it is as large as a Blob or a stream may be. */
function writeMultipart(types: Record<string, string>): WriteBody {
  return (body, mediaType) => {
    // fetch writes one of these by itself, and its boundary.
    if (body instanceof FormData) return { body, contentType: null };
    const random = crypto.getRandomValues(new Uint8Array(18));
    const boundary = \`form-\${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}\`;
    const pieces = Object.entries(Object(body))
      .filter(isSet)
      .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((item: unknown) => [name, item] as const))
      .flatMap(([name, item]) => [
        \`--\${boundary}\\r\\n\`,
        ...writePart(name, item, Object.hasOwn(types, name) ? types[name] : undefined),
        "\\r\\n",
      ]);
    pieces.push(\`--\${boundary}--\\r\\n\`);
    const contentType = \`\${mediaType}; boundary=\${boundary}\`;
    if (pieces.some((piece) => piece instanceof ReadableStream)) return { body: streamOf(pieces), contentType };
    // The cast: no piece is a stream.
    return { body: new Blob(pieces as Exclude<Piece, ReadableStream>[]), contentType };
  };
}

type Piece = string | Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | ReadableStream<Uint8Array>;

function isPiece(value: unknown): value is Exclude<Piece, string> {
  return [Blob, Uint8Array, ArrayBuffer, ReadableStream].some((kind) => value instanceof kind);
}

/** The head and the content of a part; \`type\` is what the document says of it. */
function writePart(name: string, value: unknown, type: string | undefined): Piece[] {
  // As forms of browsers have it: what would end the text or the line is written in percent.
  const quoted = (text: string) =>
    \`"\${text.replace(/\\r\\n|[\\r\\n"]/g, (match) => (match === '"' ? "%22" : "%0D%0A"))}"\`;
  const named = isObject(value) && isPiece(value["content"]);
  if (!named && !isPiece(value) && !(isObject(value) && "content" in value && "filename" in value)) {
    const json = isObject(value) || (type !== undefined && isJson(type));
    const contentType = type ?? (json ? "application/json" : undefined);
    const head = contentType === undefined ? "" : \`\\r\\nContent-Type: \${contentType}\`;
    const text = json ? JSON.stringify(value) : String(value);
    return [\`Content-Disposition: form-data; name=\${quoted(name)}\${head}\\r\\n\\r\\n\${text}\`];
  }
  // The cast: it was just told from everything else.
  const file = (isPiece(value) ? { content: value } : value) as {
    content: Piece;
    filename?: string;
    contentType?: string;
    headers?: Record<string, string>;
  };
  const { content } = file;
  const own: { name?: unknown; type?: string } = content instanceof Blob ? content : {};
  const filename = file.filename ?? (typeof own.name === "string" ? own.name : "blob");
  const declared = type === undefined || type.includes("*") ? "application/octet-stream" : type;
  const lines = {
    "Content-Disposition": \`form-data; name=\${quoted(name)}; filename=\${quoted(filename)}\`,
    "Content-Type": file.contentType ?? (own.type || declared),
    ...file.headers,
  };
  // A Headers object refuses what is no header.
  const checked = new Headers(file.headers);
  checked.set("Content-Type", lines["Content-Type"]);
  return [\`\${Object.entries(lines).map(([key, line]) => \`\${key}: \${line}\`).join("\\r\\n")}\\r\\n\\r\\n\`, content];
}

/** The pieces one after the other, each read when it is its turn. */
function streamOf(pieces: Piece[]): ReadableStream<Uint8Array> {
  const streams = pieces.values();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        if (!reader) {
          const { value, done } = streams.next();
          if (done) return controller.close();
          const stream = value instanceof ReadableStream ? value : new Blob([value]).stream();
          // The cast: whichever library declares it, a stream of bytes has this reader.
          reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>;
        }
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        reader = undefined;
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Reads what the Content-Type of the answer says; one that the document does not declare is read as what it is. */
function readSeveral(readers: Record<string, ReadBody>): ReadBody {
  const essence = (name: string) => (name.split(";")[0] ?? "").trim().toLowerCase();
  return async (response, options, broken) => {
    const sent = response.headers.get("Content-Type") ?? "";
    const declared = Object.entries(readers);
    const found =
      declared.find(([type]) => type.toLowerCase() === sent.toLowerCase()) ??
      declared.find(([type]) => essence(type) === essence(sent));
    const range = declared.find(
      ([type]) => type === "*/*" || (type.endsWith("/*") && essence(sent).startsWith(type.slice(0, -1))),
    );
    const text = essence(sent).startsWith("text/");
    const read = found?.[1] ?? range?.[1] ?? (isJson(sent) ? readJson : text ? readText : readBytes);
    return { ...(await read(response, options, broken)), contentType: found?.[0] ?? essence(sent) };
  };
}

const readJson: ReadBody = async (response, _, broken) => ({ body: parseJson(await response.text(), broken) });

const readText: ReadBody = async (response) => ({ body: await response.text() });

const readBytes: ReadBody = async (response, options: CallOptions & { as?: string }) => {
  if (options.as === "blob") return { body: await response.blob() };
  if (options.as === "stream") return { body: response.body ?? new Blob([]).stream() };
  return { body: new Uint8Array(await response.arrayBuffer()) };
};

/**
 * Reads an event stream as it comes, as the HTML standard says. A member of an event is there where the server sent it.
 * Leaving the loop, or aborting the call, closes the connection. Data that is JSON ends with \`[DONE]\` where a server
 * marks the end so.
 */
function readEvents(data: "json" | "text"): ReadBody {
  return async (response, options, broken) => ({ body: eventsOf(response, data, options, broken) });
}

async function* eventsOf(
  response: Response,
  data: "json" | "text",
  options: CallOptions,
  broken: (body: unknown) => Error,
): AsyncGenerator<Record<string, unknown>> {
  let event: Record<string, unknown> = {};
  let text: string | undefined;
  for await (const line of linesOf(response, true, options)) {
    if (line === "") {
      if (text !== undefined) {
        if (data === "json" && text === "[DONE]") return;
        if (event["event"] === undefined) delete event["event"];
        yield { data: data === "json" ? parseJson(text, broken) : text, ...event };
      }
      event = {};
      text = undefined;
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") text = text === undefined ? value : \`\${text}\\n\${value}\`;
    else if (field === "event") event["event"] = value === "" ? undefined : value;
    else if (field === "id" && !value.includes("\\0")) event["id"] = value;
    else if (field === "retry" && /^[0-9]+$/.test(value)) event["retry"] = Number(value);
  }
}

/** Reads JSON lines as they come. */
const readLines: ReadBody = async (response, options, broken) => ({ body: valuesOf(response, options, broken) });

async function* valuesOf(
  response: Response,
  options: CallOptions,
  broken: (body: unknown) => Error,
): AsyncGenerator<unknown> {
  let rest = "";
  for await (const line of linesOf(response, false, options, (last) => (rest = last))) {
    if (line.trim() !== "") yield parseJson(line, broken);
  }
  if (rest.trim() !== "") yield parseJson(rest, broken);
}

/**
 * The lines of a text as they come, each without its end; \`atEnd\` gets what is after the last one.
 *
 * @param returns whether a carriage return alone ends a line
 */
async function* linesOf(
  response: Response,
  returns: boolean,
  { signal }: CallOptions,
  atEnd?: (rest: string) => void,
): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  const ends = returns ? /\\r\\n|\\n|\\r/g : /\\n/g;
  let pending = "";
  let afterReturn = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      let text = decoder.decode(value, { stream: !done });
      // A line feed that follows a carriage return ends no second line, even when it comes later.
      if (afterReturn && text !== "") {
        if (text.startsWith("\\n")) text = text.slice(1);
        afterReturn = false;
      }
      if (returns && text.endsWith("\\r")) afterReturn = true;
      ends.lastIndex = pending.length;
      pending += text;
      let start = 0;
      for (let end = ends.exec(pending); end; end = ends.exec(pending)) {
        yield pending.slice(start, end.index);
        start = ends.lastIndex;
      }
      pending = pending.slice(start);
      if (done) return atEnd?.(pending);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
`;

/** What a caller gives for a body of an operation that has one with files. */
export const SENT_MULTIPART = `
type SentBody<Body> =
  Body extends Multipart<infer Fields, infer Files>
    ? FormData | { [Name in keyof Fields]: Name extends Files ? SentFile<Fields[Name]> : Fields[Name] }
    : Body extends AsyncIterable<unknown>
      ? BinaryInput
      : Body;
`;

/** The same of a document where no body has files. */
export const SENT_BINARY = `
type SentBody<Body> = Body extends AsyncIterable<unknown> ? BinaryInput : Body;
`;
