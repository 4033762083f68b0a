import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Random, takeSeed } from "../../support/random.js";
import { createClientFor } from "./bodies-server.js";
import { useWorkspace } from "./workspace.js";

const DOCUMENT = fileURLToPath(new URL("../../fixtures/generate/bodies.yaml", import.meta.url));
const STREAMS = 400;

interface Event {
  data: string;
  event?: string;
  id?: string;
  retry?: number;
}

const workspace = useWorkspace({ file: DOCUMENT });

/** Generates a line of text that is difficult to parse; `\uFEFF` is a BOM only at the start of the stream. */
function randomText(random: Random, most: number): string {
  const pieces = [
    "a",
    "data",
    ":",
    " ",
    "  ",
    "\t",
    "ü",
    "€",
    "😀",
    "\u2028",
    "\u0085",
    "\uFEFF",
    "{}",
    '"',
    "0",
  ];
  return Array.from({ length: random.below(most + 1) }, () => random.pick(pieces)).join("");
}

function randomEvent(random: Random): Event {
  const lines = Array.from({ length: 1 + random.below(3) }, () => randomText(random, 6));
  return {
    data: lines.join("\n"),
    ...(random.below(3) === 0 ? { event: `e${randomText(random, 3)}` } : {}),
    ...(random.below(3) === 0 ? { id: randomText(random, 3) } : {}),
    ...(random.below(3) === 0 ? { retry: random.below(100_000) } : {}),
  };
}

/** Writes the lines of an event: its fields in any order, with ignored lines between them. */
function writeLines({ data, event, id, retry }: Event, random: Random): string[] {
  const field = (name: string, value: string): string => {
    if (value === "" && random.below(2) === 0) return name;
    return `${name}:${value.startsWith(" ") || random.below(2) === 0 ? " " : ""}${value}`;
  };
  const lines = data.split("\n").map((line) => field("data", line));
  const others = [
    ...(event === undefined ? [] : [field("event", event)]),
    ...(id === undefined ? [] : [field("id", id)]),
    ...(retry === undefined ? [] : [field("retry", String(retry))]),
    ...(random.below(3) === 0 ? [`:${randomText(random, 4)}`] : []),
    ...(random.below(4) === 0
      ? [random.pick(["Data: x", "foo: y", " data: z", "retry: 1s", "id: a\0"])]
      : []),
  ];
  for (const line of others) lines.splice(random.below(lines.length + 1), 0, line);
  return [...lines, ""];
}

/** Joins lines with random line ends. A line feed never follows a carriage return that ends the previous line. */
function joinLines(lines: string[], random: Random): string {
  let text = "";
  for (const line of lines) {
    const ends = line === "" && text.endsWith("\r") ? ["\r", "\r\n"] : ["\r", "\n", "\r\n"];
    text += line + random.pick(ends);
  }
  return text;
}

/** Splits bytes at random positions, including inside characters and CRLF. */
function splitRandomly(bytes: Uint8Array, random: Random): Uint8Array[] {
  const most = random.pick([1, 2, 5, 40]);
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    // Empty pieces are allowed.
    const end = start + random.below(most + 1);
    pieces.push(bytes.slice(start, end));
    start = end;
  }
  return pieces;
}

test(`the client reads ${STREAMS} random event streams in any notation and any pieces`, async () => {
  const seed = takeSeed();
  let pieces: Uint8Array[] = [];
  // Calls the client without a network, which would merge the pieces.
  const respond = async (): Promise<Response> => {
    const source = pieces.values();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { value, done } = source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
  const client = await createClientFor(workspace, "http://localhost", respond);
  for (let index = 0; index < STREAMS; index += 1) {
    const random = new Random(`${seed} ${index}`);
    const events = Array.from({ length: random.below(5) }, () => randomEvent(random));
    const mark = random.below(4) === 0 ? "\uFEFF" : "";
    const text =
      mark +
      joinLines(
        events.flatMap((event) => writeLines(event, random)),
        random,
      );
    // An unfinished event is ignored.
    const rest = random.below(3) === 0 ? "data: cut" : "";
    pieces = splitRandomly(new TextEncoder().encode(text + rest), random);
    const found: unknown[] = [];
    // The cast: the operation returns an event stream.
    const body = (await client["listen"]?.({}))?.["body"] as AsyncIterable<unknown>;
    for await (const event of body) found.push(event);
    expect(found, `stream ${index} of SEED=${seed}: ${JSON.stringify(text)}`).toEqual(events);
  }
});
