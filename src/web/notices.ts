import type { Notice } from "./pages/elements.js";

/** Messages after a redirect, by the parameter `notice` of the address that shows them. */
const NOTICES = {
  "session-ended": {
    kind: "bad",
    text: "Your session has ended, and nothing was changed. Sign in and try again.",
  },
  "signed-out": {
    kind: "bad",
    text: "You were signed out: your session expired, your password was changed, or you were removed from the workspace.",
  },
  "password-reset": {
    kind: "good",
    text: "Your password has changed. Your account has no workspace: open your invitation link again, or ask for a new one.",
  },
  "name-changed": { kind: "good", text: "Name changed." },
  "password-changed": { kind: "good", text: "Password changed. Your other sessions have ended." },
  "member-removed": {
    kind: "good",
    text: "Member removed. They no longer have access to this workspace.",
  },
  "invitation-withdrawn": { kind: "good", text: "Invitation withdrawn. Its link no longer works." },
  "former-keys-revoked": { kind: "good", text: "The keys of former members stop working within a second." },
  restored: { kind: "good", text: "Restored from the trash." },
  deleted: { kind: "good", text: "Deleted permanently." },
  "deletion-begun": {
    kind: "good",
    text: "The deletion has begun. Its storage becomes free within minutes.",
  },
} as const satisfies Readonly<Record<string, Notice>>;

/** Adds the parameter for a notice to a path without a query string. */
export function withNotice(path: string, name: keyof typeof NOTICES): string {
  return `${path}?notice=${name}`;
}

/** Finds the notice for the query string of a page. */
export function findNotice(query: URLSearchParams): Notice | undefined {
  const name = query.get("notice");
  return Object.entries(NOTICES).find(([each]) => each === name)?.[1];
}
