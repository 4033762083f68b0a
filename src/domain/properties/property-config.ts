import { createValidationError } from "../errors.js";
import { newPropertyId, normalizeId } from "../ids.js";
import {
  findPropertyByNameFirst,
  findPropertyByIdFirst,
  type Option,
  PROPERTY_TYPES,
  type PropertyDefinition,
  type PropertyLookup,
  type PropertyType,
  getPublicId,
} from "../schema.js";
import { abbreviate } from "../text.js";
import { mergeOptions, createStatusConfig, refuseStatusChange } from "./options.js";
import type { Schemas } from "../api-schemas.js";

/** Context for configuring a property: its database as configured so far, and related databases. */
export interface ConfigContext {
  /** The properties of the database. */
  readonly properties: PropertyLookup;
  /** Returns the properties of the target database of a relation. Throws a DomainError (not_found). */
  getRelatedProperties(databaseId: string): PropertyLookup;
}

type CommonFields = Pick<PropertyDefinition, "id" | "publicId" | "name" | "description">;

/**
 * Creates the definition of a property from a request. `existing` is the previous definition, which can have another type.
 * Throws a DomainError (validation) for an invalid configuration, or (not_found) for a relation to an unknown database.
 */
export function configureProperty(
  common: CommonFields,
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
      // Requests cannot choose the options of a new status either.
      refuseStatusChange(common.name, [], input.status?.options);
      return { ...common, type, ...createStatusConfig(getOptions(existing)) };
    case "relation":
      return configureRelation(common, input.relation, existing, context);
    case "rollup":
      return configureRollup(common, input.rollup ?? { function: "show_original" }, existing, context);
    case "unique_id": {
      const previousPrefix = existing?.type === "unique_id" ? existing.prefix : null;
      const prefix = input.unique_id?.prefix;
      // null removes the prefix, and undefined keeps it.
      return { ...common, type, prefix: prefix === undefined ? previousPrefix : prefix };
    }
    default:
      return { ...common, type };
  }
}

function getOptions(existing: PropertyDefinition | undefined): readonly Option[] {
  return existing !== undefined && "options" in existing ? existing.options : [];
}

/**
 * Configures a relation. It is two-way ("dual" in the API) if the request declares that, or if it was two-way and the request
 * declares neither. If the related database stays the same, a two-way relation keeps its synced property.
 */
function configureRelation(
  common: CommonFields,
  input: PropertyInput["relation"],
  existing: PropertyDefinition | undefined,
  context: ConfigContext,
): PropertyDefinition {
  if (input === undefined)
    throw createValidationError(`${abbreviate(common.name)}: a relation needs a database_id.`);
  const databaseId = normalizeId(input.database_id);
  const { definitions } = context.getRelatedProperties(databaseId);
  const previousSyncedId =
    existing?.type === "relation" && existing.databaseId === databaseId ? existing.syncedPropertyId : null;
  const isSingle = input.type === "single_property" || input.single_property !== undefined;
  const isDual = input.type === "dual_property" || Boolean(input.dual_property);
  if (isSingle && isDual) {
    throw createValidationError(
      `${abbreviate(common.name)}: use either single_property or dual_property, not both.`,
    );
  }
  // In a relation of a database to itself, both properties are in the same schema.
  const usedIds = new Set([...definitions.flatMap((each) => [each.id, getPublicId(each)]), common.id]);
  const newSyncedId = isDual ? newPropertyId(usedIds) : null;
  const syncedPropertyId = isSingle ? null : (previousSyncedId ?? newSyncedId);
  return { ...common, type: "relation", databaseId, syncedPropertyId };
}

function configureRollup(
  common: CommonFields,
  input: NonNullable<PropertyInput["rollup"]>,
  existing: PropertyDefinition | undefined,
  context: ConfigContext,
): PropertyDefinition {
  const previous = existing?.type === "rollup" ? existing : undefined;
  const {
    relation_property_name: relationName,
    relation_property_id: relationId = relationName === undefined ? previous?.relationId : undefined,
    rollup_property_name: targetName,
    rollup_property_id: targetId = targetName === undefined ? previous?.propertyId : undefined,
  } = input;
  const relation = findByIdOrName(context.properties, relationId, relationName);
  const refuse = (key: string | undefined, field: string, required: string): never => {
    const problem =
      key === undefined ? `set ${field} to the name of ${required}` : `${abbreviate(key)} is not ${required}`;
    throw createValidationError(`${abbreviate(common.name)}: ${problem}.`);
  };
  if (relation?.type !== "relation") {
    return refuse(relationId ?? relationName, "relation_property_name", "a relation of this database");
  }
  const target = findByIdOrName(context.getRelatedProperties(relation.databaseId), targetId, targetName);
  if (target === undefined) {
    const required = `a property of the database that ${abbreviate(relation.name)} links to`;
    return refuse(targetId ?? targetName, "rollup_property_name", required);
  }
  if (target.type === "rollup") {
    throw createValidationError(
      `${abbreviate(common.name)}: a rollup cannot use the rollup ${abbreviate(target.name)}.`,
    );
  }
  return {
    ...common,
    type: "rollup",
    // Public ids, which stay the same when the values of these properties are converted.
    relationId: getPublicId(relation),
    propertyId: getPublicId(target),
    function: input.function,
  };
}

/** Finds a property by its id or, without an id, by its name. Each can also be the other, because clients confuse them. */
function findByIdOrName(properties: PropertyLookup, id: string | undefined, name: string | undefined) {
  return id === undefined
    ? findPropertyByNameFirst(properties, name ?? "")
    : findPropertyByIdFirst(properties, id);
}

/** A property of a database in a request. It has its configuration under the name of its type. */
export type PropertyInput = NonNullable<Schemas["DatabasePropertyInput"]>;

/** Parses the type of a property, if the request has one. Throws a DomainError (validation) for formulas or several types. */
export function parsePropertyType(key: string, input: PropertyInput): PropertyType | undefined {
  if (input.formula !== undefined || input.type === "formula") {
    throw createValidationError(
      `${abbreviate(key)} is a formula. This service does not evaluate formulas, so properties of the type formula cannot be created.`,
    );
  }
  const configured = PROPERTY_TYPES.filter((type) => input[type] !== undefined);
  if (configured.length > 1) {
    throw createValidationError(`${abbreviate(key)} has several types: ${configured.join(", ")}. Give one.`);
  }
  const [type] = configured;
  if (type !== undefined && input.type !== undefined && type !== input.type) {
    throw createValidationError(`${abbreviate(key)} is expected to be ${input.type}.`);
  }
  return type ?? input.type;
}
