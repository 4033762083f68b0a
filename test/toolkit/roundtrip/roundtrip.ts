import { readFileSync } from "node:fs";
import path from "node:path";
import { Checker } from "./check.js";
import { type Operation, listOperations, type Parameter } from "./document.js";
import { findDifference, isObject, type Json, type JsonObject, own } from "./json.js";
import { openPair, type Outcome, type Pair } from "./pair.js";
import { type Kinds, NOT_OURS, plan, type ReplyPlan, type RequestPlan } from "./plan.js";
import { haveSameText } from "./wire.js";

/** Result of the round trip of a document. */
export interface Report {
  /** Number of operations of the document. */
  total: number;
  /** Number of operations whose samples all arrived unchanged in both directions. */
  passed: number;
  /** Numbers of requests and responses. */
  samples: number;
  failures: Failure[];
  /** Operations that HTTP clients cannot call, with the reason. */
  unreachable: string[];
  /** Number of operations by the reason for skipping a part of them. */
  skipped: Map<string, number>;
  /** Number of samples whose text is ambiguous under the schema. */
  ambiguous: number;
}

export interface Failure {
  operation: string;
  what: string;
  /** Number of samples of the operation that failed at the same location. */
  count: number;
}

export const DEFAULT_SEED = "page-service";

/**
 * Sends samples through the generated client to a server with the generated routes, and compares both ends.
 *
 * @param folder folder of the generated code
 * @param fetch function that sends the requests
 */
export async function roundTrip(
  folder: string,
  { seed = DEFAULT_SEED, fetch = globalThis.fetch }: { seed?: string; fetch?: typeof globalThis.fetch } = {},
): Promise<Report> {
  const document: JsonObject = JSON.parse(readFileSync(path.join(folder, "openapi.json"), "utf8"));
  const pair = await openPair(folder, fetch);
  try {
    return await run(document, pair, seed);
  } finally {
    await pair.close();
  }
}

async function run(document: JsonObject, pair: Pair, seed: string): Promise<Report> {
  const operations = listOperations(document);
  const names = new Map(
    Object.entries(pair.operations).map(([name, { method, path: at }]) => [`${method} ${at}`, name]),
  );
  const report: Report = {
    total: operations.length,
    passed: 0,
    samples: 0,
    failures: [],
    unreachable: [],
    skipped: new Map(),
    ambiguous: 0,
  };
  for (const operation of operations) {
    const title = `${operation.method.toUpperCase()} ${operation.path}`;
    const name = names.get(title);
    if (name === undefined) {
      report.failures.push({ operation: title, what: "it was not generated", count: 1 });
      continue;
    }
    await tryOperation(document, pair, operation, name, `${seed} ${title}`, report);
  }
  return report;
}

async function tryOperation(
  document: JsonObject,
  pair: Pair,
  operation: Operation,
  name: string,
  seed: string,
  report: Report,
): Promise<void> {
  const title = `${operation.method.toUpperCase()} ${operation.path}`;
  const { requests, replies, skipped, unreachable } = plan(document, operation, readKinds(pair, name), seed);
  for (const reason of skipped) report.skipped.set(reason, (report.skipped.get(reason) ?? 0) + 1);
  if (unreachable !== undefined) {
    report.unreachable.push(`${title}: ${unreachable}`);
    return;
  }
  const checker = new Checker(document, "request");
  const failures = new Map<string, Failure>();
  const fail = (what: string): void => {
    // Only one failure per location, because the values differ between samples.
    const kind = what.replace(/ (?:was|it was|Fix one|instead was)[^]*$/, "").replace(/\[\d+\]/g, "");
    const known = failures.get(kind);
    if (known) known.count += 1;
    else failures.set(kind, { operation: title, what, count: 1 });
  };
  let elsewhere = 0;
  const count = Math.max(requests.length, replies.length);
  for (let index = 0; index < count; index += 1) {
    const request = requests[index % requests.length];
    const reply = replies[index % Math.max(1, replies.length)];
    if (!request) continue;
    const outcome = await pair.call(name, request.given, reply?.reply ?? { status: 200 });
    report.samples += 1;
    if (
      outcome.called !== undefined &&
      outcome.called !== name &&
      isMoreLiteral(pair, outcome.called, name)
    ) {
      elsewhere += 1;
      continue;
    }
    const wrong = findRequestProblem(name, request, outcome, operation, checker, report);
    if (wrong !== undefined) fail(wrong);
    else {
      const problem = findReplyProblem(reply, outcome);
      if (problem !== undefined) fail(problem);
    }
  }
  if (elsewhere === count) fail("every sample of its path is that of another operation");
  if (elsewhere > 0) report.skipped.set("a sample whose path is that of another operation", elsewhere);
  if (failures.size === 0) report.passed += 1;
  report.failures.push(...failures.values());
}

/** Reads the encodings of request bodies from the table in routes.ts, and derives those of responses from media types. */
function readKinds(pair: Pair, name: string): Kinds {
  const { body, responseMediaTypes = {}, responseStreamFormats = {} } = pair.operations[name] ?? {};
  const responseKinds = Object.values(responseMediaTypes)
    .flat()
    .map((mediaType): [string, string] => [mediaType, getKind(mediaType)]);
  const streamed = Object.values(responseStreamFormats).flatMap((each) => Object.entries(each));
  return {
    requests: body?.mediaTypes ?? {},
    fields: body?.fields ?? {},
    responses: Object.fromEntries([
      ...responseKinds,
      ...streamed.map(([type, format]) => [type, `stream ${format}`]),
    ]),
  };
}

function getKind(mediaType: string): string {
  const type = (mediaType.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "application/json" || type.endsWith("+json") || type === "*/*") return "json";
  return /^text\/|[/+]xml$/.test(type) || type === "application/x-www-form-urlencoded" ? "text" : "binary";
}

/** Whether a called operation has a literal segment where this operation has a parameter. */
function isMoreLiteral(pair: Pair, called: string, name: string): boolean {
  const [other, own] = [called, name].map((id) => pair.operations[id]?.path.split("/") ?? []);
  if (!other || !own || other.length !== own.length) return false;
  return own.every(
    (segment, index) => segment.includes("{") || segment === other[index] || other[index]?.includes("{"),
  );
}

function findRequestProblem(
  name: string,
  { expected, given, fieldwise }: RequestPlan,
  outcome: Outcome,
  operation: Operation,
  checker: Checker,
  report: Report,
): string | undefined {
  if (outcome.called === undefined && outcome.refused === undefined) {
    return `not sent: ${getMessage(outcome.thrown)}; it was ${shorten(given)}`;
  }
  if (outcome.called !== undefined && outcome.called !== name) return `it reached ${outcome.called}`;
  if (outcome.received === undefined) return `refused: ${outcome.refused ?? "?"}; it was ${shorten(given)}`;
  const places: string[] = [];
  for (const key of new Set([...Object.keys(expected), ...Object.keys(outcome.received)])) {
    const [sent, got] = [expected[key], outcome.received[key]];
    const parts = ["path", "query", "headers", "cookies", ...(fieldwise ? ["body"] : [])];
    if (!parts.includes(key)) {
      const found = findDifference(sent, got, key);
      if (found !== undefined) return found;
      continue;
    }
    for (const member of new Set([...keysOf(sent), ...keysOf(got)])) {
      const [before, after] = [valueOf(sent, member), valueOf(got, member)];
      const found = findDifference(before, after, `${key}.${member}`);
      if (found === undefined) continue;
      const parameter = operation.parameters.find((each) => each.name === member && placeOf(each) === key);
      // Fields were compared with the complete body.
      const fits = key === "body" || (parameter && checker.matches(parameter.schema, after as Json));
      if (fits && haveSameText(before, after)) places.push(found);
      else return found;
    }
  }
  report.ambiguous += places.length;
  return undefined;
}

function placeOf({ in: place }: Parameter): string {
  return { path: "path", query: "query", header: "headers", cookie: "cookies" }[place];
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function valueOf(value: unknown, key: string): unknown {
  return isObject(value) ? own(value, key) : undefined;
}

function findReplyProblem(planned: ReplyPlan | undefined, outcome: Outcome): string | undefined {
  if (!planned) return undefined;
  const { reply, mediaType, arriving } = planned;
  if (outcome.refused !== undefined) return `the response ${shorten(reply)} failed: ${outcome.refused}`;
  const place = `response ${reply.status}`;
  if (reply.status < 300) {
    if (!outcome.result) return `${place} was thrown: ${getMessage(outcome.thrown)}`;
    const { response, ...result } = outcome.result;
    const headers = reply.headers ?? {};
    const got = Object.entries(Object(result.headers)).filter(([name]) => !NOT_OURS.has(name.toLowerCase()));
    result.headers = Object.fromEntries(got);
    return (
      findDifference({ ...withoutType(reply), headers, body: arriving }, withoutType(result), place) ??
      findTypeProblem(place, mediaType, response)
    );
  }
  const { thrown } = outcome;
  if (!(thrown instanceof Error) || thrown.name !== "ApiError")
    return `${place} was not thrown: ${getMessage(thrown)}`;
  // The cast: an ApiError has these members.
  const { status, body, headers, response } = thrown as Error &
    Record<"status" | "body", unknown> & { headers: Headers; response: unknown };
  return (
    findDifference(reply.status, status, `${place}: status`) ??
    findDifference(getErrorBody(arriving, mediaType), body, `${place}: body`) ??
    Object.keys(reply.headers ?? {})
      .filter((name) => headers.get(name) === null)
      .map((name) => `${place}: the header ${name} is not there`)[0] ??
    findTypeProblem(place, mediaType, response)
  );
}

function withoutType(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "contentType"));
}

/** Returns the expected body of a failure: parsed if it is valid JSON with any media type, otherwise text. */
function getErrorBody(body: unknown, mediaType = ""): unknown {
  if (/[/+]json\b/i.test(mediaType)) return body;
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  if (typeof text !== "string") return text;
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function findTypeProblem(
  place: string,
  mediaType: string | undefined,
  response: unknown,
): string | undefined {
  if (mediaType === undefined || mediaType.includes("*") || !(response instanceof Response)) return undefined;
  const essence = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();
  return findDifference(
    essence(mediaType),
    essence(response.headers.get("content-type") ?? ""),
    `${place}: Content-Type`,
  );
}

function getMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
