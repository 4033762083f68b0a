import { getOrCreate } from "../../get-or-create.js";
import { getIds } from "../../lists.js";
import { createNotFoundError, createValidationError } from "../errors.js";
import { newPropertyId, parseId } from "../ids.js";
import {
  findPropertyByNameFirst,
  createSchema,
  getPublicId,
  type DefinitionOf,
  type PropertyDefinition,
  type PropertyLookup,
  type RelatedSchemas,
  type Schema,
} from "../schema.js";
import {
  type ConfigContext,
  configureProperty,
  parsePropertyType,
  type PropertyInput,
} from "./property-config.js";
import { checkPropertyCount, checkRelationCount } from "./schema-size.js";
import { abbreviate, formatTitle, normalizeText } from "../text.js";

/** Maximum length of a database's title in the name of a synced property. */
const MAX_TITLE_LENGTH_IN_NAME = 100;

interface ChangedDatabase {
  readonly id: string;
  /** Plain text. The synced property of a new two-way relation is named after it. */
  readonly title: string;
}

/** A property whose stored values must be converted or removed. */
export interface Conversion {
  readonly from: PropertyDefinition;
  /** The new definition; null when the property is removed. Its id is new, so that old and new values are stored side by side. */
  readonly to: PropertyDefinition | null;
}

/** A change of the synced property of a two-way relation: the property of the other database with the reverse links. */
export type SyncedPropertyChange =
  | { readonly kind: "add"; readonly databaseId: string; readonly property: DefinitionOf<"relation"> }
  /** The synced property becomes a one-way relation. */
  | { readonly kind: "detach"; readonly databaseId: string; readonly propertyId: string };

/** The new schema after a request, and the changes of stored values and of other databases that it requires. */
export interface SchemaPlan {
  readonly schema: Schema;
  readonly conversions: readonly Conversion[];
  /** Changes of other databases. If a relation links to its own database, `schema` contains the change. */
  readonly syncedPropertyChanges: readonly SyncedPropertyChange[];
  /** Existing relations that become two-way. The reverse of their links must be added to the synced property. */
  readonly newTwoWayRelations: readonly DefinitionOf<"relation">[];
  /** The unique_id property if the request adds it, so that existing pages need numbers. */
  readonly newUniqueId: DefinitionOf<"unique_id"> | null;
}

/** Returns the ids of the databases that planSchema needs: the targets of existing and new relations. */
export function findRelatedDatabaseIds(
  { definitions }: Schema,
  inputs: Readonly<Record<string, PropertyInput | null>> = {},
): ReadonlySet<string> {
  const existing = definitions.flatMap((property) =>
    property.type === "relation" ? property.databaseId : [],
  );
  const added = Object.values(inputs).flatMap((input) => parseId(input?.relation?.database_id ?? "") ?? []);
  return new Set([...existing, ...added]);
}

/**
 * Plans the changes of a schema, which is empty for a new database. Throws a DomainError (validation) for an invalid name, type
 * or configuration, or if the schema would not have exactly one title, or (not_found) for a relation to an unknown database.
 *
 * @param inputs changes by the name or id of the property: null removes it, a name renames it, a type adds or converts it
 * @param related the schemas of the databases of new and changed relations, and of all relations if `inputs` has a rollup; a
 *   database that does not exist has none
 */
export function planSchema(
  database: ChangedDatabase,
  schema: Schema,
  inputs: Readonly<Record<string, PropertyInput | null>>,
  related: RelatedSchemas,
): SchemaPlan {
  const planner = new SchemaPlanner(database, schema, related);
  const entries = Object.entries(inputs);
  checkPropertyCount(entries.length);
  checkRelationCount(entries.filter(([, input]) => input?.relation !== undefined).length);
  // Rollups come last, because they can use a relation of the same request.
  const isRollup = ([, input]: (typeof entries)[number]): boolean => input?.rollup !== undefined;
  for (const [key, input] of entries.filter((entry) => !isRollup(entry))) planner.apply(key, input);
  for (const [key, input] of entries.filter(isRollup)) planner.apply(key, input);
  return planner.finish(entries.map(([key]) => key));
}

class SchemaPlanner implements ConfigContext {
  readonly #database: ChangedDatabase;
  readonly #oldSchema: Schema;
  readonly #related: RelatedSchemas;
  /** New definitions by public id, in any order. */
  readonly #definitions: Map<string, PropertyDefinition>;
  readonly #addedIdsByKey = new Map<string, string>();
  readonly #changedIds = new Set<string>();
  readonly #conversions: Conversion[] = [];
  readonly #syncedPropertyChanges: SyncedPropertyChange[] = [];
  readonly #newTwoWayRelations: DefinitionOf<"relation">[] = [];
  /** Normalized names, see #normalizeName. Cached, because 100 new two-way relations compare theirs with all others, for 0.5 s. */
  readonly #normalizedNames = new Map<string, string>();

  constructor(database: ChangedDatabase, oldSchema: Schema, related: RelatedSchemas) {
    this.#database = database;
    this.#oldSchema = oldSchema;
    this.#related = related;
    this.#definitions = new Map(oldSchema.byPublicId);
  }

  apply(key: string, input: PropertyInput | null): void {
    const existing = findPropertyByNameFirst(this.#oldSchema, key);
    if (existing === undefined) {
      this.#add(key, input);
      return;
    }
    if (this.#changedIds.has(existing.id)) {
      throw createValidationError(`${abbreviate(key)} names a property that the request changes twice.`);
    }
    this.#changedIds.add(existing.id);
    // The request may have changed the definition already, with the other side of a relation of the database to itself.
    const current = this.#definitions.get(getPublicId(existing)) ?? existing;
    if (input === null) this.#remove(current);
    else this.#change(current, input);
  }

  /** @param keys keys of the request, which give the order of new properties */
  finish(keys: readonly string[]): SchemaPlan {
    const added = keys.flatMap((key) => this.#addedIdsByKey.get(key) ?? []);
    const orderedIds = [...this.#oldSchema.byPublicId.keys(), ...added];
    const ids = new Set([...orderedIds, ...this.#definitions.keys()]);
    const definitions = [...ids].flatMap((id) => this.#definitions.get(id) ?? []);
    // There cannot be two titles, because #add refuses a second one.
    if (!this.#definitions.has("title")) throw createValidationError("Title is not provided");
    const [newUniqueId, ...others] = definitions.filter((definition) => definition.type === "unique_id");
    if (others.length > 0) {
      throw createValidationError("A database can have only one property of type unique_id.");
    }
    const schema = createSchema(definitions);
    const names = new Set<string>();
    for (const { name } of definitions) {
      const normalized = this.#normalizeName(name);
      if (names.has(normalized)) {
        throw createValidationError(`Two properties cannot have the same name: ${abbreviate(name)}.`);
      }
      names.add(normalized);
    }
    return {
      schema,
      conversions: this.#conversions,
      syncedPropertyChanges: this.#syncedPropertyChanges,
      newTwoWayRelations: this.#newTwoWayRelations,
      newUniqueId:
        newUniqueId && this.#oldSchema.byId.get(newUniqueId.id)?.type !== "unique_id" ? newUniqueId : null,
    };
  }

  #add(key: string, input: PropertyInput | null): void {
    const type = input === null ? undefined : parsePropertyType(key, input);
    if (input === null || type === undefined) {
      throw createValidationError(`${abbreviate(key)} is not a property that exists.`);
    }
    const common = {
      id: type === "title" ? "title" : this.#newId(),
      name: checkName(key),
      description: input.description ?? null,
    };
    if (type === "title" && this.#definitions.has("title")) {
      throw createValidationError("A database can have only one property of type title.");
    }
    this.#addedIdsByKey.set(key, common.id);
    this.#setDefinition(configureProperty(common, type, input, undefined, this), input);
  }

  #change(existing: PropertyDefinition, input: PropertyInput): void {
    const type = parsePropertyType(existing.name, input) ?? existing.type;
    if ((type === "title") !== (existing.type === "title")) {
      throw createValidationError(
        "The title property must keep its type, and no other property can get the type title.",
      );
    }
    const common = {
      id: existing.id,
      publicId: existing.publicId,
      name: checkName(input.name ?? existing.name),
      description: input.description === undefined ? existing.description : input.description,
    };
    const isConfigured = input[type] !== undefined || type !== existing.type;
    const changed = isConfigured
      ? configureProperty(common, type, input, existing, this)
      : { ...existing, name: common.name, description: common.description };
    const before = existing.type === "relation" ? existing : undefined;
    const after = changed.type === "relation" ? changed : undefined;
    const isConverted =
      changed.type !== existing.type ||
      before?.databaseId !== after?.databaseId ||
      losesOptions(existing, changed);
    const newDefinition = isConverted
      ? { ...changed, id: this.#newId(), publicId: getPublicId(existing) }
      : changed;
    if (isConverted) this.#conversions.push({ from: existing, to: newDefinition });
    if (before?.syncedPropertyId !== after?.syncedPropertyId) this.#detachSyncedProperty(existing);
    this.#setDefinition(newDefinition, input);
    const becomesTwoWay =
      before?.syncedPropertyId === null && after !== undefined && after.syncedPropertyId !== null;
    if (becomesTwoWay && !isConverted) this.#newTwoWayRelations.push(after);
  }

  #remove(existing: PropertyDefinition): void {
    if (existing.type === "title") {
      throw createValidationError("The title property cannot be removed.");
    }
    this.#definitions.delete(getPublicId(existing));
    this.#conversions.push({ from: existing, to: null });
    this.#detachSyncedProperty(existing);
  }

  /** Scans the names, because creating a schema for each of 490 rollups takes 60 ms. */
  get properties(): PropertyLookup {
    const definitions = [...this.#definitions.values()];
    const getByName = (name: string) => definitions.findLast((definition) => definition.name === name);
    return { definitions, byName: { get: getByName }, byPublicId: this.#definitions };
  }

  /** Finds the properties of the target of a relation, which can be the changed database itself. */
  getRelatedProperties(id: string): PropertyLookup {
    const found = id === this.#database.id ? this.properties : this.#related.get(id);
    if (found === undefined) throw createNotFoundError("database", id);
    return found;
  }

  /** Creates an id that is neither the id nor the public id of any property. */
  #newId(): string {
    const { byId } = this.#oldSchema;
    return newPropertyId({ has: (id) => this.#definitions.has(id) || byId.has(id) });
  }

  #setDefinition(definition: PropertyDefinition, input: PropertyInput): void {
    this.#definitions.set(getPublicId(definition), definition);
    if (definition.type !== "relation" || definition.syncedPropertyId === null) return;
    const { syncedPropertyId } = definition;
    const existing = this.#oldSchema.byPublicId.get(getPublicId(definition));
    if (existing?.type === "relation" && existing.syncedPropertyId === syncedPropertyId) return;
    this.#addSyncedProperty(
      definition,
      syncedPropertyId,
      input.relation?.dual_property?.synced_property_name,
    );
  }

  #addSyncedProperty(relation: DefinitionOf<"relation">, id: string, name: string | undefined): void {
    const databaseTitle = formatTitle(this.#database.title, MAX_TITLE_LENGTH_IN_NAME);
    const preferredName = name ?? `Related to ${databaseTitle} (${relation.name})`;
    const added = this.#syncedPropertyChanges.flatMap((change) =>
      change.kind === "add" && change.databaseId === relation.databaseId ? change.property : [],
    );
    const { definitions } = this.getRelatedProperties(relation.databaseId);
    const property: DefinitionOf<"relation"> = {
      id,
      name: this.#findUnusedName([...definitions, ...added], checkName(preferredName)),
      description: null,
      type: "relation",
      databaseId: this.#database.id,
      syncedPropertyId: relation.id,
    };
    if (relation.databaseId === this.#database.id) this.#definitions.set(id, property);
    else this.#syncedPropertyChanges.push({ kind: "add", databaseId: relation.databaseId, property });
  }

  #findUnusedName(definitions: readonly PropertyDefinition[], preferredName: string): string {
    let name = preferredName;
    const names = new Set(definitions.map((definition) => this.#normalizeName(definition.name)));
    for (let count = 1; names.has(this.#normalizeName(name)); count += 1) name = `${preferredName} ${count}`;
    return name;
  }

  /** Normalizes a name to compare it with others. Names that only differ by Unicode normalization look the same. */
  #normalizeName(name: string): string {
    return getOrCreate(this.#normalizedNames, name, normalizeText);
  }

  /** Makes the synced property of a two-way relation a one-way relation. */
  #detachSyncedProperty(relation: PropertyDefinition): void {
    if (relation.type !== "relation" || relation.syncedPropertyId === null) return;
    const { databaseId, syncedPropertyId: propertyId } = relation;
    if (databaseId !== this.#database.id) {
      this.#syncedPropertyChanges.push({ kind: "detach", databaseId, propertyId });
      return;
    }
    const property = [...this.#definitions.values()].find(({ id }) => id === propertyId);
    if (property?.type !== "relation") return;
    this.#definitions.set(getPublicId(property), { ...property, syncedPropertyId: null });
  }
}

function checkName(name: string): string {
  if (name.trim() === "") throw createValidationError("The name of a property must not be empty.");
  return name;
}

/** Whether a change removes options, which stored values may contain. */
function losesOptions(before: PropertyDefinition, after: PropertyDefinition): boolean {
  if (!("options" in before) || !("options" in after)) return false;
  const remaining = new Set(getIds(after.options));
  return before.options.some((option) => !remaining.has(option.id));
}
