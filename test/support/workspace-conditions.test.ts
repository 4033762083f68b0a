import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "./api-document.js";
import { SERVICE_WIDE } from "./checked-statements.js";
import { findUnrestrictedTables } from "./workspace-conditions.js";

const SAME = "b.workspace_id = a.workspace_id";

test.each([
  ["select * from pages where workspace_id = ? and id = ?", []],
  [`delete from "pages" where "workspace_id" = $1`, []],
  ["update pages set icon = ? where id = ?", ["pages"]],
  ["select * from pages where workspace_id > ?", ["pages"]],
  ["select * from pages where (workspace_id, id) >= (?, ?) and (workspace_id, id) <= (?, ?)", []],
  ["select * from workspaces where id = ?", []],
  [`select * from pages as a join blocks as b on ${SAME} where a.workspace_id = ?`, []],
  [`select * from pages as a, blocks as b where ${SAME}`, ["pages", "blocks"]],
  ["select * from pages as a join blocks as b on b.page_id = a.id where a.workspace_id = ?", ["blocks"]],
  [
    `select * from pages as a where workspace_id = ? and exists (select 1 from blocks as b where ${SAME})`,
    [],
  ],
  ["select * from pages where workspace_id = ? and id in (select page_id from blocks)", ["blocks"]],
  [
    "delete from pages where (workspace_id, id) in (select workspace_id, id from pages where workspace_id = ?)",
    [],
  ],
  ["select 1 from pages where workspace_id = ? union all select 1 from blocks", ["blocks"]],
  ["with a as (select * from pages where workspace_id = ?) select * from a", []],
  [
    `with a as (select * from pages where id = ?) select * from a join blocks as b on ${SAME}`,
    ["pages", "blocks"],
  ],
  ["select * from json_each(?) as list cross join pages where pages.workspace_id = ?", []],
  ["select * from (select * from pages where workspace_id = ?) as a where a.id is distinct from ?", []],
])("%s", (sql, tables) => {
  expect(findUnrestrictedTables(sql)).toEqual(tables);
});

test.each(Object.keys(SERVICE_WIDE))("the listed function exists: %s", (entry) => {
  const [file = "", name] = entry.split(" ");
  expect(readFileSync(path.join(PROJECT, "src", file), "utf8")).toMatch(
    new RegExp(`\\bfunction\\*? ${name}\\b`),
  );
});
