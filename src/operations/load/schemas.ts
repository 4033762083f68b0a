import { findSchemas, type FoundSchemas } from "../../storage/databases.js";
import type { StorageScope } from "../../storage/tables.js";
import { awaitEventLoopTurn } from "../event-loop-turns.js";
import type { WriteScope } from "../scope.js";

/** Reads the schemas of databases, see findSchemas. A read reads many of them in several turns of the event loop. */
export async function loadSchemas(
  scope: StorageScope | WriteScope,
  ids: readonly string[],
): Promise<FoundSchemas> {
  // Other writes wait for a transaction, so it does not wait for turns.
  if ("edit" in scope) return findSchemas(scope, ids);
  return findSchemas(scope, ids, () => awaitEventLoopTurn(scope.workspaceId));
}
