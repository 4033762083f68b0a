import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { toServerProcess, type ServerProcess, START_ARGUMENTS, startNode, waitUntilOk } from "../child.js";
import { findFreePort } from "../../support/ports.js";

/**
 * Starts `page-service serve` of the built code; resolves when it listens.
 *
 * @param folder for its database, unless `env` has a DATABASE_URL, and for its log
 */
export async function startService(folder: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const output = openSync(path.join(folder, "service.log"), "a");
  const child = startNode(START_ARGUMENTS, { PORT: String(port), DATA_DIR: folder, ...env }, output);
  closeSync(output);
  await waitUntilOk(child, `${url}/readyz`, {});
  return toServerProcess(child, url);
}
