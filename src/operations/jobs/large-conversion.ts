import { DomainError } from "../../domain/errors.js";
import { deleteChangedPages, findChangedPages, setConversion } from "../../storage/conversions.js";
import { findDatabase, raiseLastUniqueNumber } from "../../storage/databases.js";
import type { Store } from "../../storage/engine/store.js";
import { recordJobProgress, convertToRemovalJob, insertJob, type Job } from "../../storage/jobs.js";
import { countPages, findValues, findValuesAfter, type StoredValues } from "../../storage/pages.js";
import type { Db } from "../../storage/tables.js";
import { readBatch } from "./read-batch.js";
import { type NewValues, ValueConversion } from "./value-conversion.js";

/** Pages whose values one transaction converts. */
export const MAX_PAGES_IN_TRANSACTION = 50;

/** Error of a use case whose values must be converted before its transaction, because the database has too many pages. */
export class LargeConversionRequiredError extends Error {
  constructor(
    readonly databaseId: string,
    readonly newValues: NewValues,
  ) {
    super("The values of the database must be converted before its schema changes.");
  }
}

/**
 * Converts the values of a large database in batches, before the transaction that changes its schema. Meanwhile
 * everybody sees the old values. A database has one such conversion at a time.
 */
export class LargeConversion {
  readonly #store: Store;
  readonly #job: Job;
  readonly #conversion: ValueConversion;
  /** Id of the last page that was converted in order; empty before the first one. */
  #lastPageId = "";
  #isComplete = false;

  private constructor(store: Store, job: Job, conversion: ValueConversion) {
    this.#store = store;
    this.#job = job;
    this.#conversion = conversion;
  }

  /**
   * Begins to convert values.
   *
   * @throws DomainError (conflict) when the values of the database are being converted already
   */
  static async begin(
    store: Store,
    workspaceId: string,
    { databaseId, newValues }: LargeConversionRequiredError,
  ): Promise<LargeConversion> {
    return store.write(async (tx) => {
      const database = await findDatabase(tx, workspaceId, databaseId);
      if (database?.conversionId !== null) throw createConversionConflictError();
      const conversion = await ValueConversion.create(tx, workspaceId, databaseId, newValues);
      const job = await insertJob(tx, {
        workspaceId,
        kind: "convert_values",
        objectId: databaseId,
        propertyIds: conversion.propertyIds,
        totalCount: await countPages(tx, workspaceId, databaseId),
      });
      await setConversion(tx, workspaceId, databaseId, job.id);
      return new LargeConversion(store, job, conversion);
    }, workspaceId);
  }

  get jobId(): string {
    return this.#job.id;
  }

  get newValues(): NewValues {
    return this.#conversion.newValues;
  }

  /**
   * Converts pages until few are left, which `finish` converts.
   *
   * @throws DomainError (conflict) when the conversion was interrupted for so long that another process ended it
   */
  async run(): Promise<void> {
    const { workspaceId, objectId } = this.#job;
    while (!this.#isComplete) {
      const pages = await this.#convertBatch((tx, batch, limit) =>
        findValuesAfter(tx, workspaceId, objectId, batch.at(-1)?.id ?? this.#lastPageId, limit),
      );
      this.#lastPageId = pages.at(-1)?.id ?? this.#lastPageId;
      this.#isComplete = pages.length === 0;
    }
    // Pages can change faster than they are converted. The caller bounds how often it tries.
    await this.#convertBatch(async (tx, batch, limit) => {
      const ids = await findChangedPages(tx, workspaceId, objectId, batch.at(-1)?.id ?? "", limit);
      return findValues(tx, workspaceId, objectId, ids);
    });
  }

  async #convertBatch(
    read: (tx: Db, batch: readonly StoredValues[], limit: number) => Promise<StoredValues[]>,
  ): Promise<StoredValues[]> {
    const { workspaceId, objectId } = this.#job;
    const { pages, lastNumber } = await this.#store.write(async (tx) => {
      const pages = await readBatch((batch, limit) => read(tx, batch, limit));
      const lastNumber = await this.#conversion.convertPages(tx, pages);
      const ids = pages.map(({ id }) => id);
      await deleteChangedPages(tx, workspaceId, objectId, ids);
      if (!(await recordJobProgress(tx, this.#job, pages.length))) throw createInterruptedError();
      return { pages, lastNumber };
    }, workspaceId);
    this.#conversion.continueAfter(lastNumber);
    return pages;
  }

  /**
   * Converts the pages that have changed since `run`, within the transaction that changes the schema.
   *
   * @throws LargeConversionRequiredError when too many pages have changed; DomainError (conflict) as `run` does
   */
  async finish(tx: Db): Promise<ValueConversion> {
    const { workspaceId, objectId } = this.#job;
    // Adds nothing, but checks that this run still holds the lease, and renews it.
    if (!(await recordJobProgress(tx, this.#job, 0))) throw createInterruptedError();
    const ids = await findChangedPages(tx, workspaceId, objectId, "", MAX_PAGES_IN_TRANSACTION + 1);
    if (ids.length > MAX_PAGES_IN_TRANSACTION)
      throw new LargeConversionRequiredError(objectId, this.newValues);
    const pages = await findValues(tx, workspaceId, objectId, ids);
    const lastNumber = await this.#conversion.convertPages(tx, pages);
    await raiseLastUniqueNumber(tx, workspaceId, objectId, lastNumber);
    await endConversion(tx, this.#job);
    return this.#conversion;
  }

  /** Abandons the conversion. A job removes the converted values later. Does nothing after `finish` was committed. */
  async abandon(): Promise<void> {
    await this.#store.write(async (tx) => {
      if (await recordJobProgress(tx, this.#job, 0)) await abandonConversion(tx, this.#job);
    }, this.#job.workspaceId);
  }
}

/** Replaces the job of an unfinished conversion by one that removes the converted values. */
export async function abandonConversion(tx: Db, job: Job): Promise<void> {
  await endConversion(tx, job);
  await convertToRemovalJob(tx, job, job.propertyIds);
}

async function endConversion(tx: Db, { workspaceId, objectId }: Job): Promise<void> {
  await setConversion(tx, workspaceId, objectId, null);
  await deleteChangedPages(tx, workspaceId, objectId);
}

/** Creates the error for a change of a schema during another one. */
export function createConversionConflictError(): DomainError {
  return new DomainError(
    "conflict",
    "Another request is changing the properties of this database. Send this request again when that one is done.",
  );
}

function createInterruptedError(): DomainError {
  return new DomainError(
    "conflict",
    "The change of the properties was interrupted, and nothing was changed. Send the request again.",
  );
}
