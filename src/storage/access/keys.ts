import { sql, type SqlBool } from "kysely";
import type { AccessTables } from "./tables.js";
import { compileOnce, takeFirst } from "../engine/compile-once.js";
import { type Entity, toCamelCase, toSnakeCase } from "../column-names.js";
import type { Db, StorageScope } from "../tables.js";
import { IS_VISIBLE } from "./workspaces.js";
import { updateTable } from "../workspace-rows.js";

export type ApiKey = Entity<Omit<AccessTables["api_keys"], "hash">>;

export interface ListedApiKey extends ApiKey {
  readonly workspaceName: string;
  /** Null for the operator. */
  readonly creator: { readonly name: string; readonly isMember: boolean } | null;
}

/** Finds a key, even a revoked or expired one, and its workspace by the hash of the key. Finds none while the workspace is hidden. */
export const findKeyWithWorkspace = takeFirst(
  compileOnce((db, hash: string) =>
    db
      .selectFrom("api_keys as k")
      .innerJoin("workspaces as w", "w.id", "k.workspace_id")
      .select([
        "k.id as keyId",
        "k.expires_time as expiresTime",
        "k.revoked_time as revokedTime",
        "w.id as workspaceId",
        "w.name as workspaceName",
        "w.plan",
        "w.request_limit as customRequestLimit",
        "k.access",
        "w.counted_bytes as countedBytes",
        "w.written_bytes as writtenBytes",
      ])
      .where("k.hash", "=", hash)
      .where(IS_VISIBLE)
      .limit(1),
  ),
);

/** Inserts a key; `hash` is its SHA-256, hexadecimal. */
export async function insertKey(tx: Db, key: ApiKey, hash: string): Promise<void> {
  await tx
    .insertInto("api_keys")
    .values({ ...toSnakeCase(key), hash })
    .execute();
}

/** Reads the keys of a workspace, or of all workspaces when it is omitted, oldest first. */
export function findKeys(db: Db, workspaceId?: string): Promise<ListedApiKey[]> {
  return readKeys(
    workspaceId === undefined ? selectListedKeys(db) : selectWorkspaceKeys({ db, workspaceId }),
  );
}

/** Reads up to `limit` active keys of a creator who is no longer a member, in the order of their ids. */
export function findActiveKeysOfFormerMember(
  scope: StorageScope,
  creatorId: string,
  now: number,
  limit: number,
): Promise<ListedApiKey[]> {
  return readKeys(
    selectWorkspaceKeys(scope)
      .where("k.created_by", "=", creatorId)
      .where("m.account_id", "is", null)
      .where("k.revoked_time", "is", null)
      .where((eb) => eb.or([eb("k.expires_time", "is", null), eb("k.expires_time", ">", now)]))
      .clearOrderBy()
      .orderBy("k.id")
      .limit(limit),
  );
}

/** Finds the next creator after the id `after` who is no longer a member and has active keys. A loose index scan, one key per creator. */
export async function findFormerMemberWithKeys(
  { db, workspaceId }: StorageScope,
  after: string,
  now: number,
): Promise<string | undefined> {
  const keys = sql`api_keys where workspace_id = ${workspaceId} and revoked_time is null`;
  const creators = sql<{ id: string | null }>`(
    with recursive creators (id) as (
      select min(created_by) from ${keys} and created_by > ${after}
      union all
      select (select min(created_by) from ${keys} and created_by > creators.id) from creators where id is not null
    ) select id from creators)`;
  const isMember = sql`select 1 from members where workspace_id = ${workspaceId} and account_id = c.id`;
  const hasActiveKeys = sql`select 1 from ${keys} and created_by = c.id
    and (expires_time is null or expires_time > ${now})`;
  const former = await db
    .selectFrom(creators.as("c"))
    .select("c.id")
    .where(sql<SqlBool>`not exists (${isMember}) and exists (${hasActiveKeys})`)
    .limit(1)
    .executeTakeFirst();
  return former?.id ?? undefined;
}

/** Place in the list of findNewestKeys. */
export interface KeyPosition {
  readonly id: string;
  readonly createdTime: number;
  readonly isRevoked: boolean;
}

/** Reads up to `limit` keys, newest first, and revoked ones after all others, from the beginning or after a position. */
export async function findNewestKeys(
  scope: StorageScope,
  after: KeyPosition | undefined,
  limit: number,
): Promise<ListedApiKey[]> {
  if (after?.isRevoked === true) return findNewestKeysOfState(scope, true, after, limit);
  const keys = await findNewestKeysOfState(scope, false, after, limit);
  if (keys.length === limit) return keys;
  return [...keys, ...(await findNewestKeysOfState(scope, true, undefined, limit - keys.length))];
}

function findNewestKeysOfState(
  scope: StorageScope,
  isRevoked: boolean,
  after: KeyPosition | undefined,
  limit: number,
): Promise<ListedApiKey[]> {
  return readKeys(
    selectWorkspaceKeys(scope)
      // The expression of the index api_keys_newest.
      .where(sql<SqlBool>`(k.revoked_time is not null) = ${isRevoked ? sql`true` : sql`false`}`)
      .$if(after !== undefined, (query) =>
        query.where(sql<SqlBool>`(k.created_time, k.id) < (${after?.createdTime}, ${after?.id})`),
      )
      .clearOrderBy()
      .orderBy("k.created_time", "desc")
      .orderBy("k.id", "desc")
      .limit(limit),
  );
}

/** Reads a key of a workspace; undefined when the workspace has no key with this id. */
export async function findWorkspaceKey(scope: StorageScope, id: string): Promise<ListedApiKey | undefined> {
  const [key] = await readKeys(selectWorkspaceKeys(scope).where("k.id", "=", id).limit(1));
  return key;
}

/** Finds the keys with an id, prefix or hash. Several keys can have the same prefix. */
export function findKeysByIdPrefixOrHash(db: Db, idOrPrefix: string, hash: string): Promise<ListedApiKey[]> {
  return readKeys(
    selectListedKeys(db).where((eb) =>
      eb.or([eb("k.id", "=", idOrPrefix), eb("k.prefix", "=", idOrPrefix), eb("k.hash", "=", hash)]),
    ),
  );
}

export async function setKeyRevoked(scope: StorageScope, id: string, time: number): Promise<void> {
  await updateTable(scope, "api_keys").set({ revoked_time: time }).where("id", "=", id).execute();
}

/** Records the successor of a key, and lets the key expire at `expiresTime`. */
export async function setKeyReplaced(
  scope: StorageScope,
  id: string,
  replacedBy: string,
  expiresTime: number,
): Promise<void> {
  await updateTable(scope, "api_keys")
    .set({ replaced_by: replacedBy, expires_time: expiresTime })
    .where("id", "=", id)
    .execute();
}

/** Records the last use of a key, unless a use since `unlessUsedSince` is recorded already. */
export async function setKeyUsed(
  scope: StorageScope,
  id: string,
  time: number,
  unlessUsedSince: number,
): Promise<void> {
  await updateTable(scope, "api_keys")
    .set({ last_used_time: time })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("last_used_time", "is", null), eb("last_used_time", "<", unlessUsedSince)]))
    .execute();
}

function selectWorkspaceKeys({ db, workspaceId }: StorageScope) {
  return selectListedKeys(db).where("k.workspace_id", "=", workspaceId);
}

/** Selects keys of all visible workspaces, oldest first. `memberId` is null for a former member, whose account remains. */
function selectListedKeys(db: Db) {
  return db
    .selectFrom("api_keys as k")
    .innerJoin("workspaces as w", "w.id", "k.workspace_id")
    .leftJoin("accounts as a", "a.id", "k.created_by")
    .leftJoin("members as m", (join) =>
      join.onRef("m.workspace_id", "=", "k.workspace_id").onRef("m.account_id", "=", "k.created_by"),
    )
    .selectAll("k")
    .select(["w.name as workspaceName", "a.name as creatorName", "m.account_id as memberId"])
    .where(IS_VISIBLE)
    .orderBy("k.created_time")
    .orderBy("k.id");
}

async function readKeys(query: ReturnType<typeof selectListedKeys>): Promise<ListedApiKey[]> {
  const rows = await query.execute();
  return rows.map(({ creatorName, memberId, ...columns }) => {
    const key = toCamelCase(columns, { omit: "hash" });
    const creator = { name: creatorName ?? "a deleted account", isMember: memberId !== null };
    return { ...key, creator: key.createdBy === null ? null : creator };
  });
}
