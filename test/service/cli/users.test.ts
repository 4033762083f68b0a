import { expect, test } from "vitest";
import { createTemporaryFolder, run } from "../command.js";

test("users create adds a person, whom users list shows with name and e-mail address", async () => {
  const DATA_DIR = createTemporaryFolder();
  const users = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(["users", ...args, "--workspace", "Acme"], { DATA_DIR });
    expect([args, code, stderr]).toEqual([args, 0, ""]);
    return stdout;
  };
  await run(["workspaces", "create", "Acme"], { DATA_DIR });
  expect(await users("list")).toBe("There are no users.\n");
  const created = await users("create", "--name", "Ada", "--email", "ada@example.org", "--json");
  const { id } = JSON.parse(created);
  expect(await users("list")).toBe(`${id}  person  Ada  ada@example.org\n`);
  expect(JSON.parse(await users("list", "--json"))).toEqual([
    { id, type: "person", name: "Ada", email: "ada@example.org" },
  ]);
});
