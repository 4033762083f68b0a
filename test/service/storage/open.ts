import path from "node:path";
import { onTestFinished } from "vitest";
import { openStore } from "../../../src/storage/engine/open-store.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

/** Creates the path of a database in a new folder, which is removed after the test. */
export function createTemporaryPath(): string {
  const folder = createTemporaryFolder();
  return path.join(folder, "test.db");
}

/** Opens a store, which is closed after the test. */
export async function openTestStore(location = createTemporaryPath()): Promise<Store> {
  const store = await openStore(location);
  onTestFinished(() => store.close());
  return store;
}
