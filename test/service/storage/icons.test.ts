import { describe, expect, test } from "vitest";
import { MAX_LINK_ICON_BYTES } from "../../../src/budgets.js";
import { insertPage } from "../../../src/storage/pages.js";
import { findIcons } from "../../../src/storage/icons.js";
import { emptyPage } from "../../support/objects.js";
import { stores } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";

describe.each(stores)("in %s", (_, newLocation) => {
  test("skips icons beyond MAX_LINK_ICON_BYTES", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const icon = { type: "emoji", emoji: "🍵" } as const;
    const url = `https://example.com/${"x".repeat(MAX_LINK_ICON_BYTES)}`;
    const short = { ...emptyPage(databaseId), icon };
    const long = { ...emptyPage(databaseId), icon: { type: "external", external: { url } } as const };
    const pages = [short, long, emptyPage(databaseId)];
    await store.write(workspaceId, async (scope) => {
      for (const page of pages) await insertPage(scope, page);
    });
    const ids = [databaseId, ...pages.map(({ id }) => id)];
    expect(await findIcons({ db: store.read, workspaceId }, ids)).toEqual(new Map([[short.id, icon]]));
  });
});
