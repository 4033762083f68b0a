import { expect, onTestFinished } from "vitest";
import { provisionDemo } from "../../src/access/provision.js";
import { createPageService, type PageService } from "../../src/service.js";
import { newServiceLocation } from "../support/stores.js";
import { Visitor } from "../support/visitor.js";

/** A service as the first start leaves it. */
export interface WebService {
  readonly service: PageService;
  readonly url: string;
  /** Somebody with an account, who is signed in. */
  member(name: string): Promise<Visitor>;
}

/** Starts a service as the first start leaves it; it ends with the test. */
export async function startWeb(options: { appUrl?: string } = {}): Promise<WebService> {
  const service = await createPageService({ database: await newServiceLocation(), ...options });
  onTestFinished(() => service.close());
  await provisionDemo(service.store);
  const url = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
  return {
    service,
    url,
    async member(name) {
      const visitor = new Visitor(url);
      const response = await visitor.signUp(name);
      expect([response.status, response.headers.get("location")]).toEqual([303, "/settings/api"]);
      return visitor;
    },
  };
}

/** The text of a page. */
export async function textOf(visitor: Visitor, path: string): Promise<string> {
  return (await visitor.get(path)).text();
}

/** Whether somebody is signed in. */
export async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get("/settings/api")).status === 200;
}

/** Status of an API request with a key. */
export async function statusWith(url: string, key: string): Promise<number> {
  const page = "00000000-0000-7000-8000-000000000000";
  const response = await fetch(`${url}/v1/pages/${page}`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}
