import { readConfig } from "../config.js";
import { openStore, type Store } from "../storage/engine/store.js";

/** Opens the configured database, runs `work` with it, and closes it. */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(readConfig(process.env).database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
