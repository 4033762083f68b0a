import { DeleteQueryNode, type CompiledQuery } from "kysely";
import { isRead } from "./dialect.js";

/** Bytes on disk per byte of a parameter. A row takes up to three times as much as its values, because of its indexes. */
const DISK_BYTES_PER_BYTE = 3;
/** Bytes of a number, or of the header of another value. */
const BYTES_PER_VALUE = 16;

/** Computes an upper bound of the bytes on disk that a statement adds. */
export function estimateGrowthBytes(statement: CompiledQuery): number {
  const { query, parameters } = statement;
  if (isRead(statement)) return 0;
  // More than 0, so that a workspace in which something was deleted is counted again.
  if (DeleteQueryNode.is(query)) return 1;
  let bytes = parameters.length * BYTES_PER_VALUE;
  for (const value of parameters) {
    if (typeof value === "string") bytes += Buffer.byteLength(value);
    else if (value instanceof Uint8Array) bytes += value.length;
  }
  return DISK_BYTES_PER_BYTE * bytes;
}

/** Tenant of writes to data of no single workspace. */
export const SERVICE_WIDE = "";

/** Bytes that this process has written to each workspace and that are not recorded in the database yet. */
export class WrittenBytes {
  #bytes = new Map<string, number>();

  /** Adds to the bytes of a workspace. Service-wide data does not count. */
  add(tenantId: string, bytes: number): void {
    if (tenantId !== SERVICE_WIDE && bytes > 0) this.#bytes.set(tenantId, this.get(tenantId) + bytes);
  }

  /** Returns the bytes of a workspace. */
  get(workspaceId: string): number {
    return this.#bytes.get(workspaceId) ?? 0;
  }

  /** Returns the bytes of all workspaces and starts anew. */
  takeAll(): ReadonlyMap<string, number> {
    const taken = this.#bytes;
    this.#bytes = new Map();
    return taken;
  }
}
