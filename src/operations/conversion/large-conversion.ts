import { DomainError } from "../../domain/errors.js";
import {
  deleteAllChangedPages,
  deleteChangedPages,
  findChangedPageIds,
  setConversionJob,
} from "../../storage/conversions.js";
import { findDatabase, raiseLastUniqueNumber } from "../../storage/databases.js";
import type { Store } from "../../storage/engine/store.js";
import { insertJob, type Job, recordJobProgress, replaceByRemovalJob } from "../../storage/jobs.js";
import { countPages } from "../../storage/pages.js";
import { findPageValues, findPageValuesAfter, type PageValues } from "../../storage/page-values.js";
import type { StorageScope } from "../../storage/tables.js";
import { type NewValues, PageConverter } from "./page-converter.js";

/** Thrown by a use case when too many pages must be converted for its transaction. runWrite converts them and tries again. */
export class LargeConversionRequiredError extends Error {
  constructor(
    readonly databaseId: string,
    readonly newValues: NewValues,
  ) {
    super("The values of the database must be converted before its schema changes.");
  }
}

/**
 * Converts the values of a large database in batches, before the transaction that changes the schema. Until that transaction,
 * readers see the old values. A database has only one such conversion at a time.
 */
export class LargeConversion {
  readonly #store: Store;
  readonly #job: Job;
  readonly #converter: PageConverter;
  /** Id of the last page of the last batch; empty before the first batch. */
  #lastPageId = "";
  #isComplete = false;

  private constructor(store: Store, job: Job, converter: PageConverter) {
    this.#store = store;
    this.#job = job;
    this.#converter = converter;
  }

  /** Begins a conversion. Throws a DomainError (conflict) when the values of the database are being converted already. */
  static async begin(
    store: Store,
    workspaceId: string,
    { databaseId, newValues }: LargeConversionRequiredError,
  ): Promise<LargeConversion> {
    return store.write(workspaceId, async (scope) => {
      const database = await findDatabase(scope, databaseId);
      if (database?.conversionJobId !== null) throw createConversionConflictError();
      const converter = await PageConverter.create(scope, databaseId, newValues);
      const job = await insertJob(scope, {
        kind: "convert_values",
        objectId: databaseId,
        propertyIds: converter.propertyIds,
        totalCount: await countPages(scope, databaseId),
      });
      await setConversionJob(scope, databaseId, job.id);
      return new LargeConversion(store, job, converter);
    });
  }

  get jobId(): string {
    return this.#job.id;
  }

  get newValues(): NewValues {
    return this.#converter.newValues;
  }

  /**
   * Converts all pages, and then a batch of the pages that have changed in the meantime. `finish` converts the remaining ones.
   * Throws a DomainError (conflict) when the conversion paused for so long that another process has ended it.
   */
  async run(): Promise<void> {
    const { objectId } = this.#job;
    while (!this.#isComplete) {
      const pages = await this.#convertBatch((scope) =>
        findPageValuesAfter(scope, objectId, this.#lastPageId, this.#converter.batchLimit),
      );
      this.#lastPageId = pages.at(-1)?.id ?? this.#lastPageId;
      this.#isComplete = pages.length === 0;
    }
    const { batchLimit } = this.#converter;
    await this.#convertBatch(async (scope) => {
      const ids = await findChangedPageIds(scope, objectId, batchLimit.count);
      return findPageValues(scope, ids, batchLimit);
    });
  }

  async #convertBatch(read: (scope: StorageScope) => Promise<PageValues[]>): Promise<PageValues[]> {
    const { workspaceId, objectId } = this.#job;
    const { pages, lastNumber } = await this.#store.write(workspaceId, async (scope) => {
      const pages = await read(scope);
      const lastNumber = await this.#converter.convertPages(scope, pages);
      const ids = pages.map(({ id }) => id);
      await deleteChangedPages(scope, objectId, ids);
      if (!(await recordJobProgress(scope, this.#job, pages.length))) throw createInterruptedError();
      return { pages, lastNumber };
    });
    this.#converter.continueAfter(lastNumber);
    return pages;
  }

  /**
   * Converts the pages that have changed since `run`, within the transaction that changes the schema. Throws a
   * LargeConversionRequiredError when too many pages have changed, or a DomainError (conflict), see `run`.
   */
  async finish(scope: StorageScope): Promise<PageConverter> {
    const { objectId } = this.#job;
    // Checks that this run still holds the lease, and renews it.
    if (!(await recordJobProgress(scope, this.#job, 0))) throw createInterruptedError();
    const { batchLimit } = this.#converter;
    const ids = await findChangedPageIds(scope, objectId, batchLimit.count + 1);
    const pages = await findPageValues(scope, ids, batchLimit);
    if (pages.length < ids.length) throw new LargeConversionRequiredError(objectId, this.newValues);
    const lastNumber = await this.#converter.convertPages(scope, pages);
    await raiseLastUniqueNumber(scope, objectId, lastNumber);
    await endConversion(scope, this.#job);
    return this.#converter;
  }

  /** Ends the conversion without finishing it, so that a job removes the new values. Does nothing after `finish` was committed. */
  async abandon(): Promise<void> {
    await this.#store.write(this.#job.workspaceId, async (scope) => {
      if (await recordJobProgress(scope, this.#job, 0)) await abandonConversion(scope, this.#job);
    });
  }
}

/** Ends an unfinished conversion, and turns its job into one that removes the new values. */
export async function abandonConversion(scope: StorageScope, job: Job): Promise<void> {
  await endConversion(scope, job);
  await replaceByRemovalJob(scope, job.id, job.propertyIds);
}

async function endConversion(scope: StorageScope, { objectId }: Job): Promise<void> {
  await setConversionJob(scope, objectId, null);
  await deleteAllChangedPages(scope, objectId);
}

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
