import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  MAX_CLEANED_LINKS,
  MAX_PAGES_PER_VALUE_COUNT,
  MAX_VALUES_OF_LINKED_PAGE,
} from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { chunk } from "../../../src/lists.js";
import { addPage, connect } from "../../support/contract.js";
import { addPages } from "../storage/fixtures.js";

test("links to deleted pages are removed from as many pages as one transaction cleans, or by a job from more", async () => {
  const { client, service, workspaceId, rootDatabaseId } = await connect();
  const relation = { database_id: rootDatabaseId } as const;
  const twoWay = { relation: { ...relation, type: "dual_property", dual_property: {} } } as const;
  const { body: database } = await client.createDatabase({
    body: {
      parent: { page_id: await addPage({ client, rootDatabaseId }) },
      properties: {
        Title: { title: {} },
        Two: twoWay,
        One: { relation: { ...relation, type: "single_property", single_property: {} } },
      },
    },
  });
  const two = database.properties["Two"];
  if (two?.type !== "relation" || two.relation.type !== "dual_property") throw new Error("Not two-way.");
  const propertyId = decodeURIComponent(two.relation.dual_property.synced_property_id);
  const targets = await addPages(service.store, workspaceId, rootDatabaseId, MAX_PAGES_PER_VALUE_COUNT + 1);
  const [first = "", ...others] = targets;
  // Links to the same page, because an index gets sorted rows faster.
  const deletedId = newId();
  const fill = (): Promise<void> =>
    service.store.write(workspaceId, async ({ db: tx }) => {
      await tx.deleteFrom("property_values").where("text_key", "=", deletedId).execute();
      const common = { workspace_id: workspaceId, database_id: rootDatabaseId, property_id: propertyId };
      const rows = Array.from({ length: MAX_VALUES_OF_LINKED_PAGE }, (_, ordinal) => ({
        ...common,
        page_id: first,
        ordinal: ordinal + 10,
        text_key: deletedId,
      }));
      for (const part of chunk(rows, 2000)) await tx.insertInto("property_values").values(part).execute();
      for (const id of others) {
        await sql`
          insert into property_values (workspace_id, page_id, database_id, property_id, ordinal, text_key)
          select workspace_id, ${id}, database_id, property_id, ordinal, text_key
          from property_values where page_id = ${first} and property_id = ${propertyId} and text_key = ${deletedId}
        `.execute(tx);
      }
    });
  const countLinks = async () => {
    const query = service.store.read
      .selectFrom("property_values")
      .select((eb) => eb.fn.countAll().as("count"));
    return (await query.where("page_id", "in", targets).executeTakeFirstOrThrow()).count;
  };
  const link = (name: string, ids: readonly string[]) =>
    client.createPage({
      body: {
        parent: { database_id: database.id },
        properties: { [name]: { relation: ids.map((id) => ({ id })) } },
      },
    });

  await fill();
  await expect(link("Two", targets)).rejects.toThrow("link fewer such pages in one request");
  await link("Two", others);
  await link("Two", [first]);
  // A transaction does not remove all of them, because it would take 0.1 s for each page.
  const remaining = MAX_VALUES_OF_LINKED_PAGE - MAX_CLEANED_LINKS;
  expect(await countLinks()).toBe(targets.length * (remaining + 1));

  await link("One", targets);
  await fill();
  await client.updateDatabase({ path: { database_id: database.id }, body: { properties: { One: twoWay } } });
  expect(await countLinks()).toBe(targets.length * (remaining + 2));
});
