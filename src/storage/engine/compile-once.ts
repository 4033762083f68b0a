import type { Compilable, CompiledQuery } from "kysely";
import { getOrCreate } from "../../get-or-create.js";
import { getConnection } from "./dialect.js";
import type { Db } from "../tables.js";

/** A query that a database prepares once under its name, which is unique in this process. */
interface PreparedQuery<Row> extends CompiledQuery<Row> {
  readonly name: string;
}

export type CompiledValue = string | number | null;

interface Template<Row> {
  readonly compiled: PreparedQuery<Row>;
  /** Index of the argument for each parameter of the SQL; -1 for a constant of the query. */
  readonly argumentIndexes: readonly number[];
}

/**
 * Creates a query that Kysely builds and compiles once, and that is executed with new arguments each time. Building costs
 * several times as much as executing, so queries of most requests are created this way.
 *
 * @param build builds the query. It receives placeholders, so it must pass its arguments on unchanged. A query with a list of
 *   arguments is compiled once for each length of the list. Databases cache each text, so use only short lists.
 * @returns a function that executes the query with real arguments and returns its rows
 */
export function compileOnce<Arguments extends CompiledValue[], Row>(
  build: (db: Db, ...args: Arguments) => Compilable<Row>,
): (db: Db, ...args: Arguments) => Promise<Row[]> {
  // By adapter, which identifies the SQL dialect, and by the number of arguments.
  const templates = new WeakMap<object, Template<Row>[]>();
  return async (db, ...args) => {
    const { adapter } = db.getExecutor();
    const byCount = getOrCreate(templates, adapter, () => []);
    const { compiled, argumentIndexes } = (byCount[args.length] ??= compile(build, db, args.length));
    const parameters = argumentIndexes.map((argumentIndex, index) =>
      argumentIndex < 0 ? compiled.parameters[index] : args[argumentIndex],
    );
    const query: PreparedQuery<Row> = { ...compiled, parameters };
    const { rows } = await (getConnection(db) ?? db).executeQuery<Row>(query);
    return rows;
  };
}

/** Creates a query that receives rows. It is compiled once for each number of rows, see compileOnce, from the given columns. */
export function compileForRows<Row extends { readonly [Column in keyof Row]: CompiledValue }>(
  columns: readonly (keyof Row & string)[],
  build: (db: Db, rows: readonly Row[]) => Compilable,
): (db: Db, rows: readonly Row[]) => Promise<unknown> {
  const run = compileOnce((db, ...cells: CompiledValue[]) => {
    const rows: Row[] = [];
    for (let rest = cells; rest.length > 0; rest = rest.slice(columns.length)) {
      // Safe cast: each cell comes from this column of a row.
      rows.push(zipCells(columns, rest) as Row);
    }
    return build(db, rows);
  });
  return (db, rows) => {
    const cells: CompiledValue[] = [];
    // Not flatMap, which takes 1 µs for a row instead of 0.1.
    for (const row of rows) for (const column of columns) cells.push(row[column]);
    return run(db, ...cells);
  };
}

/** Builds a row from its columns and the list of their cells, in which compiled statements receive it. */
export function zipCells<Cell>(columns: readonly string[], cells: readonly Cell[]) {
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
}

/** Turns a query of at most one row into one that returns the row; undefined if it finds none. */
export function takeFirst<Arguments extends unknown[], Row>(
  query: (...args: Arguments) => Promise<Row[]>,
): (...args: Arguments) => Promise<Row | undefined> {
  return (...args) => query(...args).then(([row]) => row);
}

export function isPrepared<Row>(query: CompiledQuery<Row>): query is PreparedQuery<Row> {
  return "name" in query;
}

let preparedQueries = 0;

function compile<Arguments extends CompiledValue[], Row>(
  build: (db: Db, ...args: Arguments) => Compilable<Row>,
  db: Db,
  count: number,
): Template<Row> {
  const placeholders = Array.from({ length: count }, (_, index) => `argument ${index}`);
  // Safe cast: `build` takes `count` arguments after `db`, and passes texts on like any other values.
  const compiled = build(db, ...(placeholders as CompiledValue[] as Arguments)).compile();
  const argumentIndexes = compiled.parameters.map((parameter) =>
    typeof parameter === "string" ? placeholders.indexOf(parameter) : -1,
  );
  preparedQueries += 1;
  return { compiled: { ...compiled, name: `query_${preparedQueries}` }, argumentIndexes };
}
