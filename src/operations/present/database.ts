import { MAX_ROLLUP_NAMES_LENGTH } from "../../budgets.js";
import type { Schemas } from "../../domain/api-schemas.js";
import type { Database } from "../../domain/database.js";
import {
  getEncodedPublicId,
  getPublicId,
  type DefinitionOf,
  type Option,
  type PropertyDefinition,
  type Schema,
} from "../../domain/schema.js";
import { getRollupDatabaseIds } from "../../domain/query/rollup-source.js";
import { findSchemaParts, type FoundSchemas } from "../../storage/databases/databases.js";
import { takeOnly } from "../../lists.js";
import type { Scope } from "../execution/scope.js";
import { resolveMentions } from "./mentions.js";
import { createObjectUrl, presentObject } from "./object.js";

export type DatabaseBody = Schemas["Database"];

/** The parts of a property of a related database that responses show. */
type RelatedProperty = Pick<PropertyDefinition, "id" | "publicId" | "name">;

/** Related properties by the id of the database, and by their id and public id. */
type RelatedProperties = FoundSchemas<ReadonlyMap<string, RelatedProperty>>;

/** Converts databases to response bodies, in the given order. Names of properties in related databases beyond a limit are empty. */
export async function presentDatabases(
  scope: Scope,
  databases: readonly Database[],
): Promise<DatabaseBody[]> {
  const related = await findRelatedProperties(
    scope,
    databases.map(({ schema }) => schema),
  );
  const bodies = databases.map((database) => toBody(scope, database, related));
  return resolveMentions(scope, bodies);
}

export async function presentDatabase(scope: Scope, database: Database): Promise<DatabaseBody> {
  return takeOnly(await presentDatabases(scope, [database]));
}

/** Reads the synced properties of two-way relations and the targets of rollups. */
function findRelatedProperties(scope: Scope, schemas: readonly Schema[]): Promise<RelatedProperties> {
  // One-way relations without rollups show nothing of the related database.
  const databaseIds = schemas.flatMap(({ definitions }) =>
    definitions.flatMap((each) =>
      each.type === "relation" && each.syncedPropertyId !== null ? each.databaseId : [],
    ),
  );
  const rollupDatabaseIds = schemas.flatMap((schema) => getRollupDatabaseIds(schema.definitions, schema));
  const propertyIds = new Set(schemas.flatMap(({ definitions }) => definitions.map(getRelatedPropertyId)));
  return findSchemaParts(scope, [...new Set([...databaseIds, ...rollupDatabaseIds])], ({ definitions }) => {
    const properties = new Map<string, RelatedProperty>();
    for (const { id, publicId, name } of definitions) {
      const property = { id, publicId, name };
      if (propertyIds.has(id)) properties.set(id, property);
      if (propertyIds.has(getPublicId(property))) properties.set(getPublicId(property), property);
    }
    return properties;
  });
}

/** Returns the id of the synced property of a relation, or the public id of the target of a rollup; otherwise null. */
function getRelatedPropertyId(definition: PropertyDefinition): string | null {
  if (definition.type === "relation") return definition.syncedPropertyId;
  return definition.type === "rollup" ? definition.propertyId : null;
}

function toBody({ urls }: Scope, database: Database, related: RelatedProperties): DatabaseBody {
  const { schema } = database;
  const limitName = createNameLimit();
  return {
    object: "database",
    ...presentObject(database),
    title: [...database.title],
    description: [...database.description],
    icon: database.icon,
    cover: database.cover,
    // Unlike an assignment, this does not set the prototype for a property with the name `__proto__`.
    properties: Object.fromEntries(
      schema.definitions.map((property) => [
        property.name,
        presentDefinition(property, schema, related, limitName),
      ]),
    ),
    url: createObjectUrl(urls, database.id),
    public_url: null,
    is_inline: database.isInline,
  };
}

type NameLimit = (name: string | undefined) => string;

/** Creates a function that returns names, and the empty string beyond MAX_ROLLUP_NAMES_LENGTH and for no name. */
function createNameLimit(): NameLimit {
  let lengthLeft = MAX_ROLLUP_NAMES_LENGTH;
  return (name = "") => {
    lengthLeft -= name.length;
    return lengthLeft < 0 ? "" : name;
  };
}

function presentDefinition(
  definition: PropertyDefinition,
  schema: Schema,
  related: RelatedProperties,
  limitName: NameLimit,
): Schemas["DatabaseProperty"] {
  const { name, description } = definition;
  const common = { id: getEncodedPublicId(definition), name, description };
  const { type } = definition;
  switch (type) {
    case "number":
      return { ...common, type, number: { format: definition.format } };
    case "select":
      return { ...common, type, select: { options: definition.options.map(presentOption) } };
    case "multi_select":
      return { ...common, type, multi_select: { options: definition.options.map(presentOption) } };
    case "status":
      return { ...common, type, status: presentStatus(definition) };
    case "relation":
      return { ...common, type, relation: presentRelation(definition, related) };
    case "rollup":
      return { ...common, type, rollup: presentRollup(definition, schema, related, limitName) };
    case "unique_id":
      return { ...common, type, unique_id: { prefix: definition.prefix } };
    default:
      // Safe cast: all other types have an empty configuration under their own name.
      return { ...common, type, [type]: {} } as Schemas["DatabaseProperty"];
  }
}

function presentOption({ id, name, color, description }: Option): Schemas["Option"] {
  return { id, name, color, description };
}

function presentStatus({ options, groups }: DefinitionOf<"status">): Schemas["StatusConfig"] {
  return {
    options: options.map(presentOption),
    groups: groups.map(({ id, name, color, optionIds }) => ({ id, name, color, option_ids: [...optionIds] })),
  };
}

function presentRelation(
  { databaseId, syncedPropertyId }: DefinitionOf<"relation">,
  { schemas, skippedIds }: RelatedProperties,
): Schemas["RelationConfig"] {
  const single = { database_id: databaseId, type: "single_property", single_property: {} } as const;
  if (syncedPropertyId === null) return single;
  // The relation stores the id of the other property, but its name is only in the schema, which can be too large to be read.
  const synced = skippedIds.has(databaseId)
    ? { id: syncedPropertyId, name: "" }
    : schemas.get(databaseId)?.get(syncedPropertyId);
  if (synced === undefined) return single;
  return {
    database_id: databaseId,
    type: "dual_property",
    dual_property: {
      synced_property_id: getEncodedPublicId(synced),
      synced_property_name: synced.name,
    },
  };
}

function presentRollup(
  { relationId, propertyId, function: name }: DefinitionOf<"rollup">,
  schema: Schema,
  { schemas }: RelatedProperties,
  limitName: NameLimit,
): Schemas["RollupConfig"] {
  const relation = schema.byPublicId.get(relationId);
  const target =
    relation?.type === "relation" ? schemas.get(relation.databaseId)?.get(propertyId) : undefined;
  return {
    relation_property_id: encodeURIComponent(relationId),
    // A name is empty if its property was removed, if the related schemas together were too large to read this one, or beyond the limit.
    relation_property_name: limitName(relation?.name),
    rollup_property_id: encodeURIComponent(propertyId),
    rollup_property_name: limitName(target?.name),
    function: name,
  };
}
