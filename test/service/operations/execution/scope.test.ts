import { expect, onTestFinished, test, vi } from "vitest";
import { createPage } from "../../../../src/operations/create-page.js";
import { retrievePage } from "../../../../src/operations/retrieve-page.js";
import { runWrite } from "../../../../src/operations/execution/run-write.js";
import { type Scope, Scopes } from "../../../../src/operations/execution/scope.js";
import { createPageService } from "../../../../src/service.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { createPrincipal, URLS } from "../../../support/scope.js";
import { countTurns } from "../../../support/turns.js";

test("use cases work without HTTP, and writes require a principal with write access", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const scopes = new Scopes(store, URLS);
  const writer = createPrincipal(workspaceId);
  const input = { parent: { database_id: databaseId }, properties: { Points: { number: 3 } } };

  const { body, entityTag } = await runWrite(scopes, writer, (scope) => createPage(scope, input));
  expect(body).toMatchObject({
    created_by: { id: "key" },
    url: `${URLS.app}/${body.id.replaceAll("-", "")}`,
  });
  const read = await retrievePage(scopes.createReadScope(writer), body.id);
  expect({ ...read, body: read.body.toJSON() }).toEqual({ body, entityTag });

  const reader = { ...writer, readOnly: true };
  await expect(runWrite(scopes, reader, (scope) => createPage(scope, input))).rejects.toMatchObject({
    kind: "restricted",
  });
  expect((await retrievePage(scopes.createReadScope(reader), body.id)).body.id).toBe(body.id);
});

test("long work of a read waits for a turn, and that of a transaction only yields to the event loop", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const turns = countTurns();
  onTestFinished(turns.end);
  const countWaitedTurns = async (scope: Scope): Promise<number> => {
    const before = turns.current;
    await scope.waitForTurn();
    return turns.current - before;
  };
  const scopes = new Scopes(store, URLS);
  const principal = createPrincipal(workspaceId);
  expect(await runWrite(scopes, principal, countWaitedTurns)).toBe(1);
  expect(await countWaitedTurns(scopes.createReadScope(principal))).toBeGreaterThan(1);
});

test("the response cache is empty after its memory was released", async () => {
  const store = await openTestStore(":memory:");
  const scopes = new Scopes(store, URLS);
  const { cache } = scopes.createReadScope(createPrincipal("workspace"));
  const value = { version: "1", id: "a".repeat(1000) };
  cache.set("page", value);
  expect(cache.bytes).toBeGreaterThan(1000);
  scopes.releaseMemory();
  expect([cache.bytes, cache.get("page", "1")]).toEqual([0, undefined]);
});

test("a service releases the memory of its store and of its response cache", async () => {
  const service = await createPageService({ database: ":memory:" });
  onTestFinished(() => service.close());
  const calls = [vi.spyOn(service.store, "releaseMemory"), vi.spyOn(Scopes.prototype, "releaseMemory")];
  onTestFinished(() => calls.forEach((call) => call.mockRestore()));
  service.releaseMemory();
  for (const call of calls) expect(call).toHaveBeenCalledOnce();
});
