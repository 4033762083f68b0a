import { listAuditEvents } from "../access/audit.js";
import type { ListedApiKey, NewKey } from "../access/keys/keys.js";
import {
  createKeyAsMember,
  listKeysAsMember,
  mayManageKey,
  revokeKeyAsMember,
  rotateKeyAsMember,
} from "../access/keys/member-keys.js";
import { hasKeysOfFormerMembers, revokeKeysOfFormerMembers } from "../access/workspaces/members.js";
import { MAX_SETTINGS_ROWS, MAX_SHOWN_AUDIT_EVENTS } from "../budgets.js";
import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { parseDuration } from "../domain/duration.js";
import { newId, parseId } from "../domain/ids.js";
import { awaitEventLoopTurn } from "../operations/execution/event-loop-turns.js";
import { createListPart, type ListPart } from "../operations/load/list-parts.js";
import { type GetField, handleWorkspaceForm } from "./form.js";
import { type ApiSettings, renderApiSettingsPage } from "./pages/api-settings.js";
import { findNotice, withNotice } from "./notices.js";
import type { FormError } from "./pages/form-elements.js";
import type { KeyFormValues } from "./pages/keys.js";
import { loadLayoutData, type SignedInRequest, withRenderSlot } from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import { SETTINGS_PATH, type RouteHandlers } from "./routes.js";
import { WebRequestError } from "./web-request-error.js";

/** Handlers of `/settings/api`. */
export const keyHandlers = {
  showKeys: (request) => showSettings(request, {}),

  createKey: handleWorkspaceForm(
    async (request, getField) => {
      const { name, expires, access } = readKeyForm(getField);
      const id = parseId(getField("id"));
      if (id === undefined || (access !== "full" && access !== "read_only")) throw createInvalidFormError();
      const expiresTime = expires === "never" ? null : Date.now() + requireDuration(expires);
      const options = { id, name, access, expiresTime } as const;
      const newKey = await createKeyAsMember(request.context.store, request.session, options);
      return showNewKey(request, newKey, "created");
    },
    (request, error, getField) => showSettings(request, { error, keyForm: readKeyForm(getField) }),
  ),

  rotateKey: handleWorkspaceForm(async (request, getField) => {
    const { context, session, param } = request;
    const overlapMs = requireDuration(getField("overlap"));
    const newKey = await rotateKeyAsMember(context.store, session, param, overlapMs);
    return showNewKey(request, newKey, "was rotated");
  }, showError),

  revokeKey: handleWorkspaceForm(async ({ context, session, param }) => {
    await revokeKeyAsMember(context.store, session, param);
    return createRedirect(withNotice(SETTINGS_PATH, "key-revoked"));
  }, showError),

  revokeFormerKeys: handleWorkspaceForm(async ({ context, session }) => {
    await revokeKeysOfFormerMembers(context.store, session);
    return createRedirect(withNotice(SETTINGS_PATH, "former-keys-revoked"));
  }, showError),
} satisfies Partial<RouteHandlers>;

/** States of keys in cursors. */
const [ACTIVE, REVOKED] = [0, 1];

function readKeyForm(getField: GetField): KeyFormValues {
  return { name: getField("name").trim(), expires: getField("expires"), access: getField("access") };
}

function showError(request: SignedInRequest, error: FormError): Promise<WebResponse> {
  return showSettings(request, { error });
}

async function showSettings(
  request: SignedInRequest,
  outcome: Pick<ApiSettings, "error" | "newKey" | "keyForm">,
): Promise<WebResponse> {
  const { session } = request;
  const { store, usage, baseUrl } = request.context;
  const render = async (): Promise<WebResponse> => {
    // Read first, because it flushes the last uses of keys to the store.
    const workspaceUsage = await usage.flushAndRead(session.workspaceId);
    const isOwner = session.role === "owner";
    const [layoutData, { elements: keys, nextCursor }, log, offersRevocation] = await Promise.all([
      loadLayoutData(request),
      listKeysPart(request),
      isOwner ? listAuditEvents(store, session.workspaceId, MAX_SHOWN_AUDIT_EVENTS) : undefined,
      isOwner && hasKeysOfFormerMembers(store, session.workspaceId),
    ]);
    // Reading 500 keys takes 15 ms, and rendering them takes 20 ms.
    await awaitEventLoopTurn(session.workspaceId);
    const page = renderApiSettingsPage({
      layoutData,
      baseUrl,
      now: Date.now(),
      keys: keys.map((key) => ({ key, isManageable: mayManageKey(session, key) })),
      nextKeysCursor: nextCursor,
      offersRevocation,
      newKeyId: newId(),
      usage: workspaceUsage,
      log,
      notice: findNotice(request.query),
      ...outcome,
    });
    return createHtmlResponse(page, outcome.error?.status);
  };
  // A new key is shown only once, so its page must not be refused.
  return outcome.newKey === undefined ? withRenderSlot(request, render) : render();
}

/** Reads the part of the list of keys that the query parameter `keys` names. Throws a DomainError (invalid_cursor). */
async function listKeysPart({ context, session, query }: SignedInRequest): Promise<ListPart<ListedApiKey>> {
  const cursor = query.get("keys") ?? undefined;
  const [id, createdTime, state] = decodeCursor("keys", cursor, ["id", "integer", "integer"]);
  const after =
    id === undefined ? undefined : { id, createdTime: Number(createdTime), isRevoked: state === REVOKED };
  const found = await listKeysAsMember(context.store, session, after, MAX_SETTINGS_ROWS + 1);
  return createListPart(found, MAX_SETTINGS_ROWS, (key) =>
    encodeCursor("keys", [key.id, key.createdTime, key.revokedTime === null ? ACTIVE : REVOKED]),
  );
}

function showNewKey(request: SignedInRequest, { key, stored }: NewKey, change: string) {
  return showSettings(request, { newKey: { key, title: `“${stored.name}” ${change}` } });
}

/** Parses a duration. Throws a WebRequestError for an invalid one, which our forms never send. */
function requireDuration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw createInvalidFormError();
  return milliseconds;
}

/** Creates the error for a form that our pages never send: without a field, or with an invalid value. */
function createInvalidFormError(): WebRequestError {
  return new WebRequestError(400, "This form is incomplete. Go back, reload the page and try again.");
}
