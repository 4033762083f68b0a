import { belongsToWorkspace, TABLE_METADATA, TABLE_NAMES, type TableMetadata } from "../tables.js";

export interface TransferTable {
  readonly name: string;
  /** Primary key, which orders the rows of a file. */
  readonly primaryKey: readonly string[];
  /** Whether each row belongs to a workspace. */
  readonly belongsToWorkspace: boolean;
}

/** Tables that are exported, in this order. A test compares them with a real database. */
export const TRANSFER_TABLES: readonly TransferTable[] = TABLE_NAMES.flatMap((name) => {
  const { primaryKey, isExported }: TableMetadata = TABLE_METADATA[name];
  return isExported === false ? [] : [{ name, primaryKey, belongsToWorkspace: belongsToWorkspace(name) }];
});
