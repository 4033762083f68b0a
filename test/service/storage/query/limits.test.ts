import { describe, expect, test } from "vitest";
import { MAX_FILTER_CONDITIONS } from "../../../../src/budgets.js";
import { DomainError } from "../../../../src/domain/errors.js";
import { type PageQuery, queryPages } from "../../../../src/operations/load/query-pages.js";
import { readScope } from "../../../support/scope.js";
import { openTestStore } from "../open.js";
import { stores } from "../../../support/stores.js";
import { Random } from "../../../support/random.js";
import { createWorld, NOW } from "./world.js";

describe.each(stores.filter(([name]) => name !== "memory"))("the largest queries on %s", (_, newLocation) => {
  test("are executed or refused with a message", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, main } = await createWorld(store, new Random(1), 5);
    const groups = (count: number, leaf: object) => ({
      or: Array.from({ length: count }, () => ({
        and: Array.from({ length: MAX_FILTER_CONDITIONS / 5 }, () => leaf),
      })),
    });
    const everySort = main.schema.definitions.map(({ name }) => ({
      property: name,
      direction: "descending" as const,
    }));
    const query = (filter: PageQuery["filter"], sorts: PageQuery["sorts"], cursor?: string) =>
      queryPages(readScope(store, workspaceId), main, {
        filter,
        sorts,
        cursor,
        pageSize: 1,
        inTrash: false,
        now: NOW,
      });
    const leaves = [
      { property: "Name", title: { contains: "%" } },
      { property: "Number", number: { does_not_equal: 1 } },
      { property: "Related", relation: { is_empty: true } },
      { property: "Rollup median", rollup: { number: { greater_than: 1 } } },
    ];
    for (const leaf of leaves) {
      for (const sorts of [[], [{ property: "Number", direction: "descending" as const }], everySort]) {
        const { elements, nextCursor } = await query(groups(5, leaf), sorts);
        expect(elements.length).toBeLessThanOrEqual(1);
        if (nextCursor !== null) await query(groups(5, leaf), sorts, nextCursor);
      }
      await expect(query(groups(6, leaf), [])).rejects.toThrow(DomainError);
    }
    const long = { property: "Text", rich_text: { contains: "x".repeat(100_000) } };
    expect((await query(long, [])).elements).toEqual([]);
    const many = Array.from({ length: 100 }, () => everySort)
      .flat()
      .slice(0, 100);
    const { nextCursor } = await query(undefined, many);
    expect(await query(undefined, many, nextCursor ?? "")).toMatchObject({ elements: [{}] });
  });
});
