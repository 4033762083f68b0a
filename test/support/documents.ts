import { existsSync } from "node:fs";
import path from "node:path";
import { PROJECT } from "./api-document.js";

/** Where real documents are, on a machine that has them. */
export const SPECS = path.join(PROJECT, "../shared/specs");

/** What LARGE_DOCUMENTS must be for a test: "1", as in CI, for what all others build on, or "all". */
export type Needs = "1" | "all";

/** Why a document is not tried; undefined when it is. */
export function leftOut(file: string, needs?: Needs): string | undefined {
  if (!existsSync(file)) return "it is not beside the project";
  const { LARGE_DOCUMENTS: wanted } = process.env;
  if (needs === undefined || wanted === "all" || wanted === needs) return undefined;
  return `LARGE_DOCUMENTS is not ${needs}`;
}
