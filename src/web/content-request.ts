import { findMemberPrincipal } from "../access/members.js";
import type { ReadScope } from "../operations/scope.js";
import type { Html } from "./html.js";
import type { SignedInPageContext } from "./pages/layout.js";
import { type RenderBudget, renderInTime } from "./render/budget.js";
import { loadPageContext, type SignedInRequest, withRenderSlot } from "./request.js";
import { createContentResponse, type WebResponse } from "./response.js";

/** Wraps the handler of a page with content, which waits for a slot and reads with the permissions of the signed-in person. */
export function withReadScope(
  handle: (request: SignedInRequest, scope: ReadScope) => Promise<WebResponse>,
): (request: SignedInRequest) => Promise<WebResponse> {
  return (request) =>
    withRenderSlot(request, async ({ slot, signal }) => {
      const { store, scopes } = request.context;
      const principal = await findMemberPrincipal(store, request.session);
      return handle(
        request,
        scopes.createReadScope(principal, () => signal, slot),
      );
    });
}

/** Renders a page with content within the time limit. */
export async function createContentPage(
  request: SignedInRequest,
  render: (pageContext: SignedInPageContext, budget: RenderBudget) => Html,
  status = 200,
): Promise<WebResponse> {
  const pageContext = await loadPageContext(request);
  return createContentResponse(
    renderInTime((budget) => render(pageContext, budget)),
    status,
  );
}
