import type { Compilable, CompiledQuery } from "kysely";
import { getOrCreate } from "../../get-or-create.js";
import { getConnection } from "./dialect.js";
import type { Db } from "../tables.js";

/** A query that a database prepares once under its name, which is unique in this process. */
interface PreparedQuery<Row> extends CompiledQuery<Row> {
  readonly name: string;
}

/** An argument of a query: a value, or a row with a value for each of its columns. */
export type CompiledArgument = string | number | null | object;

/** Finds the value of a parameter: an argument, or a column of one that is a row. */
interface ParameterSource {
  readonly argumentIndex: number;
  readonly column?: string;
}

interface Template<Row> {
  readonly compiled: PreparedQuery<Row>;
  /** Source of each parameter of the SQL; undefined for a constant of the query. */
  readonly sources: readonly (ParameterSource | undefined)[];
}

/**
 * Creates a query that Kysely builds and compiles once, and that is executed with new arguments each time. Building costs
 * several times as much as executing, so queries of most requests are created this way.
 *
 * @param build builds the query. It receives placeholders, so it must pass its arguments on unchanged. A query with a list of
 *   arguments is compiled once for each length of the list. Databases cache each text, so use only short lists. A row must have the
 *   same columns in each call.
 * @returns a function that executes the query with real arguments and returns its rows
 */
export function compileOnce<Arguments extends CompiledArgument[], Row>(
  build: (db: Db, ...args: Arguments) => Compilable<Row>,
): (db: Db, ...args: Arguments) => Promise<Row[]> {
  // By adapter, which identifies the SQL dialect, and by the number of arguments.
  const templates = new WeakMap<object, Template<Row>[]>();
  return async (db, ...args) => {
    const { adapter } = db.getExecutor();
    const byCount = getOrCreate(templates, adapter, () => []);
    const { compiled, sources } = (byCount[args.length] ??= compile(build, db, args));
    const parameters = sources.map((source, index) =>
      source === undefined ? compiled.parameters[index] : getValue(args[source.argumentIndex], source),
    );
    const query: PreparedQuery<Row> = { ...compiled, parameters };
    const { rows } = await (getConnection(db) ?? db).executeQuery<Row>(query);
    return rows;
  };
}

function getValue(argument: CompiledArgument | undefined, { column }: ParameterSource): unknown {
  // Safe cast: only the source of a row has a column.
  return column === undefined ? argument : (argument as Readonly<Record<string, unknown>>)[column];
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

function compile<Arguments extends CompiledArgument[], Row>(
  build: (db: Db, ...args: Arguments) => Compilable<Row>,
  db: Db,
  args: Arguments,
): Template<Row> {
  const sourcesByPlaceholder = new Map<unknown, ParameterSource>();
  const createPlaceholder = (source: ParameterSource): string => {
    const placeholder = `placeholder ${sourcesByPlaceholder.size}`;
    sourcesByPlaceholder.set(placeholder, source);
    return placeholder;
  };
  const placeholders = args.map((argument, argumentIndex) => {
    if (typeof argument !== "object" || argument === null) return createPlaceholder({ argumentIndex });
    const columns = Object.keys(argument);
    return Object.fromEntries(
      columns.map((column) => [column, createPlaceholder({ argumentIndex, column })]),
    );
  });
  // Safe cast: `build` passes texts on like any other values.
  const compiled = build(db, ...(placeholders as CompiledArgument[] as Arguments)).compile();
  const sources = compiled.parameters.map((parameter) => sourcesByPlaceholder.get(parameter));
  preparedQueries += 1;
  return { compiled: { ...compiled, name: `query_${preparedQueries}` }, sources };
}
