import type { Principal } from "../../access/authenticate.js";
import { DomainError } from "../../domain/errors.js";
import { isObject } from "../../domain/is-object.js";
import { describeBytes, STORAGE_LIMIT_BYTES } from "../../domain/limits.js";
import type { Store } from "../../storage/engine/store.js";

/** Fields of a body that move an object to the trash or back. */
const TRASH_FIELDS: readonly string[] = ["in_trash", "archived"];

/**
 * Whether a write can increase what its workspace stores. Moves to the trash and back and removals of properties cannot.
 *
 * @param body a valid body of the operation; undefined without one
 */
export function canGrow(method: string | undefined, body: unknown): boolean {
  if (method === "DELETE") return false;
  return Object.entries(body ?? {}).some(([field, value]) => {
    if (field === "properties" && isObject(value)) return Object.values(value).some((each) => each !== null);
    return !TRASH_FIELDS.includes(field);
  });
}

/** @throws DomainError (restricted) when a workspace stores more than its plan allows */
export function requireStorage({ plan, workspaceId, storedBytes }: Principal, store: Store): void {
  const limit = STORAGE_LIMIT_BYTES[plan];
  const used = storedBytes + store.writtenBytes.get(workspaceId);
  if (used <= limit) return;
  throw new DomainError(
    "restricted",
    `The workspace uses ${describeBytes(used)} of the ${describeBytes(limit)} of storage of the plan ${plan}. ` +
      "Remove properties of databases, or ask the operator of the service to change the plan.",
  );
}
