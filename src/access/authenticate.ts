import { setTimeout as sleep } from "node:timers/promises";
import { requestLimit, type Plan } from "../domain/limits.js";
import { findKeyAccess } from "../storage/keys.js";
import type { Store } from "../storage/store.js";
import { hashKey, hasValidChecksum } from "./api-keys.js";

/** Who sends a request. */
export interface Principal {
  /** The key's id, which is also the id of its bot user. */
  readonly keyId: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly plan: Plan;
  /** Requests a minute. */
  readonly limit: number;
  /** Whether the key may change anything. */
  readonly readOnly: boolean;
}

/**
 * Finds out who sends a request.
 *
 * @param authorization The Authorization header.
 * @returns undefined when it carries no key that is valid now.
 */
export type Authenticate = (authorization: string | undefined) => Promise<Principal | undefined>;

interface CachedPrincipal {
  readonly principal: Principal;
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresTime: number;
  /** On the clock of performance.now(). */
  readonly readAt: number;
}

/** How long a revoked key may still work, in milliseconds, in this process as in every other; a second has to suffice. */
const CACHE_LIFE = 900;
const CACHE_SIZE = 10_000;
/** How long a key that was looked up in vain takes, in milliseconds: whether it ever was one is not to be told by that. */
const REFUSAL_TIME = 2;

/**
 * Makes the check of API keys over a store. Valid keys are remembered for a second. Others are not, so that
 * nobody can fill the memory with invented keys; most of those fail their checksum and cost no look-up.
 */
export function createAuthenticate(store: Store): Authenticate {
  const cache = new Map<string, CachedPrincipal>();
  /** Reads that are under way: many requests may come with a key at the moment when it has to be read anew. */
  const reading = new Map<string, Promise<CachedPrincipal | undefined>>();

  async function readPrincipal(hash: string): Promise<CachedPrincipal | undefined> {
    // Before the read: what is revoked while it runs must count within the second too.
    const readAt = performance.now();
    const access = await findKeyAccess(store.read, hash);
    if (access === undefined || access.revokedTime !== null) return undefined;
    const { keyId, workspaceId, workspaceName, plan, ownLimit, expiresTime } = access;
    if ((expiresTime ?? Infinity) <= Date.now()) return undefined;
    const limit = requestLimit(plan, ownLimit);
    const readOnly = access.access !== "full";
    return {
      principal: { keyId, workspaceId, workspaceName, plan, limit, readOnly },
      expiresTime: expiresTime ?? Infinity,
      readAt,
    };
  }

  function lookUp(hash: string): Promise<CachedPrincipal | undefined> {
    const begun = reading.get(hash);
    if (begun !== undefined) return begun;
    const started = readPrincipal(hash).finally(() => reading.delete(hash));
    reading.set(hash, started);
    return started;
  }

  return async (authorization) => {
    const key = readBearerToken(authorization);
    if (key === undefined) return undefined;
    const hash = hashKey(key);
    let entry = cache.get(hash);
    if (entry === undefined || performance.now() - entry.readAt >= CACHE_LIFE) {
      if (!hasValidChecksum(key)) return undefined;
      cache.delete(hash);
      const refusal = sleep(REFUSAL_TIME);
      entry = await lookUp(hash);
      if (entry === undefined) {
        await refusal;
        return undefined;
      }
      if (cache.size >= CACHE_SIZE) cache.clear();
      cache.set(hash, entry);
    }
    return entry.expiresTime > Date.now() ? entry.principal : undefined;
  };
}

/** The token of a header of the form `Bearer TOKEN`; the scheme is written in any case (RFC 9110, 11.1). */
function readBearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];
}
