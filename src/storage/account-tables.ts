/** What a key may do: everything, or nothing that changes anything. */
export type KeyAccessLevel = "full" | "read_only";

/** Owners manage all keys and the members, and see the log; members see the keys and manage their own. */
export type Role = "owner" | "member";

/** A person who can sign in. Where they are a member they are a user of the type person too, of the same address. */
export interface AccountsTable {
  id: string;
  /** As it is compared: trimmed and in lower case. */
  email: string;
  name: string;
  /** See access/passwords.ts. */
  password_hash: string;
  created_time: number;
}

export interface MembersTable {
  workspace_id: string;
  account_id: string;
  role: Role;
  created_time: number;
}

export interface SessionsTable {
  /** SHA-256 of the token in the cookie, hexadecimal. The token itself is stored nowhere. */
  hash: string;
  account_id: string;
  /** The workspace that the pages are about. */
  workspace_id: string;
  /** What forms of the session carry. */
  csrf_token: string;
  created_time: number;
  /** Brought up to date at most once a minute. */
  last_seen_time: number;
}

/** Links by which somebody joins a workspace, once. */
export interface InvitationsTable {
  workspace_id: string;
  id: string;
  /** SHA-256 of the token in the link, hexadecimal. */
  hash: string;
  role: Role;
  created_by: string;
  created_time: number;
  expires_time: number;
}

/** Links by which somebody gets a new password, once; an account has one at most. */
export interface PasswordResetsTable {
  account_id: string;
  /** SHA-256 of the token in the link, hexadecimal. */
  hash: string;
  expires_time: number;
}

/** What was done to keys, plans and members, and by whom. Rows are never changed; the ids ascend in time. */
export interface AuditEventsTable {
  workspace_id: string;
  id: string;
  time: number;
  actor_type: "operator" | "account";
  /** The account's id; null for the operator, who has none. */
  actor_id: string | null;
  actor_name: string;
  action: string;
  subject_id: string | null;
  subject_name: string;
  /** Text for people. */
  detail: string;
}

/** Requests of a workspace in a minute, over all processes. */
export interface RequestCountsTable {
  workspace_id: string;
  /** Minutes since 1970. */
  minute: number;
  passed: number;
  refused: number;
}

/** The tables of people and their workspaces. */
export interface AccountTables {
  accounts: AccountsTable;
  members: MembersTable;
  sessions: SessionsTable;
  invitations: InvitationsTable;
  password_resets: PasswordResetsTable;
  audit_events: AuditEventsTable;
  request_counts: RequestCountsTable;
}
