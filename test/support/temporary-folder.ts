import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder outside of the project, which is removed after the test. Its path contains no links. */
export function createTemporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "page-service-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
