/** The newest entry of a changelog. */
export interface Entry {
  version: string;
  /** Line of its heading, counted from 1. */
  line: number;
  /** `unreleased`, or the day on which it was released. */
  date: string;
  /** Whether anything is said in it. */
  empty: boolean;
}

const HEADING = /^## \[([^\]\n]*)\] - (.*)$/m;

/** Reads the first heading of the form `## [VERSION] - DATE` and what is below it; undefined where there is none. */
export function newestEntry(text: string): Entry | undefined {
  const found = HEADING.exec(text);
  if (!found) return undefined;
  const [heading, version = "", date = ""] = found;
  const [said = ""] = text.slice(found.index + heading.length).split(/^## /m);
  const line = text.slice(0, found.index).split("\n").length;
  return { version, line, date: date.trim(), empty: !/^[-*] \S/m.test(said) };
}

/** The changelog with a date in the heading of its newest entry. */
export function withDate(text: string, date: string): string {
  return text.replace(HEADING, (_, version: string) => `## [${version}] - ${date}`);
}
