import { createValidationError } from "../errors.js";
import { newPropertyId, parseId } from "../ids.js";
import {
  findProperty,
  type Option,
  type PropertyDefinition,
  type PropertyType,
  getPublicId,
  type Schema,
} from "../schema.js";
import { mergeOptions, createStatusConfig, refuseStatusChange } from "./option-config.js";
import type { PropertyInput } from "./schema-input.js";

/** Title and schema of the target of a relation. */
export interface RelatedDatabase {
  /** Plain text. */
  readonly title: string;
  readonly schema: Schema;
}

/** Context for configuring a property: its own schema and the related databases. */
export interface ConfigContext {
  /** The schema as configured so far. */
  readonly schema: Schema;
  /**
   * Finds a database.
   *
   * @throws DomainError (not_found)
   */
  related(id: string): RelatedDatabase;
}

type Common = Pick<PropertyDefinition, "id" | "publicId" | "name" | "description">;

/**
 * Creates the definition of a property from a request.
 *
 * @param existing the property before the request, of any type; undefined for a new property
 * @throws DomainError (validation) for an invalid configuration, (not_found) for a relation to an unknown database
 */
export function configureProperty(
  common: Common,
  type: PropertyType,
  input: PropertyInput,
  existing: PropertyDefinition | undefined,
  context: ConfigContext,
): PropertyDefinition {
  switch (type) {
    case "number":
      return {
        ...common,
        type,
        format: input.number?.format ?? (existing?.type === "number" ? existing.format : "number"),
      };
    case "select":
    case "multi_select":
      return { ...common, type, options: mergeOptions(getOptions(existing), input[type]?.options) };
    case "status":
      if (existing?.type === "status") {
        refuseStatusChange(existing.name, existing.options, input.status?.options);
        return { ...existing, ...common };
      }
      refuseStatusChange(common.name, [], input.status?.options);
      return { ...common, type, ...createStatusConfig(getOptions(existing)) };
    case "relation":
      return configureRelation(common, input.relation, existing, context);
    case "rollup":
      return configureRollup(common, input.rollup, existing, context);
    case "unique_id": {
      const before = existing?.type === "unique_id" ? existing.prefix : null;
      const prefix = input.unique_id?.prefix;
      return { ...common, type, prefix: prefix === undefined ? before : prefix };
    }
    default:
      return { ...common, type };
  }
}

function getOptions(existing: PropertyDefinition | undefined): readonly Option[] {
  return existing !== undefined && "options" in existing ? existing.options : [];
}

function configureRelation(
  common: Common,
  input: PropertyInput["relation"],
  existing: PropertyDefinition | undefined,
  context: ConfigContext,
): PropertyDefinition {
  const databaseId = input === undefined ? undefined : parseId(input.database_id);
  if (input === undefined || databaseId === undefined) {
    throw createValidationError(`${common.name}: a relation needs a database_id.`);
  }
  const { schema } = context.related(databaseId);
  const before =
    existing?.type === "relation" && existing.databaseId === databaseId ? existing.syncedPropertyId : null;
  const { type = input.dual_property ? "dual_property" : undefined } = input;
  const single = type === "single_property" || input.single_property !== undefined;
  if (single || (type === undefined && before === null)) {
    return { ...common, type: "relation", databaseId, syncedPropertyId: null };
  }
  const syncedPropertyId = before ?? newPropertyId(new Set([...schema.byId.keys(), common.id]));
  return { ...common, type: "relation", databaseId, syncedPropertyId };
}

function configureRollup(
  common: Common,
  input: PropertyInput["rollup"],
  existing: PropertyDefinition | undefined,
  { schema, related }: ConfigContext,
): PropertyDefinition {
  const before = existing?.type === "rollup" ? existing : undefined;
  const relationKey = input?.relation_property_id ?? input?.relation_property_name ?? before?.relationId;
  const relation = relationKey === undefined ? undefined : findProperty(schema, relationKey);
  if (relation?.type !== "relation") {
    throw createValidationError(
      `${common.name}: ${relationKey ?? "the relation of a rollup"} is not a relation of this database.`,
    );
  }
  const targetKey = input?.rollup_property_id ?? input?.rollup_property_name ?? before?.propertyId;
  const target =
    targetKey === undefined ? undefined : findProperty(related(relation.databaseId).schema, targetKey);
  if (target === undefined) {
    throw createValidationError(
      `${common.name}: ${targetKey ?? "the property of a rollup"} is not a property of the database that ${relation.name} links to.`,
    );
  }
  if (target.type === "rollup") {
    throw createValidationError(`${common.name}: a rollup cannot use the rollup ${target.name}.`);
  }
  const name = input?.function ?? before?.function ?? "show_original";
  return {
    ...common,
    type: "rollup",
    relationId: getPublicId(relation),
    propertyId: getPublicId(target),
    function: name,
  };
}
