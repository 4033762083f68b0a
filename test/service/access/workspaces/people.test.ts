import { expect, test } from "vitest";
import { createPerson, listWorkspaceUsers } from "../../../../src/access/workspaces/people.js";
import { newId } from "../../../../src/domain/ids.js";
import { insertUser } from "../../../../src/storage/users.js";
import { UserError } from "../../../../src/errors.js";
import { createKeyAsOperator } from "../../../../src/access/keys/operator-keys.js";
import { openTestStore } from "../../storage/open.js";

test("a workspace's users are the bots of its keys and the added people", async () => {
  const store = await openTestStore();
  await createKeyAsOperator(store, { workspaceName: "Acme", keyName: "CI" });
  await createKeyAsOperator(store, { workspaceName: "Other" });
  const ada = { workspaceName: "Acme", name: "Ada", email: "ada@example.org" };
  const { id } = await createPerson(store, ada);
  await createPerson(store, { ...ada, workspaceName: "Other" });
  const users = await listWorkspaceUsers(store, "Acme");
  expect(users.map(({ type, name, email }) => [type, name, email])).toEqual([
    ["bot", "CI", null],
    ["person", "Ada", "ada@example.org"],
  ]);
  expect(users[1]?.id).toBe(id);
});

test("all users of a workspace are listed", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  const user = { type: "person", name: "Ada", email: null, avatarUrl: null, createdTime: 0 } as const;
  await store.write(workspaceId, async (scope) => {
    for (let count = 0; count < 600; count += 1) await insertUser(scope, { ...user, id: newId() });
  });
  expect(await listWorkspaceUsers(store, "Acme")).toHaveLength(601);
});

test.each([
  [{ workspaceName: "Nowhere" }, /no workspace "Nowhere"/],
  [{ name: " " }, /Enter a name for the person/],
  [{ name: "x".repeat(101) }, /at most 100/],
  [{ email: "ada" }, /"ada" is not an e-mail address/],
  [{ email: "ada @example.org" }, /is not an e-mail address/],
  [{ email: `${"a".repeat(200)}@example.org` }, /Use at most 200/],
  [{ email: "BOB@example.org" }, /already has a person with the address bob@example.org/],
])("refuses %o", async (change, message) => {
  const store = await openTestStore();
  await createKeyAsOperator(store, { workspaceName: "Acme" });
  await createPerson(store, { workspaceName: "Acme", name: "Bob", email: "bob@example.org" });
  const request = { workspaceName: "Acme", name: "Ada", email: "ada@example.org", ...change };
  const refusal = createPerson(store, request);
  await expect(refusal).rejects.toThrow(UserError);
  await expect(refusal).rejects.toThrow(message);
  expect(await listWorkspaceUsers(store, "Acme")).toHaveLength(2);
});
