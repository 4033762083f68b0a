import { DomainError } from "../../domain/errors.js";
import { parseId } from "../../domain/ids.js";
import { isObject } from "../../domain/is-object.js";
import { describeBytes, STORAGE_LIMIT_BYTES } from "../../domain/plans.js";
import { readObjectBytes } from "../../storage/row-sizes.js";
import type { Store } from "../../storage/engine/store.js";
import type { WriteScope } from "../execution/scope.js";

/** The possible effect of a write on the stored bytes of its workspace. */
export interface StorageChange {
  /** False for a write that cannot increase the stored bytes. True by default. */
  readonly mayGrow?: boolean;
  /** Id of the only page or block that the write changes. Omit when it creates objects, or changes several ones. */
  readonly objectId?: string;
}

/**
 * Fraction of the limit by which the estimated use may exceed it. The estimate adds all bytes that were written since the last
 * count, even if they replace others, so a workspace that replaces much content would be refused without it.
 */
const ESTIMATE_TOLERANCE = 0.25;

/**
 * Runs a use case that writes. In a workspace beyond its limit, throws a DomainError (restricted) if the use case stores more
 * bytes than before. Then the caller must roll back the transaction.
 */
export async function runWithinStorageLimit<T>(
  scope: WriteScope,
  store: Store,
  { mayGrow = true, objectId }: StorageChange,
  runUseCase: (scope: WriteScope) => Promise<T>,
): Promise<T> {
  const { workspaceId, principal } = scope;
  const limit = STORAGE_LIMIT_BYTES[principal.plan];
  const { countedBytes, writtenBytes } = principal;
  const used = countedBytes + writtenBytes + store.writtenBytes.get(workspaceId);
  const isWithinLimit = countedBytes <= limit && used <= (1 + ESTIMATE_TOLERANCE) * limit;
  if (isWithinLimit || !mayGrow) return runUseCase(scope);
  const id = parseId(objectId ?? "");
  if (id !== undefined) {
    const before = await readObjectBytes(scope, id);
    const result = await runUseCase(scope);
    if ((await readObjectBytes(scope, id)) <= before) return result;
  }
  throw createStorageLimitError(scope, used);
}

/**
 * Throws a DomainError (restricted) when a workspace has no space for the bytes that running jobs have added since its last count. Of
 * other writes the estimate is several times too high, and one of a job that changes a large database would refuse it.
 */
export function checkSpaceForJobs(scope: Pick<WriteScope, "principal" | "urls">, addedBytes: number): void {
  const { plan, countedBytes } = scope.principal;
  const used = countedBytes + addedBytes;
  if (used > (1 + ESTIMATE_TOLERANCE) * STORAGE_LIMIT_BYTES[plan]) throw createStorageLimitError(scope, used);
}

function createStorageLimitError(
  { principal: { plan }, urls }: Pick<WriteScope, "principal" | "urls">,
  usedBytes: number,
): DomainError {
  return new DomainError(
    "restricted",
    `The workspace uses ${describeBytes(usedBytes)} of the ${describeBytes(STORAGE_LIMIT_BYTES[plan])} of storage of the plan ${plan}. ` +
      `Move pages to the trash and delete them permanently at ${urls.app}/trash, replace contents of pages and blocks with ` +
      "smaller ones, remove properties, or ask the operator of the service to change the plan.",
  );
}

const TRASH_FIELDS: readonly string[] = ["in_trash", "archived"];

/** Whether an update can increase the stored bytes. Moves to the trash and back, and removals of properties, cannot. */
export function canIncreaseStorage(input: object): boolean {
  return Object.entries(input).some(([field, value]) => {
    if (field === "properties" && isObject(value))
      return Object.values(value).some((property) => property !== null);
    return !TRASH_FIELDS.includes(field);
  });
}
