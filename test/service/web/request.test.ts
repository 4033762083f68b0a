import { expect, onTestFinished, test, vi } from "vitest";
import { MAX_TURN_MS } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { awaitEventLoopTurn } from "../../../src/operations/execution/event-loop-turns.js";
import { html } from "../../../src/web/html.js";
import { createContentPage, type SignedInRequest, type WebContext } from "../../../src/web/request.js";
import { countTurns } from "../../support/turns.js";
import { openTestStore } from "../storage/open.js";

/** Renders a page of a workspace, and returns the turn of the event loop in which that happened. */
async function renderPage(
  context: WebContext,
  workspaceId: string,
  turns: ReturnType<typeof countTurns>,
  onRender = () => {},
): Promise<number> {
  let turn = 0;
  // The cast: the page uses nothing else of the request.
  const request = { context, session: { workspaceId, accountId: newId() } } as unknown as SignedInRequest;
  await createContentPage(request, () => {
    turn = turns.current;
    onRender();
    return html``;
  });
  return turn;
}

/** Counts turns of the event loop, beside a clock that only the test advances. */
async function setUp() {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = countTurns();
  onTestFinished(turns.end);
  // The cast: the page uses nothing else of the context.
  return { turns, context: { store: await openTestStore() } as Partial<WebContext> as WebContext };
}

test("pages of one workspace are rendered in the same turn of the event loop, and those of another in a later one", async () => {
  const { turns, context } = await setUp();
  // All pages have read their data before these turns are over.
  for (let index = 0; index < 20; index += 1) void awaitEventLoopTurn(`busy ${index}`);
  const [first, second, other] = await Promise.all(
    ["a", "a", "b"].map((workspaceId) => renderPage(context, workspaceId, turns)),
  );
  expect(second).toBe(first);
  expect(other).toBeGreaterThan(first ?? 0);
});

test("a page is sent in a later turn of the event loop than the one that renders it", async () => {
  const { turns, context } = await setUp();
  const turn = await renderPage(context, newId(), turns, () => vi.advanceTimersByTime(MAX_TURN_MS));
  expect(turns.current).toBeGreaterThan(turn);
});
