import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import { UserError } from "../../../../src/errors.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { checkDanglingReferences } from "../../../../src/storage/transfer/dangling-references.js";
import { emptyPage } from "../../../support/objects.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

test("dangling references are searched in one workspace or in all, and a parent is an object of the same workspace", async () => {
  const store = await openTestStore(":memory:");
  const [one, other] = [await addDatabase(store), await addDatabase(store)];
  // The cast: the check uses no types of tables.
  const read = store.read as unknown as Kysely<unknown>;
  const check = (workspaceId: string | undefined) => checkDanglingReferences(read, workspaceId);
  await store.write(one.workspaceId, (scope) => insertPage(scope, emptyPage(one.databaseId)));
  await check(undefined);
  for (const parentId of [newId(), one.databaseId]) {
    const page = emptyPage(parentId);
    await store.write(other.workspaceId, (scope) => insertPage(scope, page));
    await check(one.workspaceId);
    for (const workspaceId of [other.workspaceId, undefined]) {
      await expect(check(workspaceId)).rejects.toThrow(UserError);
      await expect(check(workspaceId)).rejects.toThrow(`"parent_id" of a row of "pages" is "${parentId}"`);
    }
    await store.write(other.workspaceId, ({ db }) =>
      db.deleteFrom("pages").where("id", "=", page.id).execute(),
    );
  }
});
