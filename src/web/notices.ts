import type { Notice } from "./pages/elements.js";

const good = (text: string): Notice => ({ kind: "good", text });
const bad = (text: string): Notice => ({ kind: "bad", text });

/** Messages after a redirect, by the parameter `notice` of the address that shows them. */
const NOTICES = {
  "session-ended": bad("Your session has ended, and nothing was changed. Sign in and try again."),
  "signed-out": bad(
    "You were signed out: your session expired, your password was changed, or you were removed from the workspace.",
  ),
  "password-reset": good(
    "Your password has changed. Your account has no workspace: open your invitation link again, or ask for a new one.",
  ),
  "name-changed": good("Name changed."),
  "password-changed": good("Password changed. Your other sessions have ended."),
  "member-removed": good("Member removed. They no longer have access to this workspace."),
  "invitation-withdrawn": good("Invitation withdrawn. Its link no longer works."),
  "key-revoked": good("Key revoked. It stops working within a second."),
  "former-keys-revoked": good("The keys of former members stop working within a second."),
  restored: good("Restored from the trash."),
  deleted: good("Deleted permanently."),
  "deletion-begun": good("The deletion has begun. Its storage becomes free within minutes."),
};

/** Adds the parameter for a notice to a path without a query string. */
export function withNotice(path: string, name: keyof typeof NOTICES): string {
  return `${path}?notice=${name}`;
}

/** Finds the notice for the query string of a page. */
export function findNotice(query: URLSearchParams): Notice | undefined {
  const name = query.get("notice");
  return Object.entries(NOTICES).find(([each]) => each === name)?.[1];
}
