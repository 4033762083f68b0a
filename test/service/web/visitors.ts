import type { Logger } from "pino";
import { expect, onTestFinished } from "vitest";
import { createSetupToken } from "../../../src/access/workspaces/invitations.js";
import { createDemoWorkspace } from "../../../src/access/workspaces/demo.js";
import type { Registration } from "../../../src/access/accounts/sign-in.js";
import { createPageService, type PageService } from "../../../src/service.js";
import { newServiceLocation } from "../../support/stores.js";
import { PASSWORD, Visitor } from "../../support/visitor.js";
import { createAccount } from "../../support/accounts.js";

/** A service after its first start. */
export interface WebService {
  readonly service: PageService;
  readonly url: string;
  /** Path of the link that makes the first visitor owner of the demo workspace. */
  readonly setupLink: string;
  /** Signs in with a new account and an invitation; without one, the first account is the owner and others get a workspace. */
  member(name: string, invitation?: string): Promise<Visitor>;
}

/** Starts a service for the first time; it stops after the test. */
export async function startWeb(
  options: { database?: string; appUrl?: string; registration?: Registration; logger?: Logger } = {},
): Promise<WebService> {
  const service = await createPageService({
    database: await newServiceLocation(),
    registration: "open",
    ...options,
  });
  onTestFinished(() => service.close());
  await createDemoWorkspace(service.store, true);
  const setupLink = `/join/${await createSetupToken(service.store)}`;
  let members = 0;
  const url = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
  return {
    service,
    url,
    setupLink,
    async member(name, invitation = members === 0 ? setupLink : undefined) {
      const visitor = new Visitor(url);
      members += 1;
      const { email } = await createAccount(service.store, name);
      const next = invitation === undefined ? "" : `?next=${encodeURIComponent(invitation)}`;
      const response = await visitor.submit(`/sign-in${next}`, "/sign-in", { email, password: PASSWORD });
      expect([response.status, response.headers.get("location")]).toEqual([
        303,
        expect.stringMatching(/^\/(join\/|$)/),
      ]);
      return visitor;
    },
  };
}

/** Reads the text of a page. */
export async function readText(visitor: Visitor, path: string): Promise<string> {
  return (await visitor.get(path)).text();
}

/** Returns the CSRF token of the forms on a page. */
export async function readCsrfToken(visitor: Visitor, path = "/settings/api"): Promise<string> {
  return /name="csrf" value="([^"]*)"/.exec(await readText(visitor, path))?.[1] ?? "";
}

/** Whether a visitor is signed in. */
export async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get("/settings/api")).status === 200;
}

/** Requests an unknown page, and returns the status: 404 with a valid key, 401 without. */
export async function getApiStatus(url: string, key: string): Promise<number> {
  const page = "00000000-0000-7000-8000-000000000000";
  const response = await fetch(`${url}/v1/pages/${page}`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}
