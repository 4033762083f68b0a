import type { components } from "../../../generated/types.js";
import { findRollupSource, findRollupDatabaseIds } from "../../domain/query/rollup.js";
import { getPublicId } from "../../domain/schema.js";
import { findDatabase, findRelatedDatabases } from "../../storage/databases.js";
import type { Scope } from "../scope.js";

type NumberFormat = components["schemas"]["NumberFormat"];

/**
 * Number formats by the id that the API returns for a property. A rollup of a number property has the format of that
 * property.
 */
export type NumberFormats = ReadonlyMap<string, NumberFormat>;

/** Reads the number formats of the properties of a database; empty when the database does not exist. */
export async function findNumberFormats(
  { db, workspaceId }: Scope,
  databaseId: string,
): Promise<NumberFormats> {
  const schema = (await findDatabase(db, workspaceId, databaseId))?.schema;
  if (schema === undefined) return new Map();
  const { definitions } = schema;
  const related = await findRelatedDatabases(db, workspaceId, findRollupDatabaseIds(definitions, schema));
  return new Map(
    definitions.flatMap((property) => {
      const formatted =
        property.type === "rollup" ? findRollupSource(property, schema, related)?.target : property;
      return formatted?.type === "number"
        ? [[encodeURIComponent(getPublicId(property)), formatted.format] as const]
        : [];
    }),
  );
}
