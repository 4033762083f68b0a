import { TABLE_METADATA, type TableMetadata } from "../tables.js";

export interface TransferTable {
  readonly name: string;
  /** Primary key, which orders the rows of a file. */
  readonly primaryKey: readonly string[];
  /** Whether each row belongs to a workspace. */
  readonly belongsToWorkspace: boolean;
}

/** Tables that are exported, in this order. A test compares them with a real database. */
export const TRANSFER_TABLES: readonly TransferTable[] = Object.entries<TableMetadata>(TABLE_METADATA)
  .filter(([, { isExported }]) => isExported !== false)
  .map(([name, { primaryKey }]) => ({
    name,
    primaryKey,
    belongsToWorkspace: primaryKey[0] === "workspace_id",
  }));
