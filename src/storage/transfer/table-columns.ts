import type { Kysely } from "kysely";
import { readCurrentSchema } from "../engine/dialect.js";
import type { Cell, Row } from "./format.js";
import { EXPORTED_TABLES } from "../tables.js";

/** Column of a table, as the database reports it. */
export interface Column {
  readonly name: string;
  readonly kind: "text" | "integer" | "number";
  readonly nullable: boolean;
}

/** Columns by table name, in the order of the table. */
export type Columns = ReadonlyMap<string, readonly Column[]>;

/** Reads the columns of the tables that are exported. */
export async function readColumns<Tables>(db: Kysely<Tables>): Promise<Columns> {
  const names: ReadonlySet<string> = new Set(EXPORTED_TABLES);
  const schema = await readCurrentSchema(db);
  const tables = await db.introspection.getTables();
  return new Map(
    tables
      .filter((table) => names.has(table.name) && (schema === undefined || table.schema === schema))
      .map(({ name, columns }) => [
        name,
        columns.map((column) => ({
          name: column.name,
          kind: toColumnKind(column.dataType),
          nullable: column.isNullable,
        })),
      ]),
  );
}

/** Checks that a row of a file has the columns of its table. Returns the row, or the reason why it is invalid. */
export function parseRow(columns: readonly Column[], given: Readonly<Record<string, unknown>>): Row | string {
  const row: Record<string, Cell> = {};
  for (const column of columns) {
    const value = Object.hasOwn(given, column.name) ? given[column.name] : undefined;
    if (value === undefined) return `"${column.name}" is missing.`;
    if (!fitsColumn(column, value)) return `"${column.name}" must be ${describeColumn(column)}.`;
    row[column.name] = value;
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(row, name));
  return unknown === undefined ? row : `unknown column ${JSON.stringify(unknown)}.`;
}

function fitsColumn({ kind, nullable }: Column, value: unknown): value is Cell {
  if (value === null) return nullable;
  if (kind === "text") return typeof value === "string" && !value.includes("\0");
  // JSON.parse returns Infinity for a number such as 1e999.
  return kind === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
}

function describeColumn({ kind, nullable }: Column): string {
  const type = { text: "a string without U+0000", integer: "an integer", number: "a number" }[kind];
  return nullable ? `${type} or null` : type;
}

function toColumnKind(dataType: string): Column["kind"] {
  if (/text|char/i.test(dataType)) return "text";
  if (/int/i.test(dataType)) return "integer";
  if (/double|float/i.test(dataType)) return "number";
  throw new Error(`Exports do not support the column type ${dataType}.`);
}
