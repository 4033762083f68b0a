import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** File that collects a line for every operation × status that a test has seen. */
    seenResponses: string;
  }
}

/** Creates the file of seen responses, which run-reporter.ts reads at the end of the run. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "page-service-seen-"));
  project.provide("seenResponses", path.join(folder, "seen"));
  return () => rmSync(folder, { recursive: true });
}
