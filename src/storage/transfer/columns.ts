import { sql, type Kysely } from "kysely";
import { isPostgres } from "../dialect.js";
import type { Cell, Row } from "./format.js";

/** A column of a real table. */
export interface Column {
  readonly name: string;
  readonly kind: "text" | "integer" | "number";
  readonly nullable: boolean;
}

/** Columns by table, in the order of the table. */
export type Columns = ReadonlyMap<string, readonly Column[]>;

/** Reads which tables the database has, and their columns. */
export async function readColumns(db: Kysely<unknown>): Promise<Columns> {
  // Another schema of the same PostgreSQL database may have a table of the same name.
  const schema = isPostgres(db)
    ? (await sql<{ name: string }>`select current_schema() as name`.execute(db)).rows[0]?.name
    : undefined;
  const tables = await db.introspection.getTables();
  return new Map(
    tables
      .filter((table) => schema === undefined || table.schema === schema)
      .map(({ name, columns }) => [
        name,
        columns.map((column) => ({
          name: column.name,
          kind: kindOf(column.dataType),
          nullable: column.isNullable,
        })),
      ]),
  );
}

/**
 * Reads a row of a file as one of a table.
 *
 * @param columns all that the table has
 * @returns the row, or what keeps it from being one
 */
export function readRow(columns: readonly Column[], given: Readonly<Record<string, unknown>>): Row | string {
  const row: Record<string, Cell> = {};
  for (const column of columns) {
    const value = Object.hasOwn(given, column.name) ? given[column.name] : undefined;
    if (value === undefined) return `"${column.name}" is missing.`;
    if (!fits(column, value)) return `"${column.name}" must be ${describe(column)}.`;
    row[column.name] = value;
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(row, name));
  return unknown === undefined ? row : `there is no column ${JSON.stringify(unknown)}.`;
}

function fits({ kind, nullable }: Column, value: unknown): value is Cell {
  if (value === null) return nullable;
  if (kind === "text") return typeof value === "string" && !value.includes("\0");
  return kind === "integer" ? Number.isSafeInteger(value) : typeof value === "number";
}

function describe({ kind, nullable }: Column): string {
  const what = { text: "a text without NUL", integer: "a whole number", number: "a number" }[kind];
  return nullable ? `${what}, or null` : what;
}

function kindOf(dataType: string): Column["kind"] {
  if (/text|char/i.test(dataType)) return "text";
  if (/int/i.test(dataType)) return "integer";
  if (/double|float/i.test(dataType)) return "number";
  throw new Error(`No export knows how to write a column of the type ${dataType}.`);
}
