import { expect, test } from "vitest";
import {
  joinWithAnd,
  joinWithOr,
  compileStatement,
  buildIn,
  sql,
} from "../../../../src/storage/query/sql.js";

test("values become parameters, and fragments become parts of the text", () => {
  const inner = sql`${sql.ref("p.id")} = ${"a"}`;
  const statement = sql`select ${sql.lit(1)} where ${joinWithAnd([inner, sql`x = ${null}`])} limit ${2}`;
  const parameters = ["a", null, 2];
  expect(compileStatement(statement, "w", false)).toMatchObject({
    sql: 'select 1 where ("p"."id" = ? and x = ?) limit ?',
    parameters,
  });
  expect(compileStatement(statement, "w", true)).toMatchObject({
    sql: 'select 1 where ("p"."id" = $1 and x = $2) limit $3',
    parameters,
  });
});

test("the workspace becomes a parameter, and each alias gets its own name", () => {
  const [one, other] = [sql.alias("p"), sql.alias("p")];
  const statement = sql`select ${one}.id from pages as ${one}, pages as ${other} where ${one}.workspace_id = ${sql.workspaceId}`;
  expect(compileStatement(statement, "w", false)).toMatchObject({
    sql: "select p1.id from pages as p1, pages as p2 where p1.workspace_id = ?",
    parameters: ["w"],
  });
});

test("quotes in names are escaped", () => {
  expect(compileStatement(sql.ref('a"; drop table pages; --'), "w", false).sql).toBe(
    '"a""; drop table pages; --"',
  );
});

test("empty lists are true, false or no element", () => {
  const texts = [joinWithAnd([]), joinWithOr([]), buildIn(sql`x`, []), sql.join([])].map(
    (each) => compileStatement(each, "w", false).sql,
  );
  expect(texts).toEqual(["1 = 1", "1 = 0", "1 = 0", ""]);
});
