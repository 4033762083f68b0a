import { runInProcess } from "../service/run-in-process.js";
import { isPostgresUrl } from "../../src/storage/engine/location.js";
import path from "node:path";

/** Whether `npm run torture` runs the long tests. */
const isLong = process.env.TORTURE === "1";

/** Returns the first number in `npm test`, and the second in `npm run torture`. */
export function chooseLength(short: number, long: number): number {
  return isLong ? long : short;
}

/** Converts the result of `newLocation` to the location that the command uses: a fixed file name in the folder. */
export function toCommandLocation(location: string): string {
  return isPostgresUrl(location) ? location : path.join(path.dirname(location), "page-service.db");
}

/** Creates a workspace without a rate limit, with a key and a database. */
export async function createKey(env: Record<string, string>): Promise<{ key: string; databaseId: string }> {
  const args = ["keys", "create", "--workspace", "Load", "--plan", "enterprise", "--json"];
  const made = await runInProcess(args, env);
  if (made.code !== 0) throw new Error(made.stderr);
  const { key, root_database_id: databaseId } = JSON.parse(made.stdout);
  return { key, databaseId };
}

/** Returns the smallest value that is not exceeded by a share of the values. */
export function getPercentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
