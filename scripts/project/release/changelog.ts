/** The newest entry of a changelog. */
export interface ChangelogEntry {
  version: string;
  /** Line of its heading, counted from 1. */
  line: number;
  /** `unreleased`, or the day on which it was released. */
  date: string;
  /** Whether it has no list items. */
  isEmpty: boolean;
}

const HEADING = /^## \[([^\]\n]*)\] - (.*)$/m;

/** Reads the newest entry: the first heading `## [VERSION] - DATE` and its text; undefined without such a heading. */
export function findNewestEntry(text: string): ChangelogEntry | undefined {
  const match = HEADING.exec(text);
  if (!match) return undefined;
  const [heading, version = "", date = ""] = match;
  const [body = ""] = text.slice(match.index + heading.length).split(/^## /m);
  const line = text.slice(0, match.index).split("\n").length;
  return { version, line, date: date.trim(), isEmpty: !/^[-*] \S/m.test(body) };
}

/** Returns the changelog with a date in the heading of its newest entry. */
export function setReleaseDate(text: string, date: string): string {
  return text.replace(HEADING, (_, version: string) => `## [${version}] - ${date}`);
}
