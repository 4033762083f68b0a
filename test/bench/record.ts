import { writeFileSync } from "node:fs";

/** A response of the service that the bare server repeats. */
export interface RecordedResponse {
  headers: Record<string, string>;
  body: string;
}

/** Headers that node:http adds to the responses of both servers. */
const ADDED = new Set(["date", "connection", "keep-alive"]);

/** Sends a request once and writes the response to `file`. */
export async function recordResponse(
  url: string,
  headers: Record<string, string>,
  file: string,
  { method = "GET", body }: { method?: string; body?: unknown } = {},
): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(`${url} responded with ${response.status}.`);
  const recorded: RecordedResponse = {
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ADDED.has(name))),
    body: await response.text(),
  };
  writeFileSync(file, JSON.stringify(recorded));
}
