import { writeFileSync } from "node:fs";

/** An answer of the service that the bare server repeats. */
export interface RecordedAnswer {
  headers: Record<string, string>;
  body: string;
}

/** What node:http adds by itself, to either server's answers. */
const ADDED = new Set(["date", "connection", "keep-alive"]);

/** Asks once and writes the answer down in `file`. */
export async function recordAnswer(
  url: string,
  headers: Record<string, string>,
  file: string,
): Promise<RecordedAnswer> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
  const answer: RecordedAnswer = {
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ADDED.has(name))),
    body: await response.text(),
  };
  writeFileSync(file, JSON.stringify(answer));
  return answer;
}
