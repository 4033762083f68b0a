import { ProvisionError } from "../access/checks.js";
import { type IssuedKey } from "../access/keys.js";
import { createMemberKey, revokeMemberKey, rotateMemberKey } from "../access/member-keys.js";
import type { Usage } from "../access/usage.js";
import { parseId } from "../domain/ids.js";
import { type Answer, page, redirect } from "./answer.js";
import { FormRefused } from "./form.js";
import { createSettingsView, type Done } from "./settings-view.js";
import { receiveForm, type SignedIn, type WebContext } from "./visit.js";

/** The settings around the API. */
export interface ApiRoutes {
  showKeys(visit: SignedIn): Promise<Answer>;
  createKey(visit: SignedIn): Promise<Answer>;
  rotateKey(visit: SignedIn, id: string): Promise<Answer>;
  revokeKey(visit: SignedIn, id: string): Promise<Answer>;
}

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE };

/** Makes the pages of `/settings/api`. */
export function createApiRoutes(context: WebContext, usage: Usage): ApiRoutes {
  const { store } = context;
  const view = createSettingsView(context, usage);

  async function show(visit: SignedIn, done?: Done, status = 200): Promise<Answer> {
    return page(await view(visit, done), status);
  }

  /** Shows the page with a new key, or with why there is none. */
  async function showNew(
    visit: SignedIn,
    making: Promise<IssuedKey>,
    what: (name: string) => string,
    name = "",
  ): Promise<Answer> {
    try {
      const { key, stored } = await making;
      return await show(visit, { newKey: { key, what: what(stored.name) } });
    } catch (error) {
      return refused(visit, error, name);
    }
  }

  function refused(visit: SignedIn, error: unknown, name = ""): Promise<Answer> {
    if (!(error instanceof ProvisionError)) throw error;
    return show(visit, { notice: { kind: "bad", text: error.message }, name }, 400);
  }

  return {
    showKeys: (visit) => {
      if (!visit.query.has("revoked")) return show(visit);
      const text = "The key is revoked: it is refused within a second.";
      return show(visit, { notice: { kind: "good", text } });
    },

    async createKey(visit) {
      const fields = await receiveForm(context, visit);
      const name = (fields.get("name") ?? "").trim();
      const id = parseId(fields.get("id") ?? "");
      const expires = fields.get("expires") ?? "";
      const access = fields.get("access");
      if (id === undefined || (access !== "full" && access !== "read_only")) {
        throw new FormRefused(400, "The form is not whole. Go back, reload the page and try again.");
      }
      const expiresTime = expires === "never" ? null : Date.now() + duration(expires);
      const making = createMemberKey(store, visit.session, { id, name, access, expiresTime });
      return showNew(visit, making, (made) => `The key “${made}” is made`, name);
    },

    async rotateKey(visit, id) {
      const fields = await receiveForm(context, visit);
      const making = rotateMemberKey(store, visit.session, id, duration(fields.get("overlap") ?? ""));
      return showNew(visit, making, (made) => `The key “${made}” has a successor`);
    },

    async revokeKey(visit, id) {
      await receiveForm(context, visit);
      try {
        await revokeMemberKey(store, visit.session, id);
        return redirect("/settings/api?revoked");
      } catch (error) {
        return refused(visit, error);
      }
    },
  };
}

function duration(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const milliseconds = UNITS[unit];
  if (milliseconds === undefined) {
    throw new FormRefused(400, "The form is not whole. Go back, reload the page and try again.");
  }
  return Number(count) * milliseconds;
}
