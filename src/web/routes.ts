import type { SignedInRequest, WebRequest } from "./request.js";
import type { WebResponse } from "./response.js";

/** The page that people see after signing in, unless they were on the way to another page. */
export const START_PATH = "/";
/** The settings page that `/settings` redirects to. */
export const SETTINGS_PATH = "/settings/api";

/** The audience of a route: everybody, signed-in people, or owners of the session's workspace. */
type Audience = "anyone" | "member" | "owner";

export interface Route {
  readonly method: "GET" | "POST";
  /** `:id` is a UUID, `:object` the same with or without hyphens, in any case, `:token` the token of a link. */
  readonly path: string;
  readonly audience: Audience;
}

export const ROUTES = {
  start: { method: "GET", path: START_PATH, audience: "anyone" },
  showSignIn: { method: "GET", path: "/sign-in", audience: "anyone" },
  signIn: { method: "POST", path: "/sign-in", audience: "anyone" },
  showSignUp: { method: "GET", path: "/sign-up", audience: "anyone" },
  signUp: { method: "POST", path: "/sign-up", audience: "anyone" },
  signOut: { method: "POST", path: "/sign-out", audience: "anyone" },
  showJoin: { method: "GET", path: "/join/:token", audience: "anyone" },
  join: { method: "POST", path: "/join/:token", audience: "member" },
  showPasswordReset: { method: "GET", path: "/reset/:token", audience: "anyone" },
  resetPassword: { method: "POST", path: "/reset/:token", audience: "anyone" },
  settings: { method: "GET", path: "/settings", audience: "anyone" },
  showKeys: { method: "GET", path: "/settings/api", audience: "member" },
  createKey: { method: "POST", path: "/settings/api/keys", audience: "member" },
  rotateKey: { method: "POST", path: "/settings/api/keys/:id/rotate", audience: "member" },
  revokeKey: { method: "POST", path: "/settings/api/keys/:id/revoke", audience: "member" },
  revokeFormerKeys: { method: "POST", path: "/settings/api/keys/revoke-former", audience: "owner" },
  showMembers: { method: "GET", path: "/settings/members", audience: "member" },
  invite: { method: "POST", path: "/settings/members/invite", audience: "owner" },
  removeMember: { method: "POST", path: "/settings/members/:id/remove", audience: "owner" },
  withdrawInvitation: {
    method: "POST",
    path: "/settings/members/invitations/:id/withdraw",
    audience: "owner",
  },
  switchWorkspace: { method: "POST", path: "/settings/workspace", audience: "member" },
  showAccount: { method: "GET", path: "/settings/account", audience: "member" },
  rename: { method: "POST", path: "/settings/account/name", audience: "member" },
  changePassword: { method: "POST", path: "/settings/account/password", audience: "member" },
  showSearch: { method: "GET", path: "/search", audience: "member" },
  showTrash: { method: "GET", path: "/trash", audience: "member" },
  showEmptyTrash: { method: "GET", path: "/trash/empty", audience: "owner" },
  emptyTrash: { method: "POST", path: "/trash/empty", audience: "owner" },
  showDelete: { method: "GET", path: "/trash/:id/delete", audience: "member" },
  deletePermanently: { method: "POST", path: "/trash/:id/delete", audience: "member" },
  restore: { method: "POST", path: "/trash/:id/restore", audience: "member" },
  showObject: { method: "GET", path: "/:object", audience: "member" },
} as const satisfies Record<string, Route>;

/** Patterns of the path parameters. A route does not match a path with any other value. */
export const PARAM_PATTERNS = {
  object: "(?:[\\da-fA-F]{32}|[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12})",
  id: "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}",
  token: "[\\w-]{43}",
} as const;

/** Returns the pattern of a route's paths, without a query string. */
export function toPathPattern({ path }: Route): string {
  return Object.entries(PARAM_PATTERNS).reduce<string>(
    (pattern, [name, value]) => pattern.replace(`:${name}`, value),
    path,
  );
}

export type RouteName = keyof typeof ROUTES;

/** Handlers by route. Handlers for members and owners get a session. */
export type RouteHandlers = {
  [Name in RouteName]: (
    request: (typeof ROUTES)[Name]["audience"] extends "anyone" ? WebRequest : SignedInRequest,
  ) => WebResponse | Promise<WebResponse>;
};
