import { readLog } from "../access/audit.js";
import type { IssuedKey, ListedApiKey } from "../access/keys.js";
import {
  createMemberKey,
  listMemberKeys,
  mayManage,
  revokeMemberKey,
  rotateMemberKey,
} from "../access/member-keys.js";
import { toActor, revokeKeysOfFormerMembers } from "../access/members.js";
import type { Usage } from "../access/usage.js";
import { newId, parseId } from "../domain/ids.js";
import { toFormError } from "./form-error.js";
import { createIncompleteFormError } from "./form.js";
import { type ApiSettings, apiSettingsPage } from "./pages/api-settings.js";
import { loadPageContext, receiveForm, type SignedInRequest, type WebContext } from "./request.js";
import { htmlResponse, redirect, type WebResponse } from "./response.js";

/** Routes of the API settings. */
export interface KeyRoutes {
  showKeys(request: SignedInRequest): Promise<WebResponse>;
  createKey(request: SignedInRequest): Promise<WebResponse>;
  rotateKey(request: SignedInRequest): Promise<WebResponse>;
  revokeKey(request: SignedInRequest): Promise<WebResponse>;
  revokeFormerKeys(request: SignedInRequest): Promise<WebResponse>;
}

/** The result of a submitted form, which the page shows. */
type Outcome = Pick<ApiSettings, "notice" | "error" | "newKey" | "name">;

const PATH = "/settings/api";
const LOG_LENGTH = 50;
const MINUTE_MS = 60_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1440 * MINUTE_MS };

/** Creates the routes of `/settings/api`. */
export function createKeyRoutes(context: WebContext, usage: Usage): KeyRoutes {
  const { store } = context;

  async function show(request: SignedInRequest, outcome: Outcome = {}, status = 200): Promise<WebResponse> {
    const { session } = request;
    const [pageContext, keys, workspaceUsage, log] = await Promise.all([
      loadPageContext(context, request),
      listMemberKeys(store, session),
      usage.read(session.workspaceId),
      session.role === "owner" ? readLog(store, session.workspaceId, LOG_LENGTH) : undefined,
    ]);
    const now = Date.now();
    const rows = keys.map((key) => ({
      key: workspaceUsage.usedKeyIds.has(key.id) ? withRecentUse(key, now) : key,
      manageable: mayManage(session, key),
    }));
    const page = apiSettingsPage({
      context: pageContext,
      now,
      keys: rows,
      nextId: newId(),
      usage: workspaceUsage,
      log,
      ...outcome,
    });
    return htmlResponse(page, status);
  }

  async function showNewKey(
    request: SignedInRequest,
    issue: Promise<IssuedKey>,
    titleOf: (name: string) => string,
    name?: string,
  ): Promise<WebResponse> {
    try {
      const { key, stored } = await issue;
      return await show(request, { newKey: { key, title: titleOf(stored.name) } });
    } catch (error) {
      return showError(request, error, name);
    }
  }

  function showError(request: SignedInRequest, cause: unknown, name?: string): Promise<WebResponse> {
    const { error, status } = toFormError(cause);
    return show(request, { error, name }, status);
  }

  return {
    showKeys(request) {
      const text = "Key revoked. It stops working within a second.";
      return show(request, request.query.has("revoked") ? { notice: { kind: "good", text } } : {});
    },

    async createKey(request) {
      const fields = await receiveForm(context, request);
      const name = (fields.get("name") ?? "").trim();
      const id = parseId(fields.get("id") ?? "");
      const expires = fields.get("expires") ?? "";
      const access = fields.get("access");
      if (id === undefined || (access !== "full" && access !== "read_only"))
        throw createIncompleteFormError();
      const expiresTime = expires === "never" ? null : Date.now() + parseDuration(expires);
      const issue = createMemberKey(store, request.session, { id, name, access, expiresTime });
      return showNewKey(request, issue, (created) => `“${created}” created`, name);
    },

    async rotateKey(request) {
      const fields = await receiveForm(context, request);
      const overlapMs = parseDuration(fields.get("overlap") ?? "");
      const issue = rotateMemberKey(store, request.session, request.param, overlapMs);
      return showNewKey(request, issue, (rotated) => `“${rotated}” was rotated`);
    },

    async revokeKey(request) {
      await receiveForm(context, request);
      try {
        await revokeMemberKey(store, request.session, request.param);
        return redirect(`${PATH}?revoked`);
      } catch (error) {
        return showError(request, error);
      }
    },

    async revokeFormerKeys(request) {
      await receiveForm(context, request);
      const { workspaceId, accountId, accountName } = request.session;
      await revokeKeysOfFormerMembers(store, workspaceId, toActor({ id: accountId, name: accountName }));
      return redirect(`${PATH}?revoked`);
    },
  };
}

/** Adds a use that is not written yet. Uses are shown by the minute. */
function withRecentUse(key: ListedApiKey, now: number): ListedApiKey {
  return { ...key, lastUsedTime: Math.max(key.lastUsedTime ?? 0, now - (now % MINUTE_MS)) };
}

/** @throws RequestRefused when the text is not a duration, which our forms never send. */
function parseDuration(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs === undefined) throw createIncompleteFormError();
  return Number(count) * unitMs;
}
