import { readFileSync } from "node:fs";

/** Reads the version of this package from its package.json. */
export function readPackageVersion(): string {
  const isCompiled = !import.meta.url.endsWith(".ts");
  // The compiled file is in dist/src/cli, one folder deeper than its source in src/cli.
  const packageFile = isCompiled ? "../../../package.json" : "../../package.json";
  const text = readFileSync(new URL(packageFile, import.meta.url), "utf8");
  // Safe cast: every package.json has a version.
  return (JSON.parse(text) as { version: string }).version;
}
