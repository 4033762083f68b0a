import { expect, test } from "vitest";
import { runInProcess } from "../run-in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

test("users create adds a person, whom users list shows with the bots of the keys", async () => {
  const DATA_DIR = createTemporaryFolder();
  const users = async (...args: string[]) => {
    const { code, stdout, stderr } = await runInProcess(["users", ...args, "--workspace", "Acme"], {
      DATA_DIR,
    });
    expect([args, code, stderr]).toEqual([args, 0, ""]);
    return stdout;
  };
  await runInProcess(["workspaces", "create", "Acme"], { DATA_DIR });
  expect(await users("list")).toMatch(/^ID +TYPE +NAME +E-MAIL\n[-0-9a-f]{36} {2}bot +Operator\n$/);
  const { id } = JSON.parse(await users("create", "--name", "Ada", "--email", "ada@example.org", "--json"));
  expect(await users("list")).toContain(`${id}  person  Ada       ada@example.org\n`);
  expect(await users("create", "--name", "Bob", "--email", "bob@example.org")).toMatch(
    /^User id {2}[-0-9a-f]{36}\n$/,
  );
  await runInProcess(["keys", "create", "--workspace", "Acme", "--name", "For scripts"], { DATA_DIR });
  expect(JSON.parse(await users("list", "--json"))).toMatchObject([
    { type: "bot", name: "Operator", email: null },
    { id, type: "person", name: "Ada", email: "ada@example.org" },
    { type: "person", name: "Bob", email: "bob@example.org" },
    { id: expect.any(String), type: "bot", name: "For scripts", email: null },
  ]);
});

test("users invite prints a link to the web application", async () => {
  const addresses = { APP_URL: "https://pages.example.org/", BASE_URL: "https://api.example.org" };
  const env = { DATA_DIR: createTemporaryFolder(), ...addresses };
  await runInProcess(["workspaces", "create", "Acme"], env);
  const invite = ["users", "invite", "--workspace", "Acme"];
  const { stdout } = await runInProcess(invite, env);
  expect(stdout).toMatch(/^Link  https:\/\/pages\.example\.org\/join\/[\w-]{43}\n/);
  await runInProcess([...invite, "--role", "owner"], env);
  const log = await runInProcess(["workspaces", "log", "Acme", "--json"], env);
  expect(JSON.parse(log.stdout)).toMatchObject([{ detail: "as owner" }, { detail: "as member" }]);
  const explanation = "The link has the default address.";
  expect(stdout).not.toContain(explanation);
  const { DATA_DIR } = env;
  expect((await runInProcess(invite, { DATA_DIR })).stdout).toContain(explanation);
  const others: Record<string, string>[] = [{ PORT: "3001" }, { BASE_URL: "https://api.example.org" }];
  for (const address of others)
    expect((await runInProcess(invite, { DATA_DIR, ...address })).stdout).not.toContain(explanation);
});
