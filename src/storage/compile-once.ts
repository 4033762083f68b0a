import type { Compilable, CompiledQuery, Kysely } from "kysely";
import { connectionOf } from "./dialect.js";
import type { Tables } from "./tables.js";

/** A query that comes again with other parameters, under a name of its own in this process. */
interface PreparedQuery<Row> extends CompiledQuery<Row> {
  readonly name: string;
}

type Value = string | number | null;

interface Template<Row> {
  readonly compiled: PreparedQuery<Row>;
  /** For each parameter of the SQL: which argument it is, or -1 for a constant of the query. */
  readonly sources: readonly number[];
}

/**
 * Makes a query that Kysely builds and compiles once, and that is executed with new arguments each time:
 * building costs several times as much as executing. For what most requests do.
 *
 * @param build Builds the query from its arguments. It sees placeholders, so it must pass its arguments on as they are.
 * @param count How many arguments there are after `db`; needed where `build` takes them as a list.
 * @returns A function that executes the query with real arguments and gives its rows.
 */
export function compileOnce<Arguments extends Value[], Row>(
  build: (db: Kysely<Tables>, ...args: Arguments) => Compilable<Row>,
  count = build.length - 1,
): (db: Kysely<Tables>, ...args: Arguments) => Promise<Row[]> {
  // By adapter, which stands for the SQL dialect that the text was compiled for.
  const templates = new WeakMap<object, Template<Row>>();
  return async (db, ...args) => {
    const { adapter } = db.getExecutor();
    let template = templates.get(adapter);
    if (template === undefined) {
      template = compile(build, db, count);
      templates.set(adapter, template);
    }
    const { compiled, sources } = template;
    const parameters = sources.map((source, index) =>
      source < 0 ? compiled.parameters[index] : args[source],
    );
    const query: PreparedQuery<Row> = { ...compiled, parameters };
    const { rows } = await (connectionOf(db) ?? db).executeQuery<Row>(query);
    return rows;
  };
}

/**
 * compileOnce for a query whose SQL depends on how many arguments it gets: it is built once for each number of them.
 * For few; a database keeps each text.
 */
export function compileForEachCount<Argument extends Value, Row>(
  build: (db: Kysely<Tables>, ...args: Argument[]) => Compilable<Row>,
): (db: Kysely<Tables>, ...args: Argument[]) => Promise<Row[]> {
  const byCount = new Map<number, (db: Kysely<Tables>, ...args: Argument[]) => Promise<Row[]>>();
  return (db, ...args) => {
    let execute = byCount.get(args.length);
    if (execute === undefined) {
      execute = compileOnce(build, args.length);
      byCount.set(args.length, execute);
    }
    return execute(db, ...args);
  };
}

/** Whether a query is one of `compileOnce`, which a database need parse only once. */
export function isPrepared<Row>(query: CompiledQuery<Row>): query is PreparedQuery<Row> {
  return "name" in query;
}

let names = 0;

function compile<Arguments extends Value[], Row>(
  build: (db: Kysely<Tables>, ...args: Arguments) => Compilable<Row>,
  db: Kysely<Tables>,
  count: number,
): Template<Row> {
  const placeholders = Array.from({ length: count }, (_, index) => `argument ${index}`);
  // The cast: `build` takes as many arguments after `db`, and passes on texts in the place of any values.
  const compiled = build(db, ...(placeholders as Value[] as Arguments)).compile();
  const sources = compiled.parameters.map((parameter) =>
    typeof parameter === "string" ? placeholders.indexOf(parameter) : -1,
  );
  names += 1;
  return { compiled: { ...compiled, name: `query_${names}` }, sources };
}
