import { DefaultQueryCompiler } from "kysely";
import { PROJECT } from "./api-document.js";
import { findUnrestrictedTables } from "./workspace-conditions.js";

const BY_HASH = "the hash of a random token identifies the row";
const BY_ACCOUNT = "an account has rows in several workspaces";
const EXPIRED = "the cleanup of expired rows, in all workspaces";
const COMMAND = "commands of the operator read all workspaces";

/** Functions of the service whose statements are not restricted to a workspace, with the reason. */
export const SERVICE_WIDE: Readonly<Record<string, string>> = {
  "access/accounts/sessions.ts continueSession": BY_HASH,
  "access/keys/authenticate.ts readPrincipal": BY_HASH,
  "storage/access/accounts.ts findMemberships": BY_ACCOUNT,
  "storage/access/invitations.ts deleteExpiredInvitations": EXPIRED,
  "storage/access/invitations.ts deleteInvitationsByCreator": BY_ACCOUNT,
  "storage/access/invitations.ts findInvitationByHash": BY_HASH,
  "storage/access/keys.ts findKeys": COMMAND,
  "storage/access/keys.ts findKeysByIdPrefixOrHash": COMMAND,
  "storage/access/request-counts.ts deleteExpiredRequestCounts": EXPIRED,
  "storage/access/sessions.ts deleteAccountSessions": BY_ACCOUNT,
  "storage/access/sessions.ts deleteOldestSessions": BY_ACCOUNT,
  "storage/access/sessions.ts deleteSession": BY_HASH,
  "storage/access/sessions.ts deleteExpiredSessions": EXPIRED,
  "storage/access/sessions.ts setSessionSeen": BY_HASH,
  "storage/idempotency.ts findWorkspacesWithExpiredResponses": EXPIRED,
  "storage/jobs.ts findAllJobs": COMMAND,
  "storage/jobs.ts findDueJobs": "finds the oldest job of each workspace",
  "storage/transfer/dangling-references.ts checkReference": COMMAND,
  "storage/transfer/export.ts readTable": COMMAND,
};

/** Functions that run the statements of their callers. */
const HELPERS = /\/src\/storage\/(?:engine\/compile-once|sql-helpers)\.ts|\bat (?:async )?readKeys /;

const restricted = new Set<string>();
const violations: string[] = [];

/** Throws if the service compiled a statement on the rows of all workspaces since the last call. */
export function failOnUnrestrictedStatement(): void {
  const [first] = violations.splice(0);
  if (first !== undefined) throw new Error(first);
}

// Not by way of a connection: only while a statement is compiled, the stack has the function that executes it.
const { compileQuery } = DefaultQueryCompiler.prototype;
DefaultQueryCompiler.prototype.compileQuery = function (...args) {
  const query = compileQuery.apply(this, args);
  if (restricted.has(query.sql)) return query;
  const tables = findUnrestrictedTables(query.sql);
  if (tables.length === 0) restricted.add(query.sql);
  const caller = tables.length === 0 ? undefined : findCaller();
  if (caller !== undefined && !(caller in SERVICE_WIDE)) {
    violations.push(`${caller} does not restrict ${tables.join(", ")} to a workspace: ${query.sql}`);
  }
  return query;
};

/** Returns the file and the name of the function that executes a statement; undefined in a test, which can read all workspaces. */
function findCaller(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  const frame = stack
    .split("\n")
    .find(
      (line) =>
        /\/(?:src|test)\//.test(line.replace(PROJECT, "")) &&
        !line.includes(import.meta.filename) &&
        !line.includes("/node_modules/") &&
        !HELPERS.test(line),
    );
  const [, name = "", file] = /at (?:async )?(?:(.+) \()?.*\/src\/(.+?):\d/.exec(frame ?? "") ?? [];
  return file === undefined ? undefined : `${file} ${name}`;
}
