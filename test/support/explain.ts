import { CompiledQuery, type KyselyPlugin } from "kysely";
import { isPostgres } from "../../src/storage/engine/dialect.js";
import type { Db } from "../../src/storage/tables.js";

/** Runs a function, and returns the database's plan for its first statement, as JSON. */
export async function explain(db: Db, run: (db: Db) => Promise<unknown>): Promise<string> {
  const statements: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await run(db.withPlugin(recorder));
  const [first] = statements;
  if (first === undefined) throw new Error("No statement was run.");
  const command = isPostgres(db) ? "explain" : "explain query plan";
  const plan = await db.executeQuery(CompiledQuery.raw(`${command} ${first.sql}`, [...first.parameters]));
  return JSON.stringify(plan.rows);
}
