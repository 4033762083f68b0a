import type { DeclaredResponse, Content, Operation, Parameter } from "./document.js";
import { isObject, type Json, type JsonObject, own, put } from "./json.js";
import { Sampler, Unsampled } from "./sample.js";
import { carry } from "./wire.js";

/** Encodings of bodies by media type, and of the fields of forms, from the table of routes.ts. */
export interface Kinds {
  requests: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, readonly { name: string; file?: boolean; additional?: boolean }[]>>;
  responses: Readonly<Record<string, string>>;
}

type Values = Record<string, unknown>;

export interface RequestPlan {
  /** Arguments of the client's method. */
  given: Values;
  /** Values that the handler must receive. */
  expected: Values;
  /** Whether the body consists of fields with text values. */
  fieldwise: boolean;
}

export interface ReplyPlan {
  /** Response of the handler. */
  reply: { status: number; headers?: Values; contentType?: string; body?: unknown };
  headers: Parameter[];
  /** The body that the client returns. */
  arriving: unknown;
  /** Whether the media type is text or JSON instead of bytes. */
  mediaType: string | undefined;
}

export interface Plan {
  requests: RequestPlan[];
  replies: ReplyPlan[];
  /** Skipped parts with reasons: values without text, headers of the server, statuses that cannot be sent. */
  skipped: string[];
  /** The reason why no request can be sent. */
  unreachable: string | undefined;
}

const PLACES = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;
/** Statuses of responses without a body (RFC 9110, section 6.4.1). */
const BODILESS = new Set([204, 205, 304]);
/** Headers that the connection or fetch controls. */
export const NOT_OURS = new Set(
  "connection content-encoding content-length date expect host keep-alive te trailer transfer-encoding upgrade".split(
    " ",
  ),
);
const BYTES = [
  new Uint8Array(),
  new Uint8Array([0, 255, 10, 13, 128]),
  new TextEncoder().encode('{"a":"ü"}'),
];
const WORDS = ["text", "", "ünï 漢字 🚀\nline", '{"a":1}', "%20+&="];

/** Plans the requests of an operation and their responses. */
export function plan(document: JsonObject, operation: Operation, kinds: Kinds, seed: string): Plan {
  const skipped = new Set<string>();
  const planned: Plan = { requests: [], replies: [], skipped: [], unreachable: undefined };
  const method = operation.method.toUpperCase();
  if (method === "TRACE") planned.unreachable = "fetch sends no TRACE";
  if ((method === "GET" || method === "HEAD") && operation.body?.required) {
    planned.unreachable = `fetch sends no body with ${method}, and it is required`;
  }
  if (planned.unreachable === undefined) {
    try {
      planned.requests = planRequests(document, operation, kinds, seed, skipped);
    } catch (error) {
      if (!(error instanceof Unsampled)) throw error;
      planned.unreachable = error.message;
    }
  }
  const responses = new Sampler(document, "response", seed);
  for (const response of operation.responses) {
    planned.replies.push(...planReplies(responses, operation, response, kinds, skipped));
  }
  for (const reason of responses.unreached) skipped.add(`response: ${reason}`);
  planned.skipped = [...skipped];
  return planned;
}

function planRequests(
  document: JsonObject,
  operation: Operation,
  kinds: Kinds,
  seed: string,
  skipped: Set<string>,
): RequestPlan[] {
  const sampler = new Sampler(document, "request", seed);
  const parameters = operation.parameters.flatMap((parameter) => {
    const values = carriedValues(sampler, parameter, skipped);
    return values.length > 0 ? [{ parameter, values }] : [];
  });
  const bodies = planBodies(sampler, operation, kinds, skipped);
  const count = Math.max(2, bodies.length, ...parameters.map(({ values }) => values.length + 1));
  const requests = Array.from({ length: count }, (_, index) => {
    const given: Values = {};
    const expected: Values = {};
    for (const { in: place } of operation.parameters) expected[PLACES[place]] ??= {};
    for (const { parameter, values } of parameters) {
      const pair = values[Math.max(0, index - 1) % values.length];
      if (!pair || (index === 0 && !parameter.required)) continue;
      const place = PLACES[parameter.in];
      put((given[place] ??= {}) as object, parameter.name, pair.given);
      if (pair.value !== undefined) put(expected[place] as object, parameter.name, pair.value);
    }
    const body = bodies[index % Math.max(1, bodies.length)];
    return {
      given: { ...given, ...body?.given },
      expected: { ...expected, ...body?.expected },
      fieldwise: body?.fieldwise ?? false,
    };
  });
  for (const reason of sampler.unreached) skipped.add(`request: ${reason}`);
  return requests;
}

interface CarriedValue {
  given: Json;
  value: Json | undefined;
}

function carriedValues(sampler: Sampler, parameter: Parameter, skipped: Set<string>): CarriedValue[] {
  const place = `${parameter.in} ${parameter.name}`;
  const found: CarriedValue[] = [];
  let reason = "no value";
  if (parameter.in === "header" && NOT_OURS.has(parameter.name.toLowerCase())) {
    reason = "the connection deals with this header";
  } else {
    for (const given of trySamples(sampler, parameter.schema, place, parameter.required, skipped)) {
      const carried = carry(parameter, given);
      if ("reason" in carried) {
        reason = carried.reason;
        skipped.add(`${place}: ${reason}`);
      } else found.push({ given, value: carried.value });
    }
  }
  if (found.length === 0 && parameter.required) throw new Unsampled(`${place}: ${reason}`);
  if (found.length === 0) skipped.add(`${place} is never sent: ${reason}`);
  return found;
}

function trySamples(
  sampler: Sampler,
  schema: Json | undefined,
  place: string,
  required: boolean,
  skipped: Set<string>,
): Json[] {
  try {
    // More samples than of other schemas, because parameters are small, and their serialization is error-prone.
    return sampler.samples(schema ?? true, 20);
  } catch (error) {
    if (!(error instanceof Unsampled)) throw error;
    if (required) throw new Unsampled(`${place}: ${error.message}`);
    skipped.add(`${place}: ${error.message}`);
    return [];
  }
}

function planBodies(
  sampler: Sampler,
  operation: Operation,
  kinds: Kinds,
  skipped: Set<string>,
): RequestPlan[] {
  const none = { given: {}, expected: {}, fieldwise: false };
  const { body, method } = operation;
  if (!body || body.contents.length === 0) return [none];
  if (method === "get" || method === "head") {
    skipped.add(`body: fetch sends none with ${method.toUpperCase()}`);
    return [none];
  }
  const named = isNamed(body.contents);
  const bodies = body.contents.flatMap((content) => {
    const kind = kinds.requests[content.mediaType] ?? "binary";
    const contentType = named ? { contentType: chooseMediaType(content.mediaType, kind) } : {};
    if (kind === "lines" || kind === "sequence") {
      const planned = { ...contentType, body: bodiesOf(sampler, content, "json", "body", skipped) };
      return [{ given: planned, expected: planned, fieldwise: false }];
    }
    if (kind !== "form" && kind !== "multipart") {
      return bodiesOf(sampler, content, kind, "body", skipped).map((value) => {
        const planned = { ...contentType, body: value };
        return { given: planned, expected: planned, fieldwise: false };
      });
    }
    const entries = kinds.fields[content.mediaType] ?? [];
    const isFile = (name: string): boolean =>
      (entries.find((entry) => entry.name === name) ?? entries.find((entry) => entry.additional))?.file ===
      true;
    return bodiesOf(sampler, content, "json", "body", skipped).flatMap((value) => {
      const fields = toFields(value as Json, isFile, skipped);
      if (!fields) return [];
      const planned = { ...contentType, body: fields };
      return { given: planned, expected: planned, fieldwise: true };
    });
  });
  if (!body.required) return [none, ...bodies];
  if (bodies.length === 0) {
    const reasons = [...skipped].filter((reason) => reason.startsWith("body "));
    throw new Unsampled(`its required body cannot be made: ${reasons.join("; ")}`);
  }
  return bodies;
}

/** Whether a request must name the media type of its body. */
function isNamed(contents: readonly Content[]): boolean {
  return (
    contents.length > 1 ||
    contents.some(
      (content) => content.mediaType.endsWith("/*") && (content.mediaType !== "*/*" || isBinary(content)),
    )
  );
}

/** Chooses the kind of a response by its media type, and by its schema where the media type does not determine the kind. */
function chooseResponseKind(content: Content, kinds: Kinds): string {
  if (isBinary(content)) return "binary";
  const kind = kinds.responses[content.mediaType] ?? "binary";
  if (content.mediaType === "text/plain" && (content.type === "array" || content.type === "object"))
    return "json";
  const isText = content.type === "string" && own(content.schema, "format") === undefined;
  const isAlwaysBytes = /^(?:image|audio)\/|octet-stream|zip|pdf|ndjson/.test(content.mediaType);
  return kind === "binary" && isText && !isAlwaysBytes ? "text" : kind;
}

/** Whether a body of any media type is bytes according to its schema. */
function isBinary({ mediaType, schema }: Content): boolean {
  return mediaType === "*/*" && own(schema, "format") === "binary";
}

/** Chooses a media type of a range such as `image/*`. */
function chooseMediaType(mediaType: string, kind: string): string {
  if (mediaType === "*/*") return kind === "json" ? "application/x-sample+json" : "application/x-sample";
  return mediaType.replace("/*", "/x-sample");
}

/** Converts a body to the fields of a form. Null is omitted, and a file becomes bytes. */
function toFields(value: Json, isFile: (name: string) => boolean, skipped: Set<string>): Values | undefined {
  if (!isObject(value)) {
    skipped.add("body: a form is an object");
    return undefined;
  }
  const fields = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    if (Array.isArray(member) && member.length === 0) {
      skipped.add(`body ${name}: nothing is sent of an empty list in a form`);
      return undefined;
    }
    if (Array.isArray(member) && member.includes(null)) {
      skipped.add(`body ${name}: a list in a form has no form for null`);
      continue;
    }
    const bytes = (item: Json): Uint8Array => new TextEncoder().encode(`${JSON.stringify(item)}\0\r\n`);
    put(fields, name, !isFile(name) ? member : Array.isArray(member) ? member.map(bytes) : bytes(member));
  }
  return fields;
}

function bodiesOf(
  sampler: Sampler,
  { mediaType, schema }: Content,
  kind: string,
  place: string,
  skipped: Set<string>,
): unknown[] {
  if (kind === "text") return WORDS;
  if (kind !== "json") return BYTES;
  try {
    return sampler.samples(schema ?? true);
  } catch (error) {
    if (!(error instanceof Unsampled)) throw error;
    skipped.add(`${place} ${mediaType}: ${error.message}`);
    return [];
  }
}

/** Creates events with samples as data. Events whose schema describes the complete event have only data. */
function createEvents(samples: unknown[], format: string): unknown[] {
  const events = samples.map((data, index) => {
    const text = typeof data === "string" && format === "text-events" ? data.replace(/\r\n?/g, "\n") : data;
    return index % 2 === 0
      ? { data: text }
      : { data: text, event: "sample", id: String(index), retry: index };
  });
  return format === "text-events" ? events.filter(({ data }) => typeof data === "string") : events;
}

/** Lists the statuses to test for a key. */
function listStatuses(key: string, keys: string[]): number[] {
  const free = (status: number): boolean =>
    !keys.includes(String(status)) && (key !== "default" || !keys.includes(`${String(status)[0]}XX`));
  if (/^\d+$/.test(key)) return [Number(key)];
  // With another success, `default` describes only errors.
  const hasSuccess = keys.some((each) => each.startsWith("2"));
  if (key === "default") return [...(hasSuccess ? [] : [200]), 418, 503].filter(free);
  return [0, 1, 2, 3, 18]
    .map((offset) => Number(key[0]) * 100 + offset)
    .filter(free)
    .slice(0, 2);
}

function planReplies(
  sampler: Sampler,
  operation: Operation,
  response: DeclaredResponse,
  kinds: Kinds,
  skipped: Set<string>,
): ReplyPlan[] {
  const keys = operation.responses.map(({ key }) => key);
  const headers = response.headers.flatMap((header) => {
    if (NOT_OURS.has(header.name.toLowerCase())) {
      skipped.add(`response header ${header.name}: the connection deals with it`);
      return [];
    }
    const values = trySamples(
      sampler,
      header.schema,
      `response header ${header.name}`,
      false,
      skipped,
    ).filter((value) => {
      const carried = carry({ ...header, required: true }, value);
      if ("reason" in carried) skipped.add(`response header ${header.name}: ${carried.reason}`);
      return !("reason" in carried);
    });
    return values.length > 0 ? [{ header, values }] : [];
  });
  return listStatuses(response.key, keys).flatMap((status) => {
    if (status < 200) {
      skipped.add(`status ${status}: no final response has it`);
      return [];
    }
    const replies = repliesWith(sampler, operation, response, status, kinds, skipped);
    const count = Math.max(
      replies.length,
      headers.length > 0 ? 2 : 1,
      ...headers.map(({ values }) => values.length + 1),
    );
    return Array.from({ length: count }, (_, index): ReplyPlan[] => {
      const reply = replies[index % replies.length];
      if (!reply) return [];
      const values: Values = {};
      for (const { header, values: choices } of headers) {
        if (index > 0 || header.required)
          put(values, header.name, choices[Math.max(0, index - 1) % choices.length]);
      }
      return [
        {
          reply: { ...reply.reply, ...(Object.keys(values).length > 0 ? { headers: values } : {}) },
          arriving: reply.arriving,
          headers: response.headers,
          mediaType: reply.mediaType,
        },
      ];
    }).flat();
  });
}

function repliesWith(
  sampler: Sampler,
  operation: Operation,
  { key, contents }: DeclaredResponse,
  status: number,
  kinds: Kinds,
  skipped: Set<string>,
): Omit<ReplyPlan, "headers">[] {
  const bodiless = BODILESS.has(status) || operation.method === "head";
  if (bodiless && contents.length > 0) {
    const why = operation.method === "head" ? "a response to HEAD has none" : `status ${status} has none`;
    skipped.add(`response ${key}: its body is not sent, ${why}`);
  }
  if (bodiless || contents.length === 0)
    return [{ reply: { status }, arriving: undefined, mediaType: undefined }];
  const named = isNamed(contents);
  return contents.flatMap((content) => {
    const kind = chooseResponseKind(content, kinds);
    const { mediaType } = content;
    const contentType = named ? { contentType: chooseMediaType(mediaType, kind) } : {};
    const [, format] = kind.split("stream ");
    if (format === undefined) {
      return bodiesOf(sampler, content, kind, `response ${key}`, skipped).map((body) => ({
        reply: { status, ...contentType, body },
        arriving: body,
        mediaType,
      }));
    }
    if (status >= 300) {
      skipped.add(`response ${key}: a stream is none in a failure`);
      return [];
    }
    const samples = bodiesOf(sampler, content, "json", `response ${key}`, skipped);
    const items = format === "lines" ? samples : createEvents(samples, format);
    const body = {
      async *[Symbol.asyncIterator]() {
        yield* items;
      },
    };
    return [{ reply: { status, ...contentType, body }, arriving: items, mediaType }];
  });
}
