import { type ReadScope, Scopes, type Urls, type WriteScope } from "../../src/operations/execution/scope.js";
import { runWrite } from "../../src/operations/execution/run-write.js";
import type { Principal } from "../../src/access/keys/authenticate.js";
import type { Store } from "../../src/storage/engine/store.js";

/** Addresses for scopes. */
export const URLS: Urls = { app: "http://localhost:3000", api: "http://localhost:3000" };

/** Creates a principal with full access to a workspace. */
export function createPrincipal(workspaceId: string): Principal {
  return {
    userId: "key",
    workspaceId,
    workspaceName: "",
    plan: "free",
    requestLimit: 1,
    readOnly: false,
    countedBytes: 0,
    writtenBytes: 0,
  };
}

/** Creates the scope of a read in a workspace. */
export function readScope(store: Store, workspaceId: string, createSignal?: () => AbortSignal): ReadScope {
  return new Scopes(store, URLS).createReadScope(createPrincipal(workspaceId), createSignal);
}

/** Runs a use case in a transaction, without the jobs that it inserts. */
export function runUseCase<T>(
  store: Store,
  workspaceId: string,
  useCase: (scope: WriteScope) => Promise<T>,
): Promise<T> {
  return store.write(workspaceId, ({ db }) => {
    const outcome = { conversionJob: undefined, jobs: [] };
    return useCase(new Scopes(store, URLS).createWriteScope(createPrincipal(workspaceId), db, outcome));
  });
}

/** Runs a use case with its jobs, as handlers do. */
export function runUseCaseWithJobs<T>(
  store: Store,
  workspaceId: string,
  useCase: (scope: WriteScope) => Promise<T>,
  principal = createPrincipal(workspaceId),
): Promise<T> {
  return runWrite(new Scopes(store, URLS), principal, useCase);
}
