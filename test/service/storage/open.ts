import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type Store } from "../../../src/storage/engine/store.js";

/** Creates the path of a database in a new folder, which is removed after the test. */
export function createTemporaryPath(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "page-service-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, "test.db");
}

/** Opens a store, which is closed after the test. */
export async function openTestStore(location = createTemporaryPath()): Promise<Store> {
  const store = await openStore(location);
  onTestFinished(() => store.close());
  return store;
}
