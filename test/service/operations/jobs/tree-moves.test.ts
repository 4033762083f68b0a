import { expect, test } from "vitest";
import { newPage } from "../../../../src/domain/page.js";
import { runWrite } from "../../../../src/operations/run-write.js";
import { Scopes } from "../../../../src/operations/scope.js";
import { updatePage } from "../../../../src/operations/update-page.js";
import { insertJob } from "../../../../src/storage/jobs.js";
import { insertPage } from "../../../../src/storage/pages.js";
import { createPrincipal, URLS } from "../../../support/scope.js";
import { addDatabase, EDIT } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

test("an object is not moved while an object around it, or in it, is being moved", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const outer = newPage({ type: "workspace" }, {}, {}, EDIT);
  const moving = newPage({ type: "page_id", id: outer.id }, {}, {}, EDIT);
  const inner = newPage({ type: "page_id", id: moving.id }, {}, {}, EDIT);
  const other = newPage({ type: "page_id", id: outer.id }, {}, {}, EDIT);
  await store.write(workspaceId, async (scope) => {
    for (const page of [outer, moving, inner, other]) await insertPage(scope, page);
    await insertJob(scope, { kind: "move_to_trash", objectId: moving.id });
  });
  const move = (id: string) =>
    runWrite(store, new Scopes(store, URLS), createPrincipal(workspaceId), (scope) =>
      updatePage(scope, id, { in_trash: true }),
    );
  for (const { id } of [outer, moving, inner]) {
    await expect(move(id)).rejects.toMatchObject({ kind: "conflict" });
  }
  expect((await move(other.id)).body.in_trash).toBe(true);
});
