import type { Schemas } from "../../domain/api-schemas.js";
import { getEncodedPublicId, type Schema } from "../../domain/schema.js";
import { loadRollupSources } from "../present/rollup-sources.js";
import type { Scope } from "../execution/scope.js";

type NumberFormat = Schemas["NumberFormat"];

/** Number formats by the id of the property in responses. A rollup of a number property has the format of that property. */
export type NumberFormats = ReadonlyMap<string, NumberFormat>;

/** Reads the number formats of the properties of a schema. */
export async function loadNumberFormats(scope: Scope, schema: Schema): Promise<NumberFormats> {
  const { definitions } = schema;
  const { byRollupId } = await loadRollupSources(scope, schema, definitions);
  return new Map(
    definitions.flatMap((property) => {
      const source = byRollupId.get(property.id)?.target ?? property;
      return source.type === "number" ? [[getEncodedPublicId(property), source.format] as const] : [];
    }),
  );
}
