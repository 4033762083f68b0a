import { listAuditEvents } from "../access/audit.js";
import type { IssuedKey, ListedApiKey } from "../access/keys.js";
import {
  createMemberKey,
  listMemberKeys,
  mayManageKey,
  revokeMemberKey,
  rotateMemberKey,
} from "../access/member-keys.js";
import { revokeKeysOfFormerMembers, toSessionActor } from "../access/members.js";
import type { UsageRecorder } from "../access/usage.js";
import { parseDuration } from "../domain/duration.js";
import { newId, parseId } from "../domain/ids.js";
import { toFormError } from "./form-error.js";
import { createIncompleteFormError } from "./form.js";
import { type ApiSettings, renderApiSettingsPage } from "./pages/api-settings.js";
import { loadPageContext, receiveForm, type SignedInRequest, type WebContext } from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import { SETTINGS_PATH, type RouteHandlers } from "./routes.js";

/** The result of a submitted form, which the page shows. */
type FormOutcome = Pick<ApiSettings, "notice" | "error" | "newKey" | "name">;

const MAX_LOG_ENTRIES = 50;
const MINUTE_MS = 60_000;

/** Creates the routes of `/settings/api`. */
export function createKeyRoutes(context: WebContext, usage: UsageRecorder, baseUrl: string) {
  const { store } = context;

  /** Shows the settings page with the result of a form. */
  async function showSettings(
    request: SignedInRequest,
    outcome: FormOutcome = {},
    status = 200,
  ): Promise<WebResponse> {
    const { session } = request;
    const [pageContext, keys, workspaceUsage, log] = await Promise.all([
      loadPageContext(context, request),
      listMemberKeys(store, session),
      usage.read(session.workspaceId),
      session.role === "owner" ? listAuditEvents(store, session.workspaceId, MAX_LOG_ENTRIES) : undefined,
    ]);
    const now = Date.now();
    const rows = keys.map((key) => ({
      key: workspaceUsage.recentlyUsedKeyIds.has(key.id) ? withRecentUse(key, now) : key,
      manageable: mayManageKey(session, key),
    }));
    const page = renderApiSettingsPage({
      pageContext,
      baseUrl,
      now,
      keys: rows,
      nextId: newId(),
      usage: workspaceUsage,
      log,
      ...outcome,
    });
    return createHtmlResponse(page, status);
  }

  /** Shows the key that `issue` creates, or the error of its form. */
  async function showNewKey(
    request: SignedInRequest,
    issue: Promise<IssuedKey>,
    formatTitle: (name: string) => string,
    name?: string,
  ): Promise<WebResponse> {
    try {
      const { key, stored } = await issue;
      return await showSettings(request, { newKey: { key, title: formatTitle(stored.name) } });
    } catch (error) {
      return showError(request, error, name);
    }
  }

  /** Shows the error of a form; `name` is the value of its name field. */
  function showError(request: SignedInRequest, cause: unknown, name?: string): Promise<WebResponse> {
    const { error, status } = toFormError(cause);
    return showSettings(request, { error, name }, status);
  }

  return {
    showKeys(request) {
      const text = "Key revoked. It stops working within a second.";
      return showSettings(request, request.query.has("revoked") ? { notice: { kind: "good", text } } : {});
    },

    async createKey(request) {
      const getField = await receiveForm(context, request);
      const name = getField("name").trim();
      const id = parseId(getField("id"));
      const expires = getField("expires");
      const access = getField("access");
      if (id === undefined || (access !== "full" && access !== "read_only"))
        throw createIncompleteFormError();
      const expiresTime = expires === "never" ? null : Date.now() + requireDuration(expires);
      const issue = createMemberKey(store, request.session, { id, name, access, expiresTime });
      return showNewKey(request, issue, (created) => `“${created}” created`, name);
    },

    async rotateKey(request) {
      const getField = await receiveForm(context, request);
      const overlapMs = requireDuration(getField("overlap"));
      const issue = rotateMemberKey(store, request.session, request.param, overlapMs);
      return showNewKey(request, issue, (rotated) => `“${rotated}” was rotated`);
    },

    async revokeKey(request) {
      await receiveForm(context, request);
      try {
        await revokeMemberKey(store, request.session, request.param);
        return createRedirect(`${SETTINGS_PATH}?revoked`);
      } catch (error) {
        return showError(request, error);
      }
    },

    async revokeFormerKeys(request) {
      await receiveForm(context, request);
      const { session } = request;
      await revokeKeysOfFormerMembers(store, session.workspaceId, toSessionActor(session));
      return createRedirect(`${SETTINGS_PATH}?revoked`);
    },
  } satisfies Partial<RouteHandlers>;
}

/** Adds a use that is not written yet. Uses are shown by the minute. */
function withRecentUse(key: ListedApiKey, now: number): ListedApiKey {
  return { ...key, lastUsedTime: Math.max(key.lastUsedTime ?? 0, now - (now % MINUTE_MS)) };
}

/** @throws WebRequestError when the text is not a duration, which our forms never send. */
function requireDuration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw createIncompleteFormError();
  return milliseconds;
}
