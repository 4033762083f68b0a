import {
  binaryTag,
  constructFromEvents,
  CORE_SCHEMA,
  type Event,
  EVENT_ID,
  mergeTag,
  omapTag,
  pairsTag,
  SCALAR_STYLE,
  setTag,
  YAMLException,
} from "js-yaml";
import type { SourceText } from "./source-text.js";

/** YAML 1.2 with merge keys. Values with the other tags are parsed so that inspection reports them. Dates are text. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag, binaryTag, omapTag, pairsTag, setTag);

/** Parses a YAML file, or a JSON file that `JSON.parse` refuses; undefined without a document. Throws a YAMLException. */
export function parseYaml(source: SourceText): unknown {
  const { body, absoluteRef } = source;
  const throwAt = (offset: number | undefined, reason: string): void => {
    if (offset !== undefined) YAMLException.throwAt(body, offset, reason, absoluteRef);
  };
  // First, because a comment can also be the cause of a syntax error.
  if (absoluteRef.endsWith(".json")) throwAt(findComment(body), "JSON has no comments");
  const { events } = source;
  throwAt(findSecondDocument(body, events), "expected a single document in the stream, but found more");
  return constructFromEvents(quoteKeys(source), {
    source: body,
    filename: absoluteRef,
    schema: SCHEMA,
  })[0];
}

/** Returns the offset of the first comment in JSON. A string without an end extends to the end, so that no quote is tried twice. */
function findComment(text: string): number | undefined {
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|'[^'\n]*'|\/[/*]/gs;
  for (const { 0: token, index } of text.matchAll(tokens)) if (token.startsWith("/")) return index;
  return undefined;
}

/** Returns the offset of a second document with content: of the `---` before it, if it has one. */
function findSecondDocument(text: string, events: readonly Event[]): number | undefined {
  const second = events.findIndex(({ type }, index) => index > 0 && type === EVENT_ID.DOCUMENT);
  let hasSeparator = false;
  for (const event of second === -1 ? [] : events.slice(second)) {
    if (event.type === EVENT_ID.DOCUMENT) hasSeparator = event.explicitStart;
    const isCollection = event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE;
    // A document without content is an empty scalar, which has no offset.
    const start = isCollection ? event.start : event.type === EVENT_ID.SCALAR ? event.valueStart : -1;
    if (start !== -1) return hasSeparator ? text.lastIndexOf("\n---", start) + 1 : start;
  }
  return undefined;
}

/** Beginnings of numbers, and the booleans and null. */
const NO_TEXT = /^(?:[-+.\d]|(?:true|false|null|~)$)/i;

/** Returns the events with all keys as text, as OpenAPI requires ("Format"), by quoting them: `1.10` is not the number 1.1. */
function quoteKeys({ events, body, absoluteRef }: SourceText): Event[] {
  const quoted = [...events];
  for (const index of listKeys(events)) {
    const event = events[index];
    if (event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE)
      YAMLException.throwAt(body, event.start, "complex keys are not supported", absoluteRef);
    // Only a text without line breaks, which is `fast`, reads the same between quotes.
    if (event?.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN || !event.fast) continue;
    if (NO_TEXT.test(body.slice(event.valueStart, event.valueEnd)))
      quoted[index] = { ...event, style: SCALAR_STYLE.SINGLE_QUOTED };
  }
  return quoted;
}

/** Yields the indexes of the events that are keys, or begin one. */
function* listKeys(events: readonly Event[]): Generator<number> {
  const open: { isMapping: boolean; count: number }[] = [];
  for (const [index, event] of events.entries()) {
    const isCollection = event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE;
    const parent = open.at(-1);
    if (parent?.isMapping && parent.count % 2 === 0 && event.type !== EVENT_ID.POP) yield index;
    if (parent && event.type !== EVENT_ID.POP) parent.count += 1;
    if (event.type === EVENT_ID.POP) open.pop();
    else if (isCollection || event.type === EVENT_ID.DOCUMENT)
      open.push({ isMapping: event.type === EVENT_ID.MAPPING, count: 0 });
  }
}
