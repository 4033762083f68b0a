import { writeFileSync } from "node:fs";

/** A response of the service that the bare server repeats. */
export interface RecordedAnswer {
  headers: Record<string, string>;
  body: string;
}

/** Headers that node:http adds by itself, to the responses of either server. */
const ADDED = new Set(["date", "connection", "keep-alive"]);

/** Sends a request once and writes the response to `file`. */
export async function recordAnswer(
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
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
  const answer: RecordedAnswer = {
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ADDED.has(name))),
    body: await response.text(),
  };
  writeFileSync(file, JSON.stringify(answer));
}
