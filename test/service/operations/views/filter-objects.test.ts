import { expect, test, vi } from "vitest";
import { MAX_FILTER_CONDITIONS, MAX_SUGGESTED_OPTIONS } from "../../../../src/budgets.js";
import { newId } from "../../../../src/domain/ids.js";
import { findFilterUsers } from "../../../../src/operations/views/filter-objects.js";
import { insertUser } from "../../../../src/storage/users.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

test("users beyond the oldest ones are searched by name in a scan, because a workspace can have very many", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  await store.write(workspaceId, async (scope) => {
    const names = Array.from({ length: MAX_SUGGESTED_OPTIONS + 1 }, (_, index) => `Bot ${index}`);
    const twins = Array.from({ length: MAX_FILTER_CONDITIONS + 2 }, () => "Twin");
    for (const name of [...names, ...twins]) {
      const user = { id: newId(), type: "bot", name, email: null } as const;
      await insertUser(scope, { ...user, avatarUrl: null, createdTime: 0 });
    }
  });
  const openScan = vi.spyOn(store, "openScan");
  const find = (name?: string) => findFilterUsers(readScope(store, workspaceId), name);
  expect(await find()).toHaveLength(MAX_SUGGESTED_OPTIONS);
  expect(openScan).not.toHaveBeenCalled();
  expect((await find(`bot ${MAX_SUGGESTED_OPTIONS}`)).at(-1)?.name).toBe(`Bot ${MAX_SUGGESTED_OPTIONS}`);
  expect(openScan).toHaveBeenCalledOnce();
  // One more namesake than a filter can compare.
  expect(await find("twin")).toHaveLength(MAX_SUGGESTED_OPTIONS + MAX_FILTER_CONDITIONS + 1);
  // An address can contain NUL, which databases refuse.
  expect(await find("bot\0")).toHaveLength(MAX_SUGGESTED_OPTIONS);
});
