import { expect, test } from "vitest";
import { createPerson } from "../../../src/access/workspaces/people.js";
import { MAX_FILTER_CONDITIONS, MAX_SUGGESTED_OPTIONS } from "../../../src/budgets.js";
import { createClient } from "../../../src/client/index.js";
import { PASSWORD, Visitor } from "../../support/visitor.js";
import { startWeb, readText, type WebService } from "./visitors.js";

async function people({ service }: WebService, workspaceName: string): Promise<unknown[]> {
  return service.store.read
    .selectFrom("users as u")
    .innerJoin("workspaces as w", "w.id", "u.workspace_id")
    .select(["u.id", "u.name", "u.email"])
    .where("w.name", "=", workspaceName)
    .where("u.type", "=", "person")
    .orderBy("u.id")
    .execute();
}

test("a person added by the operator who accepts an invitation keeps the user id", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  const eve = { workspaceName: "Demo", name: "E. (import)", email: "Eve@Example.org" };
  const { id } = await createPerson(web.service.store, eve);
  const link = await ada.invite();
  const visitor = await web.member("Eve", link);
  expect(await people(web, "Demo")).toEqual([
    expect.objectContaining({ name: "Ada" }),
    { id, name: "Eve", email: "eve@example.org" },
  ]);
  expect(await readText(ada, "/settings/api")).toContain(
    "as member, with the existing user of this e-mail address",
  );
  const client = createClient({ baseUrl: web.url, apiKey: await ada.createKey() });
  const { body: page } = await client.createPage({ body: { parent: { workspace: true }, properties: {} } });
  await client.deleteBlock({ path: { block_id: page.id } });
  await visitor.submit("/trash", `/trash/${page.id}/restore`);
  const { body: restored } = await client.retrievePage({ path: { page_id: page.id } });
  expect(restored.last_edited_by.id).toBe(id);
  // A person who leaves and returns has the same user id.
  const [remove = ""] =
    /\/settings\/members\/[0-9a-f-]{36}\/remove/.exec(await readText(ada, "/settings/members")) ?? [];
  expect((await ada.submit("/settings/members", remove)).status).toBe(303);
  await visitor.signIn("eve@example.org");
  const again = await ada.invite();
  expect((await visitor.submit(again, again)).status).toBe(303);
  expect(await people(web, "Demo")).toHaveLength(2);
});

test("an invited account becomes the person with its e-mail address", async () => {
  const web = await startWeb();
  const [ada, eve] = [await web.member("Ada"), await web.member("Eve")];
  const { id } = await createPerson(web.service.store, {
    workspaceName: "Demo",
    name: "Eve",
    email: "eve@example.org",
  });
  const link = await ada.invite();
  await eve.submit(link, link);
  expect(await people(web, "Demo")).toContainEqual({ id, name: "Eve", email: "eve@example.org" });
  expect(await people(web, "Demo")).toHaveLength(2);
});

test("the first account becomes the person with its e-mail address in its workspace", async () => {
  const web = await startWeb();
  const { id } = await createPerson(web.service.store, {
    workspaceName: "Demo",
    name: "Ada",
    email: "ada@example.org",
  });
  await web.member("Ada");
  expect(await people(web, "Demo")).toEqual([{ id, name: "Ada", email: "ada@example.org" }]);
});

test("signing up with a person's address gives no access to their workspace", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  await createPerson(web.service.store, { workspaceName: "Demo", name: "Bob", email: "bob@example.org" });
  const before = await people(web, "Demo");
  const mallory = new Visitor(web.url);
  await mallory.submit("/sign-up", "/sign-up", {
    name: "Mallory",
    email: "bob@example.org",
    password: PASSWORD,
  });
  await mallory.signIn("bob@example.org");
  expect(await people(web, "Demo")).toEqual(before);
  expect(await people(web, "Mallory's workspace")).toMatchObject([{ name: "Mallory" }]);
  for (const path of ["/", "/settings/api", "/settings/members", "/settings/account"])
    expect([path, (await readText(mallory, path)).includes("Demo")]).toEqual([path, false]);
  expect(await readText(ada, "/settings/members")).not.toContain("Mallory");
  // An invitation to another workspace gives no access either.
  const eve = await web.member("Eve");
  const link = await eve.invite();
  await mallory.submit(link, link);
  expect(await people(web, "Demo")).toEqual(before);
});

test("a person changes their name in all their workspaces, also for the API, and the log shows it", async () => {
  const web = await startWeb();
  const [ada, eve] = [await web.member("Ada"), await web.member("Eve")];
  const link = await ada.invite();
  await eve.submit(link, link);
  const page = "/settings/account";
  const refused = await eve.submit(page, `${page}/name`, { name: "\u202eevE" });
  const refusedPage = await refused.text();
  expect(refused.status).toBe(400);
  expect(refusedPage).toMatch(/value="\u202eevE"[^>]*aria-invalid="true"/);
  expect(refusedPage).toContain("Your name contains control characters");

  const client = createClient({ baseUrl: web.url, apiKey: await ada.createKey() });
  const listNames = async () => (await client.listUsers({})).body.results.map(({ name }) => name);
  expect(await listNames()).toContain("Eve");
  const changed = await eve.submit(page, `${page}/name`, { name: " Eve Moneypenny " });
  expect(await readText(eve, changed.headers.get("location") ?? "")).toContain("Name changed.");
  expect(await readText(eve, page)).toContain("Eve Moneypenny, eve@example.org");
  expect(await listNames()).toContain("Eve Moneypenny");
  expect(await people(web, "Eve's workspace")).toMatchObject([{ name: "Eve Moneypenny" }]);
  expect(await readText(ada, "/settings/members")).toContain("<strong>Eve Moneypenny</strong>");
  const readLog = async () => (await readText(ada, "/settings/api")).split('id="log-title"')[1];
  const entry =
    /<strong>Eve Moneypenny \(eve@example.org\)<\/strong> changed their name\s*<\/td>\s*<td[^>]*>from Eve</g;
  expect((await readLog())?.match(entry)).toHaveLength(1);
  // The same name again changes nothing.
  await eve.submit(page, `${page}/name`, { name: "Eve Moneypenny" });
  expect((await readLog())?.match(/changed their name/g)).toHaveLength(1);
});

test("a table is filtered by any person, also beyond those that the form suggests, unless too many have the name", async () => {
  const { service, url, member } = await startWeb();
  const ada = await member("Ada");
  const addPeople = async (name: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    // One after another, because on a busy machine hundreds of writes at once wait too long for a connection.
    for (let index = 0; index < count; index += 1) {
      const email = `${name}.${index}@example.org`;
      ids.push((await createPerson(service.store, { workspaceName: "Demo", name, email })).id);
    }
    return ids;
  };
  const client = createClient({ baseUrl: url, apiKey: await ada.createKey("Importer") });
  const { body: database } = await client.createDatabase({
    body: { parent: { workspace: true }, properties: { Name: { title: {} }, Owner: { people: {} } } },
  });
  const path = `/${database.id}?filter=Owner&condition=equals&value=`;
  await addPeople("Robot", MAX_FILTER_CONDITIONS);
  expect(await readText(ada, `${path}Robot`)).toContain("No pages match the filter.");
  await addPeople("Robot.2", MAX_SUGGESTED_OPTIONS);
  const [id = ""] = await addPeople("Zoe", 1);
  for (const people of [[{ id }], []]) {
    const properties = { Owner: { people } };
    await client.createPage({ body: { parent: { database_id: database.id }, properties } });
  }
  const page = await readText(ada, `${path}zoe`);
  expect(page).toContain("1 row<");
  expect(page).not.toContain('<option value="Zoe">');
  expect(page).toContain('<option value="Robot">');
  await addPeople("Late.Robot", MAX_FILTER_CONDITIONS + 1);
  for (const name of ["Robot.2", "late.robot"]) {
    const response = await ada.get(path + name);
    expect([name, response.status, await response.text()]).toEqual([
      name,
      400,
      expect.stringContaining(`More than 100 people and API keys have the name “${name}”`),
    ]);
  }
});
