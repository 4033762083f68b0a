import { MAX_BATCH_BYTES, MAX_BATCH_PAGES, MAX_BATCH_VALUES } from "../../budgets.js";
import { createConverter, type Converter } from "../../domain/properties/convert.js";
import { checkSchemaSize } from "../../domain/properties/schema-size.js";
import { getUserIds } from "../../domain/properties/response-values.js";
import type { Conversion, SchemaPlan } from "../../domain/properties/schema-plan.js";
import type { StoredValue } from "../../domain/properties/stored-values.js";
import {
  type DefinitionOf,
  type PropertyDefinition,
  getPublicId,
  isComputedProperty,
  isListProperty,
  isTextProperty,
} from "../../domain/schema.js";
import { getIds, sumBy } from "../../lists.js";
import type { VersionedDatabase } from "../../storage/databases/databases.js";
import { type PageValues, updatePageValues } from "../../storage/pages/page-values.js";
import { deletePropertyValues, insertPropertyValues } from "../../storage/pages/property-values.js";
import type { RowLimit } from "../../storage/row-limit.js";
import { indexPageTexts } from "../../storage/pages/text-index.js";
import { findUserNames } from "../../storage/users.js";
import { type StorageScope, TABLE_METADATA } from "../../storage/tables.js";
import { createWaitIfLong } from "../../storage/wait-if-long.js";

/** Values that a schema change creates: those of converted properties, and the numbers of a new unique_id property. */
export interface ValueChanges {
  readonly conversions: readonly (Conversion & { readonly to: PropertyDefinition })[];
  readonly newUniqueId: DefinitionOf<"unique_id"> | null;
}

/** Selects the changes of a plan that create values. Changes to relations and computed properties, and removals, do not. */
export function findValueChanges({ conversions, newUniqueId }: SchemaPlan): ValueChanges {
  return {
    conversions: conversions.flatMap(({ from, to }) =>
      to === null || to.type === "relation" || isComputedProperty(to) ? [] : { from, to },
    ),
    newUniqueId,
  };
}

/** Whether two plans convert the same properties. New properties get random ids in each plan, so only the old ones are compared. */
export function haveSameConversions(first: ValueChanges, second: ValueChanges): boolean {
  const formatSources = ({ conversions, newUniqueId }: ValueChanges): string =>
    JSON.stringify([conversions.map(({ from }) => from), newUniqueId && newUniqueId.name]);
  return formatSources(first) === formatSources(second);
}

/** Converts values of pages, and stores them under new ids of properties, which the schema contains only after the conversion. */
export class PageConverter {
  readonly #converters: readonly Converter[];
  /** Ids of the properties of the database before and after the request. */
  readonly #keptIds: ReadonlySet<string>;
  #lastNumber: number;
  /** Estimated bytes that converted pages have added, besides those of long texts. */
  #addedBytes = 0;

  /** @param database the database before the request */
  constructor(
    readonly database: VersionedDatabase,
    readonly valueChanges: ValueChanges,
  ) {
    this.#converters = valueChanges.conversions.map(({ from, to }) => createConverter(from, to));
    this.#keptIds = new Set([...getIds(database.schema.definitions), ...this.propertyIds]);
    this.#lastNumber = database.lastUniqueNumber;
  }

  /** Limit of the pages that one transaction converts. */
  get batchLimit(): RowLimit {
    const count = Math.floor(MAX_BATCH_VALUES / this.propertyIds.length);
    return { count: Math.max(1, Math.min(MAX_BATCH_PAGES, count)), bytes: MAX_BATCH_BYTES };
  }

  /** Ids of the properties under which the new values are stored. */
  get propertyIds(): string[] {
    const { conversions, newUniqueId } = this.valueChanges;
    return [...conversions.map(({ to }) => to.id), ...(newUniqueId === null ? [] : [newUniqueId.id])];
  }

  get addedBytes(): number {
    return this.#addedBytes;
  }

  /**
   * Converts the first pages whose new values fit into a transaction, but at least one page. Returns their number, and the last unique
   * number that was assigned, for `confirmLastNumber` after the commit. Throws a DomainError (validation) for too many new options.
   *
   * @param mustFit whether to convert no page if not all fit
   */
  async convertPages(
    scope: StorageScope,
    pages: readonly PageValues[],
    { mustFit }: { readonly mustFit: boolean },
  ): Promise<{ readonly count: number; readonly lastNumber: number }> {
    let last = this.#lastNumber;
    const { conversions, newUniqueId } = this.valueChanges;
    const userIds = conversions.flatMap(({ from }) => pages.flatMap((page) => getUserIds(from, page)));
    const userNames = await findUserNames(scope, userIds);
    const waitIfLong = createWaitIfLong(scope);
    const converted = [];
    let valueCount = 0;
    for (const page of pages) {
      const properties = await this.#convert(page, userNames, waitIfLong);
      valueCount += this.#countValues(properties);
      if (converted.length > 0 && valueCount > MAX_BATCH_VALUES) break;
      if (newUniqueId !== null) properties[newUniqueId.id] ??= last += 1;
      converted.push({ id: page.id, databaseId: this.database.id, properties, oldJson: page.json });
    }
    const definitions = this.#getNewDefinitions();
    // Otherwise a page could get a row for each of 50,000 new options before the new schema is refused.
    checkSchemaSize({ definitions });
    if (mustFit && converted.length < pages.length) return { count: 0, lastNumber: this.#lastNumber };
    const ids = this.propertyIds;
    const wasConvertedBefore = ({ properties }: PageValues): boolean =>
      ids.some((id) => Object.hasOwn(properties, id));
    const reconvertedIds = getIds(pages.slice(0, converted.length).filter(wasConvertedBefore));
    await deletePropertyValues(scope, reconvertedIds, ids);
    const changed = converted.flatMap(({ id, properties, oldJson }) => {
      const json = JSON.stringify(properties);
      this.#addedBytes += Buffer.byteLength(json) - Buffer.byteLength(oldJson);
      return json === oldJson ? [] : { id, json };
    });
    await updatePageValues(scope, changed);
    const rowCount = await insertPropertyValues(scope, converted, definitions);
    this.#addedBytes += rowCount * TABLE_METADATA.property_values.rowSize.fixedBytes;
    if (definitions.some(isTextProperty)) {
      const properties = [...this.database.schema.definitions, ...definitions];
      for (const page of converted) await indexPageTexts(scope, page, properties, { isNew: false });
    }
    return { count: converted.length, lastNumber: last };
  }

  /** Counts the elements of the new values, each of which has a row. */
  #countValues(properties: Readonly<Record<string, StoredValue>>): number {
    return sumBy(this.#converters, ({ definition }) => {
      const value = properties[definition.id];
      return Array.isArray(value) && isListProperty(definition) ? value.length : 1;
    });
  }

  /** Sets the last unique number that was assigned and committed. */
  confirmLastNumber(lastNumber: number): void {
    this.#lastNumber = lastNumber;
  }

  /** @param waitIfLong called after each value: splitting a text of 48,000 names into options takes 17 ms */
  async #convert(
    page: PageValues,
    userNames: ReadonlyMap<string, string>,
    waitIfLong: () => Promise<void>,
  ): Promise<Record<string, StoredValue>> {
    // Without the values of properties that were removed before, so that repeated conversions cannot make a page larger and larger.
    const entries = Object.entries(page.properties).filter(([id]) => this.#keptIds.has(id));
    const properties: Record<string, StoredValue> = Object.fromEntries(entries);
    for (const converter of this.#converters) {
      const value = converter.convert(page, userNames);
      const { id } = converter.definition;
      if (value === undefined) delete properties[id];
      else properties[id] = value;
      await waitIfLong();
    }
    return properties;
  }

  /** Returns the new properties, with the options that were created from converted values so far. */
  #getNewDefinitions(): PropertyDefinition[] {
    const { newUniqueId } = this.valueChanges;
    const converted = this.#converters.map(({ definition }) => definition);
    return newUniqueId === null ? converted : [...converted, newUniqueId];
  }

  /** Replaces converted properties in a later plan for the same request by those whose ids and options the stored values have. */
  replaceDefinitions(definitions: readonly PropertyDefinition[]): PropertyDefinition[] {
    const newDefinitions = new Map(
      this.#getNewDefinitions().map((definition) => [getPublicId(definition), definition]),
    );
    const { newUniqueId } = this.valueChanges;
    return definitions.map((definition) => {
      // A new unique_id property has a new public id in each plan.
      if (newUniqueId !== null && definition.type === "unique_id" && definition.id !== newUniqueId.id) {
        return { ...definition, id: newUniqueId.id, publicId: getPublicId(definition) };
      }
      return newDefinitions.get(getPublicId(definition)) ?? definition;
    });
  }
}
