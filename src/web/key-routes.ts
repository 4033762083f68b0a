import { MAX_SHOWN_AUDIT_EVENTS } from "../budgets.js";
import { listAuditEvents } from "../access/audit.js";
import type { IssuedKey } from "../access/keys.js";
import {
  createMemberKey,
  listMemberKeys,
  mayManageKey,
  revokeMemberKey,
  rotateMemberKey,
} from "../access/member-keys.js";
import { revokeKeysOfFormerMembers } from "../access/members.js";
import { toSessionActor } from "../access/actors.js";
import type { UsageRecorder } from "../access/usage.js";
import { parseDuration } from "../domain/duration.js";
import { newId, parseId } from "../domain/ids.js";
import { WebRequestError } from "./web-request-error.js";
import { type ApiSettings, renderApiSettingsPage } from "./pages/api-settings.js";
import {
  loadPageContext,
  receiveForm,
  runInRenderTurn,
  type SignedInRequest,
  type WebContext,
} from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import { SETTINGS_PATH, type RouteHandlers } from "./routes.js";
import { toFormError } from "./form.js";

/** The result of a submitted form, which the page shows. */
type FormOutcome = Pick<ApiSettings, "notice" | "error" | "newKey" | "name">;

/** Creates the routes of `/settings/api`. */
export function createKeyRoutes(context: WebContext, usage: UsageRecorder, baseUrl: string) {
  const { store } = context;

  async function showSettings(request: SignedInRequest, outcome: FormOutcome = {}): Promise<WebResponse> {
    const { session } = request;
    // Read first, because this writes the last uses of keys.
    const workspaceUsage = await usage.read(session.workspaceId);
    const render = async (): Promise<WebResponse> => {
      const [pageContext, keys, log] = await Promise.all([
        loadPageContext(context, request),
        listMemberKeys(store, session),
        session.role === "owner"
          ? listAuditEvents(store, session.workspaceId, MAX_SHOWN_AUDIT_EVENTS)
          : undefined,
      ]);
      const page = renderApiSettingsPage({
        pageContext,
        baseUrl,
        now: Date.now(),
        keys: keys.map((key) => ({ key, manageable: mayManageKey(session, key) })),
        newKeyId: newId(),
        usage: workspaceUsage,
        log,
        ...outcome,
      });
      return createHtmlResponse(page, outcome.error?.status);
    };
    // A new key is shown only once, so its page must not be refused.
    return outcome.newKey === undefined ? runInRenderTurn(context, request, render) : render();
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
    return showSettings(request, { error: toFormError(cause), name });
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

/** @throws WebRequestError when the text is not a duration, which our forms never send. */
function requireDuration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw createIncompleteFormError();
  return milliseconds;
}

/** Creates the error for a form without a field that our pages always send. */
function createIncompleteFormError(): WebRequestError {
  return new WebRequestError(400, "This form is incomplete. Go back, reload the page and try again.");
}
