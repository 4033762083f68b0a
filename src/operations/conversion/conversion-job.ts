import { DomainError } from "../../domain/errors.js";
import { getIds, sumBy } from "../../lists.js";
import {
  deletePagesToReconvert,
  findPageIdsToReconvert,
  setConversionJob,
} from "../../storage/databases/conversions.js";
import { findDatabase, raiseLastUniqueNumber } from "../../storage/databases/databases.js";
import type { Store } from "../../storage/engine/store.js";
import { deleteJob, insertJob, type Job, renewLease, requestValueRemoval } from "../../storage/jobs.js";
import { countPages } from "../../storage/pages/pages.js";
import { findPageValues, findPageValuesAfter, type PageValues } from "../../storage/pages/page-values.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";
import type { StorageScope } from "../../storage/tables.js";
import { commitBatch, type JobHandler } from "../jobs/job-handler.js";
import { type ValueChanges, PageConverter } from "./page-converter.js";

/** Thrown by a use case when too many pages must be converted for its transaction. runWrite converts them and tries again. */
export class ConversionNeededError extends Error {
  constructor(
    readonly databaseId: string,
    readonly valueChanges: ValueChanges,
    /** Whether the job of this attempt must run again, because too many pages have changed since it ran. */
    readonly isContinued = false,
  ) {
    super("The values of the database must be converted before its schema changes.");
  }
}

/** Running conversions. Module state, so that those of a workspace together cannot exceed its storage. */
const runningJobs = new Set<ConversionJob>();

/** Converts the values of a large database in batches. Readers see the old values until a transaction changes the schema. */
export class ConversionJob {
  /** Id of the last page of the last batch. */
  #lastPageId = BEFORE_FIRST_ID;
  #isComplete = false;

  private constructor(
    readonly store: Store,
    readonly job: Job,
    readonly converter: PageConverter,
    readonly checkSpace: (addedBytes: number) => void,
  ) {}

  /**
   * Begins a conversion. Throws a DomainError (conflict) when the values of the database are being converted already.
   *
   * @param checkSpace throws an error if the workspace has no space for the bytes that all its running conversions have added
   */
  static async begin(
    store: Store,
    workspaceId: string,
    { databaseId, valueChanges }: ConversionNeededError,
    checkSpace: (addedBytes: number) => void,
  ): Promise<ConversionJob> {
    const conversion = await store.write(workspaceId, async (scope) => {
      const database = await findDatabase(scope, databaseId);
      if (database?.conversionJobId !== null) throw createConversionConflictError();
      const converter = new PageConverter(database, valueChanges);
      const job = await insertJob(scope, {
        kind: "convert_values",
        objectId: databaseId,
        propertyIds: converter.propertyIds,
        totalCount: await countPages(scope, databaseId),
      });
      await setConversionJob(scope, databaseId, job.id);
      return new ConversionJob(store, job, converter, checkSpace);
    });
    runningJobs.add(conversion);
    return conversion;
  }

  /**
   * Converts all pages, then a batch of those that changed. Throws a DomainError (conflict) if another process has ended it, or the
   * error of `checkSpace`.
   */
  async run(): Promise<void> {
    const { objectId } = this.job;
    while (!this.#isComplete) {
      const pages = await this.#convertBatch((scope) =>
        findPageValuesAfter(scope, objectId, this.#lastPageId, this.converter.batchLimit),
      );
      this.#lastPageId = pages.at(-1)?.id ?? this.#lastPageId;
      this.#isComplete = pages.length === 0;
    }
    const { batchLimit } = this.converter;
    await this.#convertBatch(async (scope) => {
      const ids = await findPageIdsToReconvert(scope, objectId, batchLimit.count);
      return findPageValues(scope, ids, batchLimit);
    });
  }

  async #convertBatch(read: (scope: StorageScope) => Promise<PageValues[]>): Promise<PageValues[]> {
    const result = await commitBatch(this.store, this.job, async (scope) => {
      const found = await read(scope);
      const { count, lastNumber } = await this.converter.convertPages(scope, found, { mustFit: false });
      const pages = found.slice(0, count);
      const ids = getIds(pages);
      await deletePagesToReconvert(scope, this.job.objectId, ids);
      return { doneCount: pages.length, nextState: "continue", pages, lastNumber };
    });
    if (result === undefined) throw createInterruptedError();
    this.converter.confirmLastNumber(result.lastNumber);
    const jobs = [...runningJobs].filter(({ job }) => job.workspaceId === this.job.workspaceId);
    this.checkSpace(sumBy(jobs, ({ converter }) => converter.addedBytes));
    return result.pages;
  }

  /** Converts the pages that changed since `run`. Throws a ConversionNeededError for too many, or a DomainError (conflict). */
  async finish(scope: StorageScope): Promise<PageConverter> {
    const { objectId } = this.job;
    if (!(await renewLease(scope, this.job))) throw createInterruptedError();
    const { batchLimit } = this.converter;
    const ids = await findPageIdsToReconvert(scope, objectId, batchLimit.count + 1);
    const pages = await findPageValues(scope, ids, batchLimit);
    const mustContinue = (): never => {
      throw new ConversionNeededError(objectId, this.converter.valueChanges, true);
    };
    if (pages.length < ids.length) mustContinue();
    const { count, lastNumber } = await this.converter.convertPages(scope, pages, { mustFit: true });
    if (count < pages.length) mustContinue();
    await raiseLastUniqueNumber(scope, objectId, lastNumber);
    await endConversion(scope, objectId);
    await deleteJob(scope, this.job.id);
    return this.converter;
  }

  /** Undoes the conversion. Does nothing after `finish` was committed. */
  async abandon(): Promise<void> {
    runningJobs.delete(this);
    await commitBatch(this.store, this.job, (scope) =>
      INTERRUPTED_CONVERSION.runBatch(scope, this.job, null),
    );
  }
}

/** Undoes a conversion: ends it, and lets a job remove the new values. */
export const INTERRUPTED_CONVERSION: JobHandler<null> = {
  isForeground: true,
  async runBatch(scope, { objectId }) {
    await endConversion(scope, objectId);
    await requestValueRemoval(scope, objectId);
    return { doneCount: 0, nextState: null };
  },
};

async function endConversion(scope: StorageScope, databaseId: string): Promise<void> {
  await setConversionJob(scope, databaseId, null);
  await deletePagesToReconvert(scope, databaseId);
}

/** Creates the error for a write that another request's change of the properties prevents. */
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
