import { CompiledQuery, type KyselyPlugin } from "kysely";
import { isPostgres } from "../../src/storage/engine/dialect.js";
import type { Db } from "../../src/storage/tables.js";

/** Runs a function, and returns the database's plan for one of its statements, by default the first, as JSON. */
export async function explain(db: Db, run: (db: Db) => Promise<unknown>, index = 0): Promise<string> {
  const statements: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await run(db.withPlugin(recorder));
  const statement = statements[index];
  if (statement === undefined) throw new Error("The statement was not run.");
  const command = isPostgres(db) ? "explain" : "explain query plan";
  const plan = await db.executeQuery(
    CompiledQuery.raw(`${command} ${statement.sql}`, [...statement.parameters]),
  );
  return JSON.stringify(plan.rows);
}
