import { readFileSync } from "node:fs";
import { locatePackageFile } from "../package-file.js";

/** Reads the version of this package from its package.json. */
export function readPackageVersion(): string {
  const text = readFileSync(locatePackageFile("package.json"), "utf8");
  // Safe cast: every package.json has a version.
  return (JSON.parse(text) as { version: string }).version;
}
