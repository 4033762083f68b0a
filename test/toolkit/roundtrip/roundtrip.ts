import { readFileSync } from "node:fs";
import path from "node:path";
import { Checker } from "./check.js";
import { type Operation, operationsOf, type Parameter } from "./document.js";
import { difference, isObject, type Json, type JsonObject, own } from "./json.js";
import { openPair, type Outcome, type Pair } from "./pair.js";
import { type Kinds, NOT_OURS, plan, type ReplyPlan, type RequestPlan } from "./plan.js";
import { sameText } from "./wire.js";

/** Result of the round trip of a document. */
export interface Report {
  /** Operations that the document has. */
  total: number;
  /** Operations of which every sample arrived unchanged in both directions. */
  passed: number;
  /** Requests that were sent, and answers. */
  samples: number;
  failures: Failure[];
  /** Operations that no HTTP client can call, with the reason. */
  unreachable: string[];
  /** Number of operations by the reason why a part of them was not tried. */
  leftOut: Map<string, number>;
  /** Samples whose text stands for two values that the schema allows. */
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
 * Sends samples through the generated client to a server made of the generated routes, and compares both ends.
 *
 * @param folder what was generated
 * @param fetch sends the requests
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
  const operations = operationsOf(document);
  const names = new Map(
    Object.entries(pair.operations).map(([name, { method, path: at }]) => [`${method} ${at}`, name]),
  );
  const report: Report = {
    total: operations.length,
    passed: 0,
    samples: 0,
    failures: [],
    unreachable: [],
    leftOut: new Map(),
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
  const { requests, replies, leftOut, unreachable } = plan(document, operation, kindsOf(pair, name), seed);
  for (const reason of leftOut) report.leftOut.set(reason, (report.leftOut.get(reason) ?? 0) + 1);
  if (unreachable !== undefined) {
    report.unreachable.push(`${title}: ${unreachable}`);
    return;
  }
  const checker = new Checker(document, "request");
  const failures = new Map<string, Failure>();
  const fail = (what: string): void => {
    // The values differ from sample to sample: one of each kind is shown.
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
    const wrong = requestProblem(name, request, outcome, operation, checker, report);
    if (wrong !== undefined) fail(wrong);
    else {
      const answer = replyProblem(reply, outcome);
      if (answer !== undefined) fail(answer);
    }
  }
  if (elsewhere === count) fail("every sample of its path is that of another operation");
  if (elsewhere > 0) report.leftOut.set("a sample whose path is that of another operation", elsewhere);
  if (failures.size === 0) report.passed += 1;
  report.failures.push(...failures.values());
}

/** Returns the encodings of bodies: those of the table in routes.ts, and for responses by media type. */
function kindsOf(pair: Pair, name: string): Kinds {
  const { body, responses, streams } = pair.operations[name] ?? {};
  const answers = Object.values(responses ?? {})
    .flat()
    .map((mediaType): [string, string] => [mediaType, kindOf(mediaType)]);
  const streamed = Object.values(streams ?? {}).flatMap((each) => Object.entries(each));
  return {
    requests: body?.mediaTypes ?? {},
    fields: body?.fields ?? {},
    responses: Object.fromEntries([
      ...answers,
      ...streamed.map(([type, format]) => [type, `stream ${format}`]),
    ]),
  };
}

function kindOf(mediaType: string): string {
  const type = (mediaType.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "application/json" || type.endsWith("+json") || type === "*/*") return "json";
  return type.startsWith("text/") || type === "application/x-www-form-urlencoded" ? "text" : "binary";
}

/** Whether a path is taken by an operation that names a segment which this one has a parameter for. */
function isMoreLiteral(pair: Pair, called: string, name: string): boolean {
  const [other, own] = [called, name].map((id) => pair.operations[id]?.path.split("/") ?? []);
  if (!other || !own || other.length !== own.length) return false;
  return own.every(
    (segment, index) => segment.includes("{") || segment === other[index] || other[index]?.includes("{"),
  );
}

function requestProblem(
  name: string,
  { expected, given, fieldwise }: RequestPlan,
  outcome: Outcome,
  operation: Operation,
  checker: Checker,
  report: Report,
): string | undefined {
  if (outcome.called === undefined && outcome.refused === undefined) {
    return `not sent: ${messageOf(outcome.thrown)}; it was ${short(given)}`;
  }
  if (outcome.called !== undefined && outcome.called !== name) return `it reached ${outcome.called}`;
  if (outcome.received === undefined) return `refused: ${outcome.refused ?? "?"}; it was ${short(given)}`;
  const places: string[] = [];
  for (const key of new Set([...Object.keys(expected), ...Object.keys(outcome.received)])) {
    const [sent, got] = [expected[key], outcome.received[key]];
    const parts = ["path", "query", "headers", "cookies", ...(fieldwise ? ["body"] : [])];
    if (!parts.includes(key)) {
      const found = difference(sent, got, key);
      if (found !== undefined) return found;
      continue;
    }
    for (const member of new Set([...keysOf(sent), ...keysOf(got)])) {
      const [before, after] = [valueOf(sent, member), valueOf(got, member)];
      const found = difference(before, after, `${key}.${member}`);
      if (found === undefined) continue;
      const parameter = operation.parameters.find((each) => each.name === member && placeOf(each) === key);
      // The value of a field has been checked with its whole body.
      const fits = key === "body" || (parameter && checker.matches(parameter.schema, after as Json));
      if (fits && sameText(before, after)) places.push(found);
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

function replyProblem(planned: ReplyPlan | undefined, outcome: Outcome): string | undefined {
  if (!planned) return undefined;
  const { reply, mediaType, arriving } = planned;
  if (outcome.refused !== undefined) return `the answer ${short(reply)} failed: ${outcome.refused}`;
  const place = `response ${reply.status}`;
  if (reply.status < 300) {
    if (!outcome.result) return `${place} was thrown: ${messageOf(outcome.thrown)}`;
    const { response, ...result } = outcome.result;
    const headers = reply.headers ?? {};
    const got = Object.entries(Object(result.headers)).filter(([name]) => !NOT_OURS.has(name.toLowerCase()));
    result.headers = Object.fromEntries(got);
    return (
      difference({ ...withoutType(reply), headers, body: arriving }, withoutType(result), place) ??
      typeProblem(place, mediaType, response)
    );
  }
  const { thrown } = outcome;
  if (!(thrown instanceof Error) || thrown.name !== "ApiError")
    return `${place} was not thrown: ${messageOf(thrown)}`;
  // The cast: an ApiError has these.
  const { status, body, headers, response } = thrown as Error &
    Record<"status" | "body", unknown> & { headers: Headers; response: unknown };
  return (
    difference(reply.status, status, `${place}: status`) ??
    difference(errorBody(arriving, mediaType), body, `${place}: body`) ??
    Object.keys(reply.headers ?? {})
      .filter((name) => headers.get(name) === null)
      .map((name) => `${place}: the header ${name} is not there`)[0] ??
    typeProblem(place, mediaType, response)
  );
}

function withoutType(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "contentType"));
}

/** The body of a failure is parsed as JSON where it is that, whatever its type says, and text otherwise. */
function errorBody(body: unknown, mediaType = ""): unknown {
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

function typeProblem(place: string, mediaType: string | undefined, response: unknown): string | undefined {
  if (mediaType === undefined || mediaType.includes("*") || !(response instanceof Response)) return undefined;
  const essence = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();
  return difference(
    essence(mediaType),
    essence(response.headers.get("content-type") ?? ""),
    `${place}: Content-Type`,
  );
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
