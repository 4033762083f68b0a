import { run } from "../service/command.js";
import { isPostgresUrl } from "../../src/storage/engine/postgres-store.js";
import path from "node:path";

/** Whether the long tests were asked for: `npm run torture`. */
const isLong = process.env.TORTURE === "1";

/** Returns the number of repetitions in `npm test` or in `npm run torture`. */
export function times(short: number, long: number): number {
  return isLong ? long : short;
}

/** The environment in which the command uses a database. */
export function environmentFor(location: string): Record<string, string> {
  return isPostgresUrl(location) ? { DATABASE_URL: location } : { DATA_DIR: path.dirname(location) };
}

/** The location for `newLocation` of a SQLite store, where the command keeps its file in that folder. */
export function commandLocation(location: string): string {
  return isPostgresUrl(location) ? location : path.join(path.dirname(location), "page-service.db");
}

/** Makes a workspace without a limit, with a key and a database. */
export async function makeKey(env: Record<string, string>): Promise<{ key: string; databaseId: string }> {
  const made = await run(["keys", "create", "--workspace", "Load", "--plan", "enterprise", "--json"], env);
  if (made.code !== 0) throw new Error(made.stderr);
  const { key, root_database_id: databaseId } = JSON.parse(made.stdout);
  return { key, databaseId };
}

/** The value that a share of the others does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
