import { expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import type { StoredValue } from "../../../../src/domain/properties/stored-values.js";
import { DomainError } from "../../../../src/domain/errors.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import { type PageQuery, queryPages } from "../../../../src/operations/load/query-pages.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { addDatabase } from "../fixtures.js";
import { readScope } from "../../../support/scope.js";
import { openTestStore } from "../open.js";
import { emptyDatabase, emptyPage, plainProperty } from "../../../support/objects.js";
import { Random, takeSeed } from "../../../support/random.js";

const RUNS = 400;

const schema = createSchema([
  plainProperty("title", "Name", "title"),
  plainProperty("numb", "Number", "number"),
  plainProperty("text", "Text", "url"),
  plainProperty("tick", "Tick", "checkbox"),
  plainProperty("note", "Note", "number"),
]);

/** Sorts of the runs. None uses the property "Note", which changes constantly. */
const SORTS = [
  [],
  ["Number"],
  ["Text"],
  ["Tick"],
  ["Tick", "Number"],
  ["Text", "Tick", "Number"],
  ["created_time"],
];

/** A database in which pages are added and removed. */
class ChangingDatabase {
  readonly databaseId = newId();
  readonly ids: string[] = [];

  constructor(
    readonly store: Store,
    readonly workspaceId: string,
    readonly random: Random,
  ) {}

  async open(): Promise<void> {
    await this.store.write(this.workspaceId, (scope) =>
      insertDatabase(scope, emptyDatabase({ id: this.databaseId, schema })),
    );
  }

  async add(count: number): Promise<void> {
    const { random, databaseId, workspaceId } = this;
    const pages = Array.from({ length: count }, () => {
      const properties: Record<string, StoredValue> = {};
      if (random.chance(0.8)) properties.numb = random.integer(0, 3);
      if (random.chance(0.8)) properties.text = random.pick(["a", "A", "b", "c", "ä"]);
      if (random.chance(0.8)) properties.tick = random.chance(0.5);
      return emptyPage(databaseId, { properties, createdTime: random.integer(0, 4) });
    });
    await this.store.write(workspaceId, async (scope) => {
      for (const page of pages) await insertPage(scope, page);
      await insertPropertyValues(
        scope,
        pages.map((page) => ({ ...page, databaseId })),
        schema.definitions,
      );
    });
    this.ids.push(...pages.map((page) => page.id));
  }

  /** Removes pages by deletion or a move to the trash. */
  async remove(count: number): Promise<void> {
    const { random, store } = this;
    for (const id of random.shuffle(this.ids).slice(0, count)) {
      this.ids.splice(this.ids.indexOf(id), 1);
      await store.writeServiceWide(async (tx) => {
        if (random.chance(0.5)) {
          await tx.updateTable("pages").set({ in_trash: 1 }).where("id", "=", id).execute();
          return;
        }
        await tx.deleteFrom("property_values").where("page_id", "=", id).execute();
        await tx.deleteFrom("pages").where("id", "=", id).execute();
      });
    }
  }

  /** Changes the property of pages that is not sorted by. */
  async edit(count: number): Promise<void> {
    const { random, workspaceId, databaseId, store } = this;
    const ids = random.shuffle(this.ids).slice(0, count);
    await store.write(workspaceId, async (scope) => {
      await scope.db
        .deleteFrom("property_values")
        .where("page_id", "in", ids)
        .where("property_id", "=", "note")
        .execute();
      const pages = ids.map((id) => ({ id, databaseId, properties: { note: random.next() } }));
      await insertPropertyValues(scope, pages, schema.definitions);
    });
  }
}

test("a page that exists throughout is returned exactly once during concurrent changes", async () => {
  const seed = takeSeed();
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  for (let run = 0; run < RUNS; run += 1) {
    const random = new Random(seed + run);
    const table = new ChangingDatabase(store, workspaceId, random);
    await table.open();
    await table.add(random.integer(0, 14));
    const before = [...table.ids];
    const names = random.pick(SORTS);
    const sorts = names.map((name) => ({
      [name === "created_time" ? "timestamp" : "property"]: name,
      direction: random.pick(["ascending", "descending"] as const),
    }));
    const filter = random.chance(0.3) ? { property: "Tick", checkbox: { equals: true } } : undefined;
    const parameters = { filter, sorts, inTrash: false, now: 0 };
    const query = (pageSize: number, cursor: string | undefined) =>
      queryPages(
        readScope(store, workspaceId),
        { id: table.databaseId, schema },
        { ...parameters, pageSize, cursor },
      );
    const all = (await query(100, undefined)).elements.map((page) => page.id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const result = await query(random.integer(1, 4), cursor);
      seen.push(...result.elements.map((page) => page.id));
      cursor = result.nextCursor ?? undefined;
      await table.add(random.integer(0, 2));
      await table.remove(random.integer(0, 1));
      await table.edit(random.integer(0, 2));
    } while (cursor !== undefined && seen.length < 200);
    const description = `SEED=${seed} run ${run}: ${JSON.stringify({ sorts, filter })}`;
    expect(new Set(seen).size, description).toBe(seen.length);
    const stayed = all.filter((id) => before.includes(id) && table.ids.includes(id));
    expect(
      seen.filter((id) => stayed.includes(id)),
      description,
    ).toEqual(stayed);
  }
});

type Sorts = NonNullable<PageQuery["sorts"]>;

test("a cursor is valid only for its database and sorts", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const [table, other] = [1, 2].map((seed) => new ChangingDatabase(store, workspaceId, new Random(seed)));
  if (table === undefined || other === undefined) throw new Error("unreachable");
  for (const each of [table, other]) {
    await each.open();
    await each.add(5);
  }
  const byNumber = [{ property: "Number", direction: "ascending" as const }];
  const query = (databaseId: string, sorts: Sorts, cursor?: string) =>
    queryPages(
      readScope(store, workspaceId),
      { id: databaseId, schema },
      { sorts, pageSize: 2, inTrash: false, now: 0, cursor },
    );
  const { nextCursor } = await query(table.databaseId, byNumber);
  const cursor = nextCursor ?? "";
  expect((await query(table.databaseId, byNumber, cursor)).elements).toHaveLength(2);

  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const [name, id] = JSON.parse(Buffer.from(cursor, "base64url").toString());
  const wrong: [string, Sorts, string][] = [
    [other.databaseId, byNumber, cursor],
    [table.databaseId, [], cursor],
    [table.databaseId, [{ property: "Number", direction: "descending" }], cursor],
    [table.databaseId, byNumber, "garbage"],
    [table.databaseId, byNumber, encode([name, id])],
    [table.databaseId, byNumber, encode([name, id, "1"])],
    [table.databaseId, byNumber, encode([name, id, {}])],
    [table.databaseId, byNumber, encode([name, "' or 1=1", 1])],
    [table.databaseId, byNumber, encode({ length: 3 })],
    [table.databaseId, byNumber, newId()],
  ];
  for (const [databaseId, sorts, text] of wrong) {
    const refused = query(databaseId, sorts, text);
    await expect(refused).rejects.toThrow(DomainError);
    await expect(refused).rejects.toThrow(
      `The start_cursor provided is invalid: ${text}. Use the next_cursor of the last response of the same list.`,
    );
  }
});
