import { expect, test } from "vitest";
import { createPageObject, type Page } from "../../../../src/domain/page.js";
import { findAncestors } from "../../../../src/operations/views/ancestors.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { plainRun } from "../../../support/objects.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase, EDIT } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

test("the 30 innermost ancestors are found, outermost first", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const pages: Page[] = [];
  for (let level = 1; level <= 32; level += 1) {
    const container = pages.at(-1);
    const parent =
      container === undefined
        ? ({ type: "workspace" } as const)
        : ({ type: "page_id", id: container.id } as const);
    pages.push(createPageObject(parent, { title: [plainRun(`Level ${level}`)] }, {}, EDIT));
  }
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) await insertPage(scope, page);
  });
  const scope = readScope(store, workspaceId);
  const findTitles = async (level: number) =>
    (await findAncestors(scope, { type: "page_id", id: pages[level - 1]?.id ?? "" })).map(
      ({ title }) => title,
    );
  expect(await findTitles(2)).toEqual(["Level 1", "Level 2"]);
  expect(await findTitles(32)).toEqual(Array.from({ length: 30 }, (_, index) => `Level ${index + 3}`));
});
