import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { ApiDocument } from "./api-document.js";
import { createResponseChecker } from "./check-response.js";

declare module "vitest" {
  interface ProvidedContext {
    /** File that collects a line for every operation × status that a test has seen. */
    seenResponses: string;
  }
}

/** Gives the run a file for the responses that were seen; prints at its end which never were. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "page-service-seen-"));
  const file = path.join(folder, "seen");
  project.provide("seenResponses", file);
  return () => {
    const seen = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    rmSync(folder, { recursive: true });
    console.log(coverageReport(createResponseChecker(ApiDocument.committed()).declared, seen));
  };
}

/** How many operation × status pairs were seen, and the list of those that were not. */
export function coverageReport(declared: readonly string[], seen: readonly string[]): string {
  const never = declared.filter((pair) => !seen.includes(pair));
  return [
    "",
    `Responses checked against the document: ${declared.length - never.length} of ${declared.length} operation × status pairs seen.`,
    never.length === 0
      ? "None was never seen."
      : ["Never seen:", ...never.map((pair) => `  ${pair}`)].join("\n"),
    "",
  ].join("\n");
}
