import { setTimeout as sleep } from "node:timers/promises";
import { KEY_CACHE_SIZE, LOOKUP_QUEUE } from "../../budgets.js";
import { getRequestLimit, type Plan } from "../../domain/plans.js";
import { FairQueue } from "../../queues/fair-queue.js";
import { getOrCreate } from "../../get-or-create.js";
import { createLruCache } from "../../lru-cache.js";
import { findKeyWithWorkspace } from "../../storage/access/keys.js";
import type { Store } from "../../storage/engine/store.js";
import { toNetwork } from "../limits/client-address.js";
import { isWellFormedKey } from "./key-format.js";
import { hashToken } from "../accounts/tokens.js";

/** The user who acts in a workspace: the bot of an API key, or a member who is signed in. */
export interface Principal {
  /** Id of the user. A bot has the id of its key. */
  readonly userId: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly plan: Plan;
  /** Requests per minute. */
  readonly requestLimit: number;
  readonly readOnly: boolean;
  /** Bytes that the workspace stored at its last count. */
  readonly countedBytes: number;
  /** Upper bound of the bytes that were written to the workspace since that count. The latest writes are not included. */
  readonly writtenBytes: number;
}

interface CachedPrincipal {
  readonly principal: Principal;
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresTime: number;
  /** On the clock of performance.now(). */
  readonly readAt: number;
}

/** Maximum time that a revoked key keeps working. Shorter than the second that the docs promise. */
const CACHE_TTL_MS = 900;
/** Minimum time of a failed lookup, so that timing does not reveal revoked keys. */
const MIN_FAILURE_MS = 2;

export type LookupQueue = ReturnType<typeof createLookupQueue>;

/** Creates the function that looks up secrets that anybody can send, such as keys. It throws a BusyError when too many wait. */
export function createLookupQueue() {
  const queue = new FairQueue(LOOKUP_QUEUE);
  return <Result>(address: string | undefined, read: () => Promise<Result>): Promise<Result> =>
    queue.run(toNetwork(address), read);
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Creates the authenticator for API keys. Caches principals for CACHE_TTL_MS, but not invalid keys, which could fill the memory. */
export function createAuthenticator(store: Store, queueLookup = createLookupQueue()) {
  const cache = createLruCache<CachedPrincipal>(KEY_CACHE_SIZE);
  /** Lookups in progress, which requests with the same key share. */
  const pendingReads = new Map<string, Promise<CachedPrincipal | undefined>>();

  async function readPrincipal(hash: string): Promise<CachedPrincipal | undefined> {
    // The time before the read, so that a key that is revoked during the read stops working within a second too.
    const readAt = performance.now();
    const found = await findKeyWithWorkspace(store.read, hash);
    if (found === undefined) return undefined;
    const { keyId, access, revokedTime, customRequestLimit, expiresTime, ...workspace } = found;
    if (revokedTime !== null || (expiresTime ?? Infinity) <= Date.now()) return undefined;
    const requestLimit = getRequestLimit(found.plan, customRequestLimit);
    const principal = { ...workspace, userId: keyId, requestLimit, readOnly: access !== "full" };
    return { principal, expiresTime: expiresTime ?? Infinity, readAt };
  }

  /** Returns the principal of a request; undefined without a valid key. Throws a BusyError when too many unknown keys wait. */
  return async (
    authorization: string | undefined,
    readAddress: () => string | undefined = () => undefined,
  ): Promise<Principal | undefined> => {
    const key = readBearerToken(authorization);
    if (key === undefined) return undefined;
    const hash = hashToken(key);
    let entry = cache.get(hash);
    if (entry === undefined || performance.now() - entry.readAt >= CACHE_TTL_MS) {
      if (!isWellFormedKey(key)) return undefined;
      const isKnown = cache.delete(hash);
      const minimumTime = sleep(MIN_FAILURE_MS);
      const read = () => readPrincipal(hash);
      entry = await getOrCreate(pendingReads, hash, () =>
        (isKnown ? read() : queueLookup(readAddress(), read)).finally(() => pendingReads.delete(hash)),
      );
      if (entry === undefined) {
        await minimumTime;
        return undefined;
      }
      cache.set(hash, entry);
    }
    return entry.expiresTime > Date.now() ? entry.principal : undefined;
  };
}

/** Reads the token of a header `Bearer TOKEN`. The scheme is case-insensitive (RFC 9110, section 11.1). */
export function readBearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];
}
