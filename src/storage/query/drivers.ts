import { sql } from "kysely";
import type { Condition, Test } from "../../domain/query/condition.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import { type Fragment, type Scope } from "./scope.js";
import type { Source } from "./sources.js";
import { columnsOf, rangeSql, testSql } from "./tests.js";

/** A part of a condition whose pages an index gives. */
export type Lookup = Extract<Condition, { kind: "element" | "time" }>;

/** Lookups that together find every page that meets a condition, and others as well. */
export type Driver = readonly Lookup[];

/** The pages that a query is about. */
export interface Extent {
  readonly databaseId: string;
  readonly inTrash: boolean;
}

/** All ways of finding the pages that meet a condition, the most promising first. */
export function driversOf(condition: Condition): Driver[] {
  return collect(condition).sort((one, other) => costOf(one) - costOf(other));
}

function collect(condition: Condition): Driver[] {
  switch (condition.kind) {
    case "element":
    case "time":
      return [[condition]];
    case "and":
      return condition.members.flatMap(collect);
    case "or": {
      const best = condition.members.map((member) => driversOf(member)[0]);
      return best.length === 0 || best.includes(undefined) ? [] : [best.flatMap((driver) => driver ?? [])];
    }
    default:
      return [];
  }
}

/** Ranks a driver by how few pages it can be expected to find; from 3 on it has to look at every value. */
function costOf(driver: Driver): number {
  return Math.max(...driver.map((lookup) => (lookup.kind === "time" ? 2 : costOfTest(lookup.test))));
}

function costOfTest(test: Test): number {
  switch (test.kind) {
    case "id":
      return 0;
    case "range":
      return isExactTest(test) ? 0 : 2;
    case "any":
      return 2;
    case "text":
      if (test.operator === "equals") return 0;
      return test.operator === "starts_with" ? 1 : 3;
  }
}

/** Whether a driver has to look at every value of a property, which takes time with many pages. */
export function isScan(driver: Driver): boolean {
  return costOf(driver) >= 3;
}

/** The element that pages are found by in the order of their ids; undefined when a driver is more than that. */
export function exactLookup(driver: Driver): (Lookup & { kind: "element" }) | undefined {
  const [lookup] = driver;
  return driver.length === 1 && lookup?.kind === "element" && isExactTest(lookup.test) ? lookup : undefined;
}

function isExactTest(test: Test): boolean {
  if (test.kind === "text") return test.operator === "equals";
  if (test.kind === "range") {
    const { from, to } = test.range;
    return from !== undefined && from.value === to?.value && !from.open && !to.open;
  }
  return test.kind === "id";
}

/** A SELECT of the ids of the pages that a lookup finds; a page can come more than once. */
function lookupSql(lookup: Lookup, extent: Extent, scope: Scope): Fragment {
  if (lookup.kind === "time") {
    const page = scope.alias("p");
    return sql`select ${sql.ref(`${page}.id`)} as page_id from pages as ${sql.ref(page)}
      where ${inExtent(page, extent, scope)}
        and ${rangeSql(lookup.range, sql.ref(`${page}.${lookup.column}`))}`;
  }
  const value = scope.alias("v");
  const { tables, where } = lookupSource(lookup, value, extent, scope);
  return sql`select ${sql.ref(`${value}.page_id`)} as page_id from ${tables} where ${where}`;
}

/**
 * The elements that a lookup finds, by the index of the values of a database.
 *
 * @param value alias for their rows
 */
export function lookupSource(
  { property, test }: Lookup & { kind: "element" },
  value: string,
  { databaseId }: Extent,
  scope: Scope,
): Source {
  const key = test.kind === "range" ? "number_key" : test.kind === "any" ? keyOf(property) : "text_key";
  return {
    tables: sql`property_values as ${sql.ref(value)}`,
    where: sql`${sql.ref(`${value}.workspace_id`)} = ${scope.workspaceId}
      and ${sql.ref(`${value}.database_id`)} = ${databaseId}
      and ${sql.ref(`${value}.property_id`)} = ${property.id}
      and ${sql.ref(`${value}.${key}`)} is not null and ${testSql(test, columnsOf(value))}`,
  };
}

/** Whether a page is among those that the query is about. */
export function inExtent(page: string, extent: Extent, scope: Scope): Fragment {
  return sql`${sql.ref(`${page}.workspace_id`)} = ${scope.workspaceId}
    and ${sql.ref(`${page}.parent_id`)} = ${extent.databaseId}
    and ${sql.ref(`${page}.in_trash`)} = ${extent.inTrash ? 1 : 0}`;
}

/** Which of the two keys every element of a property has. */
function keyOf(property: PropertyDefinition): "text_key" | "number_key" {
  switch (property.type) {
    case "number":
    case "unique_id":
    case "date":
    case "checkbox":
      return "number_key";
    default:
      return "text_key";
  }
}

/** How many pages drivers find, no more than `limit` of each lookup: a SELECT of one row with c0, c1 and so on. */
export function countSql(drivers: readonly Driver[], limit: number, extent: Extent, scope: Scope): Fragment {
  const counts = drivers.map((driver, index) => {
    const parts = driver.map((lookup) => {
      const found = sql.ref(scope.alias("c"));
      return sql`(select count(*) from (${lookupSql(lookup, extent, scope)} limit ${limit}) as ${found})`;
    });
    return sql`${sql.join(parts, sql` + `)} as ${sql.ref(`c${index}`)}`;
  });
  return sql`select ${sql.join(counts)}`;
}

/** A SELECT of the ids of the pages that a driver finds, each once. */
export function driverSql(driver: Driver, extent: Extent, scope: Scope): Fragment {
  const parts = driver.map((lookup) => lookupSql(lookup, extent, scope));
  const [only] = parts;
  return parts.length === 1 && only !== undefined
    ? sql`select distinct page_id from (${only}) as ${sql.ref(scope.alias("h"))}`
    : sql.join(parts, sql` union `);
}
