import { existsSync } from "node:fs";
import path from "node:path";
import { PROJECT } from "./api-document.js";

/** Folder of published documents, which may be missing. */
export const SPECS = path.join(PROJECT, "../shared/specs");

/** Value of LARGE_DOCUMENTS that a test requires: "1", as in CI, or "all". */
export type Needs = "1" | "all";

/** Returns the reason why a document is skipped; undefined if it is tested. */
export function findSkipReason(file: string, needs?: Needs): string | undefined {
  if (!existsSync(file)) return "the file does not exist";
  const { LARGE_DOCUMENTS: wanted } = process.env;
  if (needs === undefined || wanted === "all" || wanted === needs) return undefined;
  return `LARGE_DOCUMENTS is not ${needs}`;
}
