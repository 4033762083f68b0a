import { readConfig } from "../config.js";
import { openStore, type Store } from "../storage/store.js";

/** Opens the database that the environment names, does something with it, and closes it. */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(readConfig(process.env).database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
