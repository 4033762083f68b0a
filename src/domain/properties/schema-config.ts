import { DomainError } from "../errors.js";
import { newPropertyId, parseId } from "../ids.js";
import {
  findProperty,
  type Option,
  type PropertyDefinition,
  type PropertyType,
  type Schema,
} from "../schema.js";
import { mergeOptions, newStatus, refuseStatusChange } from "./option-config.js";
import type { PropertyInput } from "./schema-input.js";

/** What has to be known of a database that a relation leads to. */
export interface RelatedDatabase {
  /** Its title as plain text. */
  readonly title: string;
  readonly schema: Schema;
}

/** Where a property is configured. */
export interface Surroundings {
  /** The properties of its database, as far as they are there already. */
  readonly schema: Schema;
  /**
   * The database of an id.
   *
   * @throws DomainError (not_found)
   */
  related(id: string): RelatedDatabase;
}

type Common = Pick<PropertyDefinition, "id" | "name" | "description">;

/**
 * Makes the definition of a property out of what a request says.
 *
 * @param existing the property as it was, of this or another type; undefined for a new one
 * @throws DomainError (validation) when the configuration is not possible, (not_found) when a relation leads nowhere
 */
export function configure(
  common: Common,
  type: PropertyType,
  input: PropertyInput,
  existing: PropertyDefinition | undefined,
  surroundings: Surroundings,
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
      return { ...common, type, options: mergeOptions(optionsOf(existing), input[type]?.options) };
    case "status":
      if (existing?.type === "status") {
        refuseStatusChange(existing.name, existing.options, input.status?.options);
        return { ...existing, ...common };
      }
      refuseStatusChange(common.name, [], input.status?.options);
      return { ...common, type, ...newStatus(optionsOf(existing)) };
    case "relation":
      return configureRelation(common, input.relation, existing, surroundings);
    case "rollup":
      return configureRollup(common, input.rollup, existing, surroundings);
    case "unique_id": {
      const before = existing?.type === "unique_id" ? existing.prefix : null;
      const prefix = input.unique_id?.prefix;
      return { ...common, type, prefix: prefix === undefined ? before : prefix };
    }
    default:
      return { ...common, type };
  }
}

function optionsOf(existing: PropertyDefinition | undefined): readonly Option[] {
  return existing !== undefined && "options" in existing ? existing.options : [];
}

function configureRelation(
  common: Common,
  input: PropertyInput["relation"],
  existing: PropertyDefinition | undefined,
  surroundings: Surroundings,
): PropertyDefinition {
  const databaseId = input === undefined ? undefined : parseId(input.database_id);
  if (input === undefined || databaseId === undefined) {
    throw new DomainError("validation", `${common.name}: a relation needs the database_id that it leads to.`);
  }
  const { schema } = surroundings.related(databaseId);
  const before = existing?.type === "relation" && existing.databaseId === databaseId ? existing.twin : null;
  const { type = input.dual_property ? "dual_property" : undefined } = input;
  const single = type === "single_property" || input.single_property !== undefined;
  if (single || (type === undefined && before === null)) {
    return { ...common, type: "relation", databaseId, twin: null };
  }
  const propertyId = before?.propertyId ?? newPropertyId(new Set([...schema.byId.keys(), common.id]));
  return { ...common, type: "relation", databaseId, twin: { propertyId } };
}

function configureRollup(
  common: Common,
  input: PropertyInput["rollup"],
  existing: PropertyDefinition | undefined,
  { schema, related }: Surroundings,
): PropertyDefinition {
  const before = existing?.type === "rollup" ? existing : undefined;
  const relationKey = input?.relation_property_id ?? input?.relation_property_name ?? before?.relationId;
  const relation = relationKey === undefined ? undefined : findProperty(schema, relationKey);
  if (relation?.type !== "relation") {
    throw new DomainError(
      "validation",
      `${common.name}: ${relationKey ?? "the relation of a rollup"} is not a relation of this database.`,
    );
  }
  const targetKey = input?.rollup_property_id ?? input?.rollup_property_name ?? before?.propertyId;
  const target =
    targetKey === undefined ? undefined : findProperty(related(relation.databaseId).schema, targetKey);
  if (target === undefined) {
    throw new DomainError(
      "validation",
      `${common.name}: ${targetKey ?? "the property of a rollup"} is not a property of the database that ${relation.name} leads to.`,
    );
  }
  if (target.type === "rollup") {
    throw new DomainError(
      "validation",
      `${common.name}: a rollup of the rollup ${target.name} is not possible.`,
    );
  }
  const name = input?.function ?? before?.function ?? "show_original";
  return { ...common, type: "rollup", relationId: relation.id, propertyId: target.id, function: name };
}
