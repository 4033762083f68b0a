import { describe, expect, test } from "vitest";
import { MAX_LINK_ICON_BYTES } from "../../../../src/budgets.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { findIcons } from "../../../../src/storage/objects/icons.js";
import { emptyPage } from "../../../support/objects.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

describe.each(reusableStores)("in %s", (_, newLocation) => {
  test("skips icons beyond MAX_LINK_ICON_BYTES", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const icon = { type: "emoji", emoji: "🍵" } as const;
    /** Creates a page whose icon has a number of bytes as JSON, in fewer characters. */
    const createPage = (bytes: number) => {
      const pad = (url: string) =>
        ({ type: "external", external: { url: `https://example.com/é${url}` } }) as const;
      const missingBytes = bytes - Buffer.byteLength(JSON.stringify(pad("")));
      return { ...emptyPage(databaseId), icon: pad("x".repeat(missingBytes)) };
    };
    const short = { ...emptyPage(databaseId), icon };
    const longest = createPage(MAX_LINK_ICON_BYTES);
    const pages = [short, longest, createPage(MAX_LINK_ICON_BYTES + 1), emptyPage(databaseId)];
    await store.write(workspaceId, async (scope) => {
      for (const page of pages) await insertPage(scope, page);
    });
    const ids = [databaseId, ...pages.map(({ id }) => id)];
    expect(await findIcons({ db: store.read, workspaceId }, ids)).toEqual(
      new Map([short, longest].map((page) => [page.id, page.icon])),
    );
  });
});
