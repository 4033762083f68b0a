import { expect, test } from "vitest";
import { MAX_LISTED_OBJECTS } from "../../../../src/budgets.js";
import { createClient } from "../../../../src/client/index.js";
import { appendIds } from "../../../support/blocks.js";
import { text, title } from "../../../support/contract.js";
import { readCsrfToken, readText, startWeb } from "../visitors.js";

/** Starts a service with an owner, Ada, a member, Mel, and a client for the API. */
async function start() {
  const { url, member, service } = await startWeb();
  const owner = await member("Ada");
  const mel = await member("Mel", await owner.invite());
  const client = createClient({ baseUrl: url, apiKey: await owner.createKey("Importer") });
  const addPage = async (name: string, parent?: string) => {
    const { body } = await client.createPage({
      body: {
        parent: parent === undefined ? { workspace: true } : { page_id: parent },
        properties: { title: title(name) },
      },
    });
    return body.id;
  };
  const moveToTrash = (id: string) => client.deleteBlock({ path: { block_id: id } });
  const exists = async (id: string): Promise<boolean> =>
    client.retrieveBlock({ path: { block_id: id } }).then(
      () => true,
      () => false,
    );
  return { url, member, owner, mel, client, service, addPage, moveToTrash, exists };
}

test("pages and databases in the trash can be restored and deleted, unless they are in one that was moved there", async () => {
  const { mel, client, addPage, moveToTrash } = await start();
  const page = await addPage("Sencha");
  const inside = await addPage("Inside", page);
  const { body: database } = await client.createDatabase({
    body: { parent: { page_id: page }, title: text("Orders"), properties: { Name: { title: {} } } },
  });
  for (const id of [page, database.id]) {
    expect(await readText(mel, `/${id}`)).not.toContain("In the trash");
    await moveToTrash(id);
    const trashed = await readText(mel, `/${id}`);
    expect(trashed).toContain("In the trash");
    expect(trashed).toContain(`href="/trash/${id}/delete">Delete permanently</a>`);
    if (id === page) {
      const child = await readText(mel, `/${inside}`);
      expect(child).toContain("In the trash</a> with the page or database that contains it");
      expect(child).not.toContain("/trash/");
    }
    const restored = await mel.submit(`/${id}`, `/trash/${id}/restore`);
    expect(restored.status).toBe(303);
    const after = await readText(mel, restored.headers.get("location") ?? "");
    expect(after).toContain("Restored from the trash.");
    expect(after).not.toContain("In the trash");
  }
});

test("a page is restored after the page that contains it", async () => {
  const { mel, addPage, moveToTrash } = await start();
  const page = await addPage("Sencha");
  const inside = await addPage("Inside", page);
  for (const id of [inside, page]) await moveToTrash(id);
  const refused = await mel.submit(`/${inside}`, `/trash/${inside}/restore`);
  const explanation = await refused.text();
  expect(refused.status).toBe(400);
  expect(explanation).toContain("Restore that first.");
  expect(explanation).toContain('<a href="/trash">Open the trash</a>');
});

test("the trash shows the page or database from which an object was moved", async () => {
  const { owner, client, addPage, moveToTrash } = await start();
  const parentId = await addPage("Parent");
  const { body: database } = await client.createDatabase({
    body: {
      parent: { page_id: parentId },
      title: [{ text: { content: "Teas" } }],
      properties: { Name: { title: {} } },
    },
  });
  const { body: page } = await client.createPage({
    body: { parent: { database_id: database.id }, properties: { Name: title("Sencha") } },
  });
  for (const id of [await addPage("Inside", parentId), page.id]) await moveToTrash(id);
  const origins = (await readText(owner, "/trash")).matchAll(/moved by Importer from (\w+)/g);
  expect(Array.from(origins, ([, origin]) => origin).sort()).toEqual(["Parent", "Teas"]);
});

test("a member deletes a page of the trash permanently after a confirmation, and owners see it in the log", async () => {
  const { owner, mel, addPage, moveToTrash, exists } = await start();
  // Part of the title looks like a masked key.
  const page = await addPage("Sencha (ps_draft)");
  const inside = await addPage("Inside", page);
  const other = await addPage("Other");
  for (const id of [page, other]) await moveToTrash(id);
  const trash = await readText(mel, "/trash");
  const path = `/trash/${page}/delete`;
  expect(trash).toContain(`<a href="${path}" aria-label="Delete Sencha (ps_draft) permanently">Delete</a>`);
  const question = await readText(mel, path);
  expect(question).toContain("The page <strong>Sencha (ps_draft)</strong> will be deleted permanently");
  expect(question).toContain("This cannot be undone.");
  // The question deletes nothing.
  expect(await exists(page)).toBe(true);

  const deleted = await mel.submit(path, path);
  expect([deleted.status, deleted.headers.get("location")]).toEqual([303, "/trash?notice=deleted"]);
  const after = await readText(mel, "/trash?notice=deleted");
  expect(after).toContain("Deleted permanently.");
  expect(after).not.toContain("Sencha");
  expect(after).toContain(">Other</a>");
  expect([await exists(page), await exists(inside), await exists(other)]).toEqual([false, false, true]);
  expect((await mel.get(`/${page}`)).status).toBe(404);
  expect((await mel.get(path)).status).toBe(404);
  expect((await mel.send(`/trash/${page}/restore`, { csrf: "x" })).status).toBe(403);
  expect((await mel.submit("/trash", `/trash/${other}/restore`)).status).toBe(303);
  expect(await readText(owner, "/settings/api")).toContain(
    "<strong>Mel</strong> permanently deleted the page “Sencha (ps_draft)”",
  );
});

test("the trash tells where each object was, who moved it there, and when", async () => {
  const { url, owner, mel, client, addPage, moveToTrash } = await start();
  const teas = await addPage("Teas");
  const author = createClient({ baseUrl: url, apiKey: await owner.createKey("Author") });
  const { body: other } = await author.createPage({
    body: { parent: { workspace: true }, properties: { title: title("Other") } },
  });
  for (const id of [await addPage("Sencha", teas), other.id]) await moveToTrash(id);
  const { body } = await client.createDatabase({
    body: { parent: { page_id: teas }, title: text("Orders"), properties: { Name: { title: {} } } },
  });
  await moveToTrash(body.id);
  const trash = (await readText(mel, "/trash")).replaceAll(/<[^>]*>|\s+/g, " ").replaceAll(/ +/g, " ");
  for (const entry of [
    "Sencha moved by Importer from Teas just now",
    "Other moved by Importer just now",
    "Orders database moved by Importer from Teas just now",
  ]) {
    expect(trash).toContain(entry);
  }
});

test("the trash, and pages with links to an object, show its icon", async () => {
  const { mel, client, addPage, moveToTrash } = await start();
  const teas = await addPage("Teas");
  const sencha = await addPage("Sencha", teas);
  const { body: orders } = await client.createDatabase({
    body: {
      parent: { page_id: teas },
      title: text("Orders"),
      icon: { emoji: "📦" },
      properties: { Name: { title: {} } },
    },
  });
  await client.updatePage({ path: { page_id: sencha }, body: { icon: { emoji: "🍵" } } });
  const links = [{ link_to_page: { page_id: sencha } }, { link_to_page: { database_id: orders.id } }];
  await appendIds(client, teas, links);
  const readIcons = async (path: string) =>
    [...(await readText(mel, path)).matchAll(/class="icon"[^>]*>([^<]*)<\/span\s*>\s*<a [^>]*>([^<]*)/g)].map(
      ([, icon, name]) => `${icon} ${name}`,
    );
  const expected = ["🍵 Sencha", "📦 Orders"];
  expect(await readIcons(`/${teas}`)).toEqual([...expected, ...expected]);
  for (const id of [orders.id, sencha]) await moveToTrash(id);
  expect(await readIcons("/trash")).toEqual(expected);
});

test("only an owner empties the trash, which includes blocks", async () => {
  const { owner, mel, client, addPage, moveToTrash, exists } = await start();
  const page = await addPage("Sencha");
  const [block = ""] = await appendIds(client, page, [{ divider: {} }]);
  await moveToTrash(block);
  expect(await readText(owner, "/trash/empty")).toMatch(/<p>All\s+blocks in the\s+trash/);
  expect(await readText(mel, "/trash")).toContain("The trash has no pages or databases.");
  expect(await readText(mel, "/trash")).not.toMatch(/\/trash\/empty|“Empty trash”/);
  expect((await mel.get("/trash/empty")).status).toBe(403);
  expect(await readText(owner, "/trash")).toContain('<a class="button quiet" href="/trash/empty">');
  const other = await addPage("Other");
  await moveToTrash(other);

  const question = (await readText(owner, "/trash/empty")).replaceAll(/\s+/g, " ");
  expect(question).toContain("<p>1 page or database, and all blocks in the trash");
  expect(question).toContain("in the trash of <strong>Demo</strong> will be deleted permanently");
  const emptied = await owner.submit("/trash/empty", "/trash/empty");
  expect([emptied.status, emptied.headers.get("location")]).toEqual([303, "/trash?notice=deleted"]);
  expect(await readText(owner, "/trash")).toContain("The trash has no pages or databases.");
  expect([await exists(block), await exists(other), await exists(page)]).toEqual([false, false, true]);
  expect(await readText(owner, "/settings/api")).toContain(
    "<strong>Ada</strong> emptied the trash of “Demo”",
  );
});

test("the confirmation of an empty trash has the number of pages and databases, or that of one part of the trash", async () => {
  const { owner, addPage, moveToTrash } = await start();
  const readCount = async () =>
    /<p>([^<]*), and all\s/.exec(await readText(owner, "/trash/empty"))?.[1]?.replaceAll(/\s+/g, " ");
  for (let count = 1; count <= MAX_LISTED_OBJECTS; count += 1) await moveToTrash(await addPage(`${count}`));
  expect(await readCount()).toBe(`${MAX_LISTED_OBJECTS} pages and databases`);
  await moveToTrash(await addPage("One more"));
  expect(await readCount()).toBe(`More than ${MAX_LISTED_OBJECTS} pages and databases`);
});

test("pages outside of the trash, and inside of a page of the trash, are not deleted permanently", async () => {
  const { mel, addPage, moveToTrash, exists } = await start();
  const page = await addPage("Sencha");
  const inside = await addPage("Inside", page);
  const other = await addPage("Other");
  await moveToTrash(page);
  const csrf = await readCsrfToken(mel, "/trash");
  for (const id of [inside, other]) {
    for (const response of [
      await mel.get(`/trash/${id}/delete`),
      await mel.send(`/trash/${id}/delete`, { csrf }),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("Only pages and databases that the trash lists");
    }
    expect(await exists(id)).toBe(true);
  }
});

test("members of another workspace neither see, restore nor delete what is in the trash", async () => {
  const { owner, member, addPage, moveToTrash, exists } = await start();
  const page = await addPage("Sencha");
  await moveToTrash(page);
  const eve = await member("Eve");
  const own = await eve.submit("/trash/empty", "/trash/empty");
  expect(own.status).toBe(303);
  const csrf = await readCsrfToken(eve, "/trash/empty");
  const path = `/trash/${page}/delete`;
  expect([(await eve.get(path)).status, (await eve.send(path, { csrf })).status]).toEqual([404, 404]);
  expect((await eve.send(`/trash/${page}/restore`, { csrf })).status).toBe(404);
  expect(await exists(page)).toBe(true);
  expect(await readText(owner, "/trash")).toContain("Sencha");
});

test("a database with many pages disappears from the trash at once, and its pages within seconds", async () => {
  const { owner, client, service, exists } = await start();
  const { body: found } = await client.search({
    body: { filter: { property: "object", value: "database" } },
  });
  const [database] = found.results;
  if (database === undefined) throw new Error("The demo workspace has no database.");
  for (let count = 0; count < 250; count += 1)
    await client.createPage({ body: { parent: { database_id: database.id }, properties: {} } });
  await client.updateDatabase({ path: { database_id: database.id }, body: { in_trash: true } });
  const path = `/trash/${database.id}/delete`;
  const deleted = await owner.submit(path, path);
  expect(deleted.headers.get("location")).toBe("/trash?notice=deletion-begun");
  expect((await owner.get(path)).status).toBe(404);
  const trash = await readText(owner, "/trash?notice=deletion-begun");
  expect(trash).toContain("The deletion has begun.");
  expect(trash).toContain("The trash has no pages or databases.");
  await expect.poll(() => exists(database.id)).toBe(false);
  await expect.poll(() => service.store.read.selectFrom("jobs").select("id").execute()).toEqual([]);
});

test("a block of the workspace has no page for its permanent deletion", async () => {
  const { owner, client, addPage } = await start();
  const [block = ""] = await appendIds(client, await addPage("Sencha"), [{ divider: {} }]);
  const response = await owner.get(`/trash/${block}/delete`);
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining("<h1>Page not found</h1>"),
  ]);
});
