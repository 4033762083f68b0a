/** Who gets an answer: everybody, who is signed in, or owners of the workspace that their session is about. */
type Audience = "anyone" | "member" | "owner";

interface Route {
  readonly method: "GET" | "POST";
  /** In it `:id` stands for an id, and `:token` for the token of a link. */
  readonly path: string;
  readonly audience: Audience;
}

/** Every path of the web application, and who may ask for it. */
export const ROUTES = {
  start: { method: "GET", path: "/", audience: "anyone" },
  showSignIn: { method: "GET", path: "/sign-in", audience: "anyone" },
  signIn: { method: "POST", path: "/sign-in", audience: "anyone" },
  showSignUp: { method: "GET", path: "/sign-up", audience: "anyone" },
  signUp: { method: "POST", path: "/sign-up", audience: "anyone" },
  signOut: { method: "POST", path: "/sign-out", audience: "anyone" },
  showJoin: { method: "GET", path: "/join/:token", audience: "anyone" },
  join: { method: "POST", path: "/join/:token", audience: "member" },
  showReset: { method: "GET", path: "/reset/:token", audience: "anyone" },
  reset: { method: "POST", path: "/reset/:token", audience: "anyone" },
  showKeys: { method: "GET", path: "/settings/api", audience: "member" },
  createKey: { method: "POST", path: "/settings/api/keys", audience: "member" },
  rotateKey: { method: "POST", path: "/settings/api/keys/:id/rotate", audience: "member" },
  revokeKey: { method: "POST", path: "/settings/api/keys/:id/revoke", audience: "member" },
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
  changePassword: { method: "POST", path: "/settings/account/password", audience: "member" },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** The route of a request. */
export interface FoundRoute {
  readonly name: RouteName;
  /** What the path has in the place of `:id` or `:token`; empty without. */
  readonly part: string;
}

const PLACES: Readonly<Record<string, string>> = {
  ":id": "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
  ":token": "([\\w-]{43})",
};

const fixed = new Map<string, RouteName>();
const patterns: { name: RouteName; pattern: RegExp }[] = [];
// The cast: those are the keys of the table.
for (const name of Object.keys(ROUTES) as RouteName[]) {
  const { method, path } = ROUTES[name];
  if (!path.includes(":")) fixed.set(`${method} ${path}`, name);
  else {
    const source = path.replace(/:\w+/, (place) => PLACES[place] ?? place);
    patterns.push({ name, pattern: new RegExp(`^${method} ${source}$`) });
  }
}

/** Finds the route of a method and a path; undefined when it is none of the web application. */
export function findRoute(method: string, path: string): FoundRoute | undefined {
  const wanted = `${method} ${path}`;
  const name = fixed.get(wanted);
  if (name !== undefined) return { name, part: "" };
  for (const each of patterns) {
    const part = each.pattern.exec(wanted)?.[1];
    if (part !== undefined) return { name: each.name, part };
  }
  return undefined;
}
