import { describe, expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import { STORAGE_LIMIT_BYTES } from "../../../../src/domain/plans.js";
import { Scopes, type WriteScope } from "../../../../src/operations/execution/scope.js";
import { updateDatabase } from "../../../../src/operations/update-database.js";
import { updatePage } from "../../../../src/operations/update-page.js";
import { insertPropertyRows } from "../../../../src/storage/pages/property-values.js";
import { STORED_LINK_BYTES } from "../../../../src/storage/pages/reverse-links.js";
import { createPrincipal, runUseCaseWithJobs, URLS } from "../../../support/scope.js";
import { sharedStores } from "../../../support/stores.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { fillPages, finishJobs } from "./filled-service.js";

/** Number of links, more than two transactions reverse. */
const PAGES = 700;

/** Id of a deleted page. */
const DELETED = newId();

describe.each(sharedStores)("a relation with many links in %s", (_, newLocation) => {
  test("becomes two-way in batches, which another process finishes", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const tasks = await fillPages(store, workspaceId, PAGES);
    const projects = await fillPages(store, workspaceId, 3);
    const scopes = new Scopes(store, URLS);
    const principal = createPrincipal(workspaceId);
    const write = <T>(job: (scope: WriteScope) => Promise<T>) => runUseCaseWithJobs(store, workspaceId, job);
    const relateAll = (names: readonly string[], kind: "single_property" | "dual_property") => {
      const relation = { database_id: projects.databaseId, [kind]: {} };
      const properties = Object.fromEntries(names.map((name) => [name, { relation }]));
      return (scope: WriteScope) => updateDatabase(scope, tasks.databaseId, { properties });
    };
    const relate = (name: string, kind: "single_property" | "dual_property") => relateAll([name], kind);
    /** Simulates a process that ends after the first transaction. */
    const writeWithoutJobs = <T>(run: (scope: WriteScope) => Promise<T>) =>
      store.write(workspaceId, ({ db: tx }) =>
        run(scopes.createWriteScope(principal, tx, { conversionJob: undefined, jobs: [] })),
      );
    /** Adds a one-way relation in which each task has one project. */
    const addRelation = async (name: string): Promise<string> => {
      const propertyId = (await write(relate(name, "single_property"))).properties[name]?.id ?? "";
      const links = tasks.pageIds.map((pageId, index) => [pageId, projects.pageIds[index % 3] ?? ""]);
      // A page that was deleted gets no link.
      links.push([tasks.pageIds[1] ?? "", DELETED]);
      const rows = links.map(([pageId = "", targetId = ""]) => ({
        workspace_id: workspaceId,
        page_id: pageId,
        database_id: tasks.databaseId,
        property_id: propertyId,
        ordinal: targetId === DELETED ? 1 : 0,
        text_key: targetId,
        number_key: null,
        end_key: null,
      }));
      await store.write(workspaceId, ({ db: tx }) => insertPropertyRows(tx, rows));
      return propertyId;
    };
    const readLinks = async (databaseId: string, propertyId: string) => {
      const rows = await store.read
        .selectFrom("property_values")
        .select(["page_id", "text_key"])
        .where("database_id", "=", databaseId)
        .where("property_id", "=", propertyId)
        .execute();
      return rows.map(({ page_id: from, text_key: to }) => ({ from, to: to ?? "" }));
    };
    const findTwin = async (name: string): Promise<string> => {
      const { properties } = await write((scope) => updateDatabase(scope, projects.databaseId, {}));
      return Object.values(properties).find((property) => property.name.includes(`(${name})`))?.id ?? "";
    };
    const expectMirrored = async (propertyId: string, twinId: string): Promise<void> => {
      const there = (await readLinks(tasks.databaseId, propertyId)).filter(({ to }) => to !== DELETED);
      const back = await readLinks(projects.databaseId, twinId);
      expect(back.map(({ from, to }) => `${to} ${from}`).sort()).toEqual(
        there.map(({ from, to }) => `${from} ${to}`).sort(),
      );
    };

    const whole = await addRelation("Whole");
    await write(relate("Whole", "dual_property"));
    expect(await store.read.selectFrom("jobs").select("id").execute()).toEqual([]);
    await expectMirrored(whole, await findTwin("Whole"));

    const interrupted = await addRelation("Interrupted");
    await writeWithoutJobs(relate("Interrupted", "dual_property"));
    const twinId = await findTwin("Interrupted");
    const first = await readLinks(projects.databaseId, twinId);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(PAGES);
    const setProjects = (pageId: string | undefined, ids: readonly (string | undefined)[]) =>
      write((scope) =>
        updatePage(scope, pageId ?? "", {
          properties: { Interrupted: { relation: ids.map((id) => ({ id: id ?? "" })) } },
        }),
      );
    await setProjects(first[0]?.to, []);
    await setProjects(tasks.pageIds.at(-1), projects.pageIds);
    await finishJobs(store);
    await expectMirrored(interrupted, twinId);
    expect(await readLinks(projects.databaseId, twinId)).toHaveLength(PAGES + 1);

    // The links back would take more bytes than the workspace has left.
    await addRelation("Large");
    const relateWith = (countedBytes: number) =>
      runUseCaseWithJobs(store, workspaceId, relate("Large", "dual_property"), {
        ...principal,
        countedBytes,
      });
    const fullBytes = 1.25 * STORAGE_LIMIT_BYTES.free - (PAGES + 1) * STORED_LINK_BYTES;
    await expect(relateWith(fullBytes + 1)).rejects.toThrow("of storage of the plan free");
    await relateWith(fullBytes);

    // A request can change 100 relations, so a transaction adds the links of only one.
    const names = ["First", "Second", "Third"];
    const relations = new Map<string, string>();
    for (const name of names) relations.set(name, await addRelation(name));
    await writeWithoutJobs(relateAll(names, "dual_property"));
    const counts = names.map(
      async (name) => (await readLinks(projects.databaseId, await findTwin(name))).length,
    );
    expect(await Promise.all(counts)).toEqual([first.length, 0, 0]);
    await finishJobs(store);
    for (const [name, propertyId] of relations) await expectMirrored(propertyId, await findTwin(name));
  });
});
