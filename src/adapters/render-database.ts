import type { components } from "../../generated/types.js";
import type { Database } from "../domain/database.js";
import type { Parent } from "../domain/object.js";
import type { RelatedDatabase } from "../domain/properties/schema-config.js";
import type { DefinitionOf, Option, PropertyDefinition, Schema } from "../domain/schema.js";

type Schemas = components["schemas"];

/** The databases that relations lead to, by id. */
export type RelatedDatabases = ReadonlyMap<string, RelatedDatabase>;

/** The ids of the databases that have to be known for a database to be shown. */
export function relatedTo(schema: Schema): string[] {
  return [
    ...new Set(
      schema.definitions.flatMap((definition) =>
        definition.type === "relation" ? [definition.databaseId] : [],
      ),
    ),
  ];
}

/**
 * Makes what responses show of a database.
 *
 * @param related Those of relatedTo that there are.
 * @param appUrl Address of the web application, which the addresses of databases begin with.
 */
export function renderDatabase(
  database: Database,
  related: RelatedDatabases,
  appUrl: string,
): Schemas["Database"] {
  return {
    object: "database",
    id: database.id,
    created_time: new Date(database.createdTime).toISOString(),
    last_edited_time: new Date(database.lastEditedTime).toISOString(),
    created_by: { object: "user", id: database.createdBy },
    last_edited_by: { object: "user", id: database.lastEditedBy },
    title: [...database.title],
    description: [...database.description],
    icon: database.icon,
    cover: database.cover,
    properties: renderSchema(database.schema, related),
    parent: renderParent(database.parent),
    url: `${appUrl}/${database.id.replaceAll("-", "")}`,
    public_url: null,
    is_inline: database.isInline,
    archived: database.inTrash,
    in_trash: database.inTrash,
  };
}

/** Makes what responses show of what an object is in. */
export function renderParent(parent: Parent): Schemas["Parent"] {
  switch (parent.type) {
    case "workspace":
      return { type: "workspace", workspace: true };
    case "database_id":
      return { type: "database_id", database_id: parent.id };
    case "page_id":
      return { type: "page_id", page_id: parent.id };
    case "block_id":
      return { type: "block_id", block_id: parent.id };
  }
}

function renderSchema(
  schema: Schema,
  related: RelatedDatabases,
): Record<string, Schemas["DatabaseProperty"]> {
  const result: Record<string, Schemas["DatabaseProperty"]> = {};
  for (const definition of schema.definitions) {
    // Not assigned: a property can be called `__proto__`.
    Object.defineProperty(result, definition.name, {
      value: renderProperty(definition, schema, related),
      enumerable: true,
    });
  }
  return result;
}

function renderProperty(
  definition: PropertyDefinition,
  schema: Schema,
  related: RelatedDatabases,
): Schemas["DatabaseProperty"] {
  const { name, description } = definition;
  const common = { id: shownId(definition.id), name, description };
  const { type } = definition;
  switch (type) {
    case "number":
      // The cast: the document's formats are the only ones that a request can bring.
      return { ...common, type, number: { format: definition.format as Schemas["NumberFormat"] } };
    case "select":
      return { ...common, type, select: { options: definition.options.map(renderOption) } };
    case "multi_select":
      return { ...common, type, multi_select: { options: definition.options.map(renderOption) } };
    case "status":
      return { ...common, type, status: renderStatus(definition) };
    case "relation":
      return { ...common, type, relation: renderRelation(definition, related) };
    case "rollup":
      return { ...common, type, rollup: renderRollup(definition, schema, related) };
    case "unique_id":
      return { ...common, type, unique_id: { prefix: definition.prefix } };
    default:
      // The cast: the types that are left have an empty configuration, each under its own name.
      return { ...common, type, [type]: {} } as Schemas["DatabaseProperty"];
  }
}

function renderOption({ id, name, color, description }: Option): Schemas["Option"] {
  return { id, name, color, description };
}

function renderStatus({ options, groups }: DefinitionOf<"status">): Schemas["StatusConfig"] {
  return {
    options: options.map(renderOption),
    groups: groups.map(({ id, name, color, optionIds }) => ({ id, name, color, option_ids: [...optionIds] })),
  };
}

function renderRelation(
  { databaseId, twin }: DefinitionOf<"relation">,
  related: RelatedDatabases,
): Schemas["RelationConfig"] {
  const synced = twin && related.get(databaseId)?.schema.byId.get(twin.propertyId);
  if (!synced) return { database_id: databaseId, type: "single_property", single_property: {} };
  return {
    database_id: databaseId,
    type: "dual_property",
    dual_property: { synced_property_id: shownId(synced.id), synced_property_name: synced.name },
  };
}

function renderRollup(
  { relationId, propertyId, function: name }: DefinitionOf<"rollup">,
  schema: Schema,
  related: RelatedDatabases,
): Schemas["RollupConfig"] {
  const relation = schema.byId.get(relationId);
  const target =
    relation?.type === "relation" ? related.get(relation.databaseId)?.schema.byId.get(propertyId) : undefined;
  return {
    relation_property_id: shownId(relationId),
    // Both can have been removed since; the rollup is empty then.
    relation_property_name: relation?.name ?? "",
    rollup_property_id: shownId(propertyId),
    rollup_property_name: target?.name ?? "",
    function: name,
  };
}

/** Ids go into the path of a request as they are shown. */
function shownId(id: string): string {
  return encodeURIComponent(id);
}
