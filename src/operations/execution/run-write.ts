import { MAX_TRANSACTIONS_PER_WRITE } from "../../budgets.js";
import type { Principal } from "../../access/keys/authenticate.js";
import type { Store } from "../../storage/engine/store.js";
import type { Job } from "../../storage/jobs.js";
import { checkSpaceForJobs } from "../check/storage-limit.js";
import { runJob } from "../jobs/run-job.js";
import type { Scopes, WriteScope } from "./scope.js";
import {
  createConversionConflictError,
  ConversionJob,
  ConversionNeededError,
} from "../conversion/conversion-job.js";

/**
 * Runs a use case in a transaction, and resolves when its result is durable. A conversion job runs before the transaction, and the jobs
 * of the use case after it, in batches. The use case can run several times, so it must have no other effects. Throws its errors, those
 * of Store.write, and a DomainError (restricted) when the principal may not write.
 */
export async function runWrite<T>(
  scopes: Scopes,
  principal: Principal,
  runUseCase: (scope: WriteScope) => Promise<T>,
): Promise<T> {
  const { store, urls } = scopes;
  let conversionJob: ConversionJob | undefined;
  const attempt = (): Promise<{ result: T; jobs: Job[] }> =>
    store.write(principal.workspaceId, async ({ db: tx }) => {
      const jobs: Job[] = [];
      const scope = scopes.createWriteScope(principal, tx, { conversionJob, jobs });
      return { result: await runUseCase(scope), jobs };
    });
  try {
    for (let attempts = 1; ; attempts += 1) {
      try {
        const { result, jobs } = await attempt();
        await runJobs(store, jobs);
        return result;
      } catch (error) {
        if (!(error instanceof ConversionNeededError)) throw error;
        if (attempts === MAX_TRANSACTIONS_PER_WRITE) throw createConversionConflictError();
        if (!error.isContinued) {
          await conversionJob?.abandon();
          conversionJob = await ConversionJob.begin(store, principal.workspaceId, error, (addedBytes) =>
            checkSpaceForJobs({ principal, urls }, addedBytes),
          );
        }
        await conversionJob?.run();
      }
    }
  } finally {
    // Does nothing if the use case finished the conversion. Not awaited, because later writes of the workspace wait for it anyway. If
    // it fails, another process removes the converted values when the lease of the job has ended.
    void conversionJob?.abandon().catch(() => {});
  }
}

async function runJobs(store: Store, jobs: readonly Job[]): Promise<void> {
  try {
    for (const job of jobs) await runJob(store, job);
  } catch {
    // Not an error of the request, whose result is durable. A process takes over the stored job, and logs an error that repeats.
  }
}
