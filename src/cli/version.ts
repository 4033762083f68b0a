import { readFileSync } from "node:fs";

/** Reads the version of this package. */
export function packageVersion(): string {
  const inSources = import.meta.url.endsWith(".ts");
  const text = readFileSync(new URL(`${inSources ? "" : "../"}../../package.json`, import.meta.url), "utf8");
  // The cast: every package.json has a version.
  return (JSON.parse(text) as { version: string }).version;
}
