import type { Generated } from "kysely";
import type { Plan } from "../../domain/plans.js";

/* Tables of workspaces, and of the accounts, sessions and keys with access to them. Times are milliseconds since 1970. */

/** Permissions of a key. "read_only" allows no operation that changes something. */
export type KeyAccessLevel = "full" | "read_only";

/** Owners manage members and all keys and see the audit log. Members see all keys and manage their own. */
export type Role = "owner" | "member";

/** Changes that the audit log of a workspace records. */
export type AuditAction =
  | `key.${"created" | "rotated" | "revoked"}`
  | "plan.changed"
  | "workspace.renamed"
  | `${"page" | "database"}.deleted`
  | "trash.emptied"
  | `member.${"invited" | "joined" | "promoted" | "renamed" | "removed"}`
  | "invitation.withdrawn"
  | `password.${"changed" | "link_created" | "reset"}`;

export interface AccessTables {
  workspaces: {
    id: string;
    /** Unique on this service. The id while the workspace is being deleted or imported. */
    name: string;
    plan: Plan;
    /** Custom limit of an enterprise workspace, in requests per minute; null without one. */
    request_limit: number | null;
    created_time: number;
    /** Bytes of the content when it was last counted. */
    counted_bytes: Generated<number>;
    /** Upper bound of the bytes that were written since. */
    written_bytes: Generated<number>;
    /** Start of the last count; 0 before the first one. */
    counted_time: Generated<number>;
  };

  api_keys: {
    workspace_id: string;
    id: string;
    /** SHA-256 of the key, in hexadecimal. The key itself is not stored. */
    hash: string;
    /** The first and the last characters of the key, by which people recognize it. */
    prefix: string;
    last_four: string;
    name: string;
    created_time: number;
    expires_time: number | null;
    revoked_time: number | null;
    /** Updated at most once a minute. */
    last_used_time: number | null;
    access: KeyAccessLevel;
    /** Id of the key that replaces it after a rotation. */
    replaced_by: string | null;
    /** Id of the account that created it; null if the operator did. */
    created_by: string | null;
  };

  /** People who can sign in. Each workspace of an account also has a row in `users` with the same address. */
  accounts: {
    id: string;
    /** Normalized, see normalizeEmail. */
    email: string;
    name: string;
    /** Hash with its parameters, see access/accounts/passwords.ts. */
    password_hash: string;
    created_time: number;
  };

  /** Accounts that belong to a workspace. */
  members: {
    workspace_id: string;
    account_id: string;
    role: Role;
    created_time: number;
  };

  sessions: {
    /** SHA-256 of the token in the cookie, hexadecimal. The token itself is not stored. */
    hash: string;
    account_id: string;
    /** The workspace that web pages show. */
    workspace_id: string;
    /** CSRF token of the forms of the session. */
    csrf_token: string;
    created_time: number;
    /** Updated at most once a minute. */
    last_seen_time: number;
  };

  /** Links with which a person joins a workspace. Each works once. */
  invitations: {
    workspace_id: string;
    id: string;
    /** SHA-256 of the token in the link, hexadecimal. */
    hash: string;
    role: Role;
    /** Id of the account that created the invitation, "operator" for commands, or "setup" for setup links. */
    created_by: string;
    created_time: number;
    expires_time: number;
  };

  /** Links with which an account gets a new password. Each works once, and an account has at most one. */
  password_resets: {
    account_id: string;
    /** SHA-256 of the token in the link, hexadecimal. */
    hash: string;
    expires_time: number;
  };

  /** Log of changes to keys, plans and members. Rows are never changed, and ids ascend in time. */
  audit_events: {
    workspace_id: string;
    id: string;
    time: number;
    actor_type: "operator" | "account";
    /** Id of the account; null for the operator. */
    actor_id: string | null;
    actor_name: string;
    action: AuditAction;
    subject_id: string | null;
    subject_name: string;
    /** Text for people; empty when there is nothing to add. */
    detail: string;
  };

  /** Requests of a workspace per minute, over all processes. */
  request_counts: {
    workspace_id: string;
    /** Minutes since 1970. */
    minute: number;
    /** Requests within the rate limit. */
    passed: number;
    /** Requests beyond the rate limit. */
    refused: number;
  };
}
