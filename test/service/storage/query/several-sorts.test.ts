import { expect, test } from "vitest";
import { queryPages } from "../../../../src/operations/load/query-pages.js";
import { readScope } from "../../../support/scope.js";
import { openTestStore } from "../open.js";
import { openSecondConnection, stores } from "../../../support/stores.js";
import { Oracle } from "./oracle.js";
import { Random, takeSeed } from "../../../support/random.js";
import { randomCondition } from "./random-query.js";
import { createWorld, NOW } from "./world.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { emptyPage, plainProperty } from "../../../support/objects.js";
import { addDatabase } from "../fixtures.js";

/** Number of pages, so that more pages have the same first value of a sort than are sorted at once. */
const PAGES = 4500;
const QUERIES = 14;

/** Properties with few and with many distinct values. */
const NAMES = ["Select", "Tick", "Number", "Text", "Unique", "Date", "Multi"];

test.each(stores.filter(([name]) => name !== "memory"))(
  "several sorts give the same order as sorting all pages, with many equal first values: %s",
  async (_, newLocation) => {
    const seed = takeSeed();
    const random = new Random(seed);
    const location = await newLocation();
    const store = await openTestStore(location);
    const world = await createWorld(store, random, PAGES);
    await (
      await openSecondConnection(location)
    )("ANALYZE");
    const oracle = new Oracle(world);
    const { definitions } = world.main.schema;
    for (let count = 0; count < QUERIES; count += 1) {
      const sorts = Array.from({ length: random.pick([2, 2, 3]) }, (_each, index) => {
        // Each property is the first sort in turn, in both directions.
        const name = index === 0 ? NAMES[(count >> 1) % NAMES.length] : random.pick(NAMES);
        const descending = index === 0 ? count % 2 === 1 : random.chance(0.5);
        return { property: name, direction: descending ? ("descending" as const) : ("ascending" as const) };
      });
      const property = random.pick(definitions.filter(({ name }) => NAMES.includes(name)));
      const filter = random.chance(0.5)
        ? { property: property.name, [property.type]: randomCondition(random, property, world) }
        : undefined;
      const description = `SEED=${seed} query ${count}: ${JSON.stringify({ filter, sorts })}`;
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const result = await queryPages(readScope(store, world.workspaceId), world.main, {
          filter,
          sorts,
          cursor,
          pageSize: 400,
          inTrash: false,
          now: NOW,
        });
        found.push(...result.elements.map(({ id }) => id));
        cursor = result.nextCursor ?? undefined;
      } while (cursor !== undefined && found.length <= PAGES);
      expect(found, description).toEqual(oracle.query(filter, sorts, false));
    }
  },
);

test.each(stores)("100 sorts by empty texts find the first page: %s", async (_, newLocation) => {
  const store = await openTestStore(await newLocation());
  const { workspaceId, databaseId } = await addDatabase(store);
  const properties = Array.from({ length: 100 }, (_each, index) =>
    plainProperty(`text${index}`, `Text ${index}`, "rich_text"),
  );
  const schema = createSchema([plainProperty("title", "Title", "title"), ...properties]);
  const pages = Array.from({ length: 3 }, () => emptyPage(databaseId));
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) await insertPage(scope, page);
  });
  const sorts = properties.map(({ name }) => ({ property: name, direction: "ascending" as const }));
  const query = { sorts, pageSize: 1, inTrash: false, now: NOW };
  const { elements } = await queryPages(readScope(store, workspaceId), { id: databaseId, schema }, query);
  expect(elements.map(({ id }) => id)).toEqual([pages[0]?.id]);
});
