import { INVITATION_TTL_DAYS, inviteToWorkspace } from "../access/workspaces/invitations.js";
import { createPerson, listWorkspaceUsers } from "../access/workspaces/people.js";
import { createPasswordReset } from "../access/accounts/password-changes.js";
import { readConfig } from "../config.js";
import { printList, printResult } from "./print.js";
import { withStore } from "./with-store.js";

/** `page-service users create`: adds a person whom pages can mention. The person has no account to sign in. */
export async function createUser(options: {
  workspace: string;
  name: string;
  email: string;
  json?: true;
}): Promise<void> {
  const { workspace: workspaceName, name, email } = options;
  const user = await withStore((store) => createPerson(store, { workspaceName, name, email }));
  printResult(options.json, { id: user.id }, [`User id  ${user.id}`]);
}

/** `page-service users list`: prints the people and bots of a workspace. */
export async function listUsers(options: { workspace: string; json?: true }): Promise<void> {
  const users = await withStore((store) => listWorkspaceUsers(store, options.workspace));
  const rows = users.map(({ id, type, name, email }) => ({ id, type, name, email }));
  printList(options.json, rows, "There are no users.", {
    ID: ({ id }) => id,
    TYPE: ({ type }) => type,
    NAME: ({ name }) => name,
    "E-MAIL": ({ email }) => email ?? "",
  });
}

/** `page-service users invite`: prints an invitation link. */
export async function inviteUser(options: {
  workspace: string;
  role: "member" | "owner";
  json?: true;
}): Promise<void> {
  const token = await withStore((store) => inviteToWorkspace(store, options.workspace, options.role));
  const hint = `One person can join with it. It expires after ${INVITATION_TTL_DAYS} days.`;
  printLink(options.json, `/join/${token}`, hint);
}

/** `page-service users reset-password`: prints a link to set a new password. */
export async function resetPassword(email: string, options: { json?: true }): Promise<void> {
  const token = await withStore((store) => createPasswordReset(store, email));
  const hint =
    "It sets a new password once and expires in an hour. Give it only to the owner of the account.";
  printLink(options.json, `/reset/${token}`, hint);
}

/** Prints a link to the web application. Explains its address if no setting determines it. */
function printLink(asJson: true | undefined, path: string, hint: string): void {
  const link = `${readConfig(process.env).appUrl}${path}`;
  const { APP_URL, BASE_URL, PORT } = process.env;
  const lines = [`Link  ${link}`, hint];
  if (!APP_URL && !BASE_URL && !PORT) {
    lines.push("The link has the default address. If the service has another one, set APP_URL to it.");
  }
  printResult(asJson, { link }, lines);
}
