import { MAX_BATCH_BYTES, MAX_BATCH_PAGES, MAX_BATCH_VALUES } from "../../budgets.js";
import { isText } from "../../domain/properties/index-rows.js";
import { createConverter, type Converter } from "../../domain/properties/convert.js";
import type { Conversion, SchemaPlan } from "../../domain/properties/schema-plan.js";
import {
  isComputed,
  type StoredProperties,
  type StoredValue,
} from "../../domain/properties/stored-values.js";
import { type DefinitionOf, type PropertyDefinition, getPublicId } from "../../domain/schema.js";
import { findDatabase, findLastUniqueNumber } from "../../storage/databases.js";
import { type StoredValues, updateStoredValues } from "../../storage/page-values.js";
import { deleteValues, insertValues } from "../../storage/property-values.js";
import type { ContentSize } from "../../storage/content-size.js";
import { replacePageTexts } from "../../storage/text-index.js";
import { listUserNames } from "../../storage/users.js";
import type { StorageScope } from "../../storage/tables.js";

/** New values of a schema plan: those of converted properties, and the numbers of a new unique_id property. */
export interface NewValues {
  readonly conversions: readonly (Conversion & { readonly to: PropertyDefinition })[];
  readonly newUniqueId: DefinitionOf<"unique_id"> | null;
}

/** Finds the new values of a plan. Relations, computed properties and removed properties have none. */
export function findNewValues({ conversions, newUniqueId }: SchemaPlan): NewValues {
  return {
    conversions: conversions.flatMap(({ from, to }) =>
      to === null || to.type === "relation" || isComputed(to) ? [] : { from, to },
    ),
    newUniqueId,
  };
}

/** Whether two plans of one request convert the same values. Their new ids differ. */
export function haveSameConversions(first: NewValues, second: NewValues): boolean {
  const formatSources = ({ conversions, newUniqueId }: NewValues): string =>
    JSON.stringify([conversions.map(({ from }) => from), newUniqueId && newUniqueId.name]);
  return formatSources(first) === formatSources(second);
}

/**
 * Writes the new values of pages under the new ids of their properties. They are invisible until the schema has these
 * ids, so that pages can be converted in many transactions.
 */
export class ValueConversion {
  readonly newValues: NewValues;
  readonly #databaseId: string;
  /** The properties of the database before the request. */
  readonly #before: readonly PropertyDefinition[];
  readonly #converters: readonly Converter[];
  #lastNumber: number;

  private constructor(
    databaseId: string,
    before: readonly PropertyDefinition[],
    newValues: NewValues,
    userNames: ReadonlyMap<string, string>,
    lastNumber: number,
  ) {
    this.newValues = newValues;
    this.#databaseId = databaseId;
    this.#before = before;
    this.#converters = newValues.conversions.map(({ from, to }) =>
      createConverter(from, to, (id) => userNames.get(id)),
    );
    this.#lastNumber = lastNumber;
  }

  /** Creates a conversion of the pages of a database. */
  static async create(
    scope: StorageScope,
    databaseId: string,
    newValues: NewValues,
  ): Promise<ValueConversion> {
    const before = (await findDatabase(scope, databaseId))?.schema.definitions ?? [];
    const userNames =
      newValues.conversions.length === 0 ? new Map<string, string>() : await listUserNames(scope);
    const lastNumber = newValues.newUniqueId === null ? 0 : await findLastUniqueNumber(scope, databaseId);
    return new ValueConversion(databaseId, before, newValues, userNames, lastNumber);
  }

  /** Limit of the pages that one transaction converts. */
  get batchLimit(): ContentSize {
    const count = Math.floor(MAX_BATCH_VALUES / this.propertyIds.length);
    return { count: Math.max(1, Math.min(MAX_BATCH_PAGES, count)), bytes: MAX_BATCH_BYTES };
  }

  /** Ids that the new values are stored under. */
  get propertyIds(): string[] {
    const { conversions, newUniqueId } = this.newValues;
    return [...conversions.map(({ to }) => to.id), ...(newUniqueId === null ? [] : [newUniqueId.id])];
  }

  /**
   * Converts pages of the database. Pages that were converted before get new values, but keep their number.
   *
   * @returns the highest number that a page has got so far. Pass it to `continueAfter` once the pages are committed.
   */
  async convertPages(scope: StorageScope, pages: readonly StoredValues[]): Promise<number> {
    let last = this.#lastNumber;
    const { newUniqueId } = this.newValues;
    const converted = pages.map((page) => {
      const properties = this.#convert(page);
      if (newUniqueId !== null) properties[newUniqueId.id] ??= last += 1;
      return { id: page.id, databaseId: this.#databaseId, properties, before: page };
    });
    const ids = this.propertyIds;
    const isRepeated = ({ properties }: StoredValues): boolean =>
      ids.some((id) => Object.hasOwn(properties, id));
    await deleteValues(
      scope,
      pages.filter(isRepeated).map(({ id }) => id),
      ids,
    );
    const changed = converted.flatMap(({ id, properties, before }) => {
      const json = JSON.stringify(properties);
      return json === before.json ? [] : { id, json };
    });
    await updateStoredValues(scope, changed);
    const definitions = this.#getNewDefinitions();
    await insertValues(scope, converted, definitions);
    if (definitions.some(isText)) {
      const properties = [...this.#before, ...definitions];
      for (const page of converted) await replacePageTexts(scope, page, properties);
    }
    return last;
  }

  /** Continues the numbers of pages after the last one that was committed. */
  continueAfter(lastNumber: number): void {
    this.#lastNumber = lastNumber;
  }

  #convert(page: StoredValues): Record<string, StoredValue> {
    const properties: Record<string, StoredValue> = { ...page.properties };
    for (const converter of this.#converters) {
      const value = converter.convert(page);
      const { id } = converter.definition;
      if (value === undefined) delete properties[id];
      else properties[id] = value;
    }
    return properties;
  }

  /** Returns the converted properties, with the options that converted values have become so far. */
  #getNewDefinitions(): PropertyDefinition[] {
    const { newUniqueId } = this.newValues;
    const converted = this.#converters.map(({ definition }) => definition);
    return newUniqueId === null ? converted : [...converted, newUniqueId];
  }

  /** Replaces the converted properties of a schema by those whose ids the values are stored under. */
  withDefinitions(definitions: readonly PropertyDefinition[]): PropertyDefinition[] {
    const newDefinitions = new Map(
      this.#getNewDefinitions().map((definition) => [getPublicId(definition), definition]),
    );
    const { newUniqueId } = this.newValues;
    return definitions.map((definition) => {
      // A new unique_id property has a new public id in each plan.
      if (newUniqueId !== null && definition.type === "unique_id" && definition.id !== newUniqueId.id) {
        return { ...definition, id: newUniqueId.id, publicId: getPublicId(definition) };
      }
      return newDefinitions.get(getPublicId(definition)) ?? definition;
    });
  }
}

/** Returns the values of a page without those of some properties; undefined when it has none of these. */
export function removeProperties(
  properties: StoredProperties,
  propertyIds: readonly string[],
): StoredProperties | undefined {
  if (!propertyIds.some((id) => Object.hasOwn(properties, id))) return undefined;
  const rest: Record<string, StoredValue> = { ...properties };
  for (const id of propertyIds) delete rest[id];
  return rest;
}
