import { type SqlBool, sql } from "kysely";
import { MAX_LINK_ICON_BYTES } from "../../budgets.js";
import type { Icon } from "../../domain/icon.js";
import { readByIds } from "../sql-helpers.js";
import type { StorageScope } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

/** Reads the icons of pages and databases, by id. Skips objects without an icon, and icons beyond MAX_LINK_ICON_BYTES. */
export async function findIcons(
  scope: StorageScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Icon>> {
  const isShort = sql<SqlBool>`octet_length(icon) <= ${MAX_LINK_ICON_BYTES}`;
  const icons = new Map<string, Icon>();
  for (const table of ["pages", "databases"] as const) {
    const rows = await readByIds(ids, selectFrom(scope, table).select(["id", "icon"]).where(isShort));
    for (const { id, icon } of rows) icons.set(id, JSON.parse(icon ?? "null"));
  }
  return icons;
}
