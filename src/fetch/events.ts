import { getEssence } from "../http/media-types.js";
import type { CreateError } from "./errors.js";
import { parseJson } from "./read-body.js";
import { splitLines } from "./lines.js";
import type { CallOptions, ReadBody } from "./operation.js";

const EVENT_STREAM = "text/event-stream";

/**
 * Creates the reader of an event stream (HTML standard, section 9.2.6). Unlike those of EventSource, events have only the
 * fields that were sent with them, and a lost connection is not opened again. Leaving the `for await` loop or aborting the
 * call closes the connection. JSON data ends at `[DONE]`, which some servers send.
 *
 * @param id `number` converts integers in the field `id` to numbers; `text` leaves every id as text
 */
export function readEvents(data: "json" | "text", id: "number" | "text" = "text"): ReadBody {
  return async (response, options, createError) => {
    const type = getEssence(response.headers.get("Content-Type") ?? EVENT_STREAM);
    // Any other text would be a stream without events.
    if (type !== EVENT_STREAM)
      throw createError(await response.text(), `the body is ${type}, not ${EVENT_STREAM}`);
    return { body: parseEvents(response, { data, id }, options, createError) };
  };
}

async function* parseEvents(
  response: Response,
  formats: { data: "json" | "text"; id: "number" | "text" },
  options: CallOptions,
  createError: CreateError,
): AsyncGenerator<Record<string, unknown>> {
  let event: Record<string, unknown> = {};
  let data: string | undefined;
  for await (const line of splitLines(response, /\r\n|\n|\r/, options)) {
    if (line === "") {
      if (data !== undefined) {
        if (formats.data === "json" && data === "[DONE]") return;
        yield { data: formats.data === "json" ? parseJson(data, createError) : data, ...event };
      }
      event = {};
      data = undefined;
      continue;
    }
    const [field, value] = splitField(line);
    if (field === "data") data = data === undefined ? value : `${data}\n${value}`;
    else if (field === "event" && value === "") delete event["event"];
    else if (field === "event") event["event"] = value;
    else if (field === "id" && !value.includes("\0"))
      event["id"] = formats.id === "number" && /^-?[0-9]+$/.test(value) ? Number(value) : value;
    else if (field === "retry" && /^[0-9]+$/.test(value)) event["retry"] = Number(value);
  }
}

function splitField(line: string): [field: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [line.slice(0, colon), line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1)];
}
