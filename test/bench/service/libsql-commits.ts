import path from "node:path";
import Database from "libsql";
import { newId } from "../../../src/domain/ids.js";
import { hashTrigrams } from "../../../src/domain/trigrams.js";
import { createPicker } from "../compare.js";

type Columns = Record<string, string | number | null>;
type Values = Columns[string][];

/**
 * Writes the rows of a POST and of a PATCH of a page, including the text index, with libsql alone to a copy of the
 * service's database, as fast as possible: with prepared statements, several pages per transaction, synchronous=FULL, and
 * ids in the order of time, as in the service.
 */
export class LibsqlCommits {
  readonly #database: Database.Database;
  readonly #group: number;
  readonly #page: Columns;
  readonly #values: Values[];
  readonly #insertPage: Database.Statement;
  readonly #insertValue: Database.Statement;
  readonly #insertText: Database.Statement;
  readonly #insertTrigrams: Database.Statement;
  readonly #updatePage: Database.Statement;
  readonly #updateValue: Database.Statement;
  readonly #pickId: () => string;
  readonly #pageIdColumn: number;
  #writeCount = 0;

  /**
   * @param folder of the database copy, which is modified
   * @param group pages per transaction
   */
  constructor(folder: string, group: number) {
    this.#group = group;
    this.#database = new Database(path.join(folder, "page-service.db"));
    this.#database.pragma("journal_mode = WAL");
    this.#database.pragma("synchronous = FULL");
    this.#database.pragma("foreign_keys = ON");
    const all = (sql: string, ...parameters: string[]): Columns[] =>
      // The cast: libsql returns rows as objects.
      this.#database.prepare(sql).all(parameters) as Columns[];
    this.#page = all("SELECT * FROM pages WHERE title_text <> '' LIMIT 1")[0] ?? {};
    const { workspace_id, id } = this.#page;
    const values = all("SELECT * FROM property_values WHERE page_id = ?", String(id));
    this.#values = values.map((row) => Object.values(row));
    this.#pickId = createPicker(
      all("SELECT id FROM pages WHERE title_text <> ''").map((row) => String(row.id)),
    );
    this.#insertPage = this.#prepareInsert("pages", Object.keys(this.#page));
    this.#insertValue = this.#prepareInsert("property_values", Object.keys(values[0] ?? {}));
    this.#insertText = this.#database.prepare(
      `INSERT INTO page_texts (workspace_id, page_id) VALUES ('${String(workspace_id)}', ?)`,
    );
    this.#insertTrigrams = this.#database.prepare(
      "INSERT INTO page_trigrams (rowid, tokens) VALUES (last_insert_rowid(), ?)",
    );
    this.#updatePage = this.#database.prepare(
      "UPDATE pages SET properties = ?, title_text = ?, last_edited_time = ?, version = version + 1 " +
        `WHERE workspace_id = '${String(workspace_id)}' AND id = ?`,
    );
    this.#updateValue = this.#database.prepare(
      "UPDATE property_values SET number_key = ? " +
        `WHERE workspace_id = '${String(workspace_id)}' AND page_id = ? AND property_id = ? AND ordinal = 0`,
    );
    this.#pageIdColumn = Object.keys(values[0] ?? {}).indexOf("page_id");
  }

  /** Creates pages for some seconds, and returns the number per second. */
  measurePosts(seconds: number): number {
    return this.#measure(seconds, (count) => {
      const id = newId();
      this.#insertPage.run(Object.values({ ...this.#page, id }));
      for (const row of this.#values) this.#insertValue.run(row.with(this.#pageIdColumn, id));
      this.#insertText.run(id);
      const trigrams = [...hashTrigrams("Title", `page ${count}`), ...hashTrigrams("Code", `code-${count}`)];
      this.#insertTrigrams.run(trigrams.map((trigram) => (trigram >>> 0).toString(36)).join(" "));
    });
  }

  /** Changes pages for some seconds, and returns the number per second. */
  measurePatches(seconds: number): number {
    return this.#measure(seconds, (count) => {
      const id = this.#pickId();
      this.#updatePage.run([this.#page.properties ?? "", this.#page.title_text ?? "", Date.now(), id]);
      this.#updateValue.run([count, id, "numb"]);
    });
  }

  close(): void {
    this.#database.close();
  }

  #measure(seconds: number, write: (count: number) => void): number {
    const started = performance.now();
    let count = 0;
    while (performance.now() - started < seconds * 1000) {
      this.#database.exec("BEGIN IMMEDIATE");
      for (let index = 0; index < this.#group; index += 1) write((this.#writeCount += 1));
      this.#database.exec("COMMIT");
      count += this.#group;
    }
    return count / ((performance.now() - started) / 1000);
  }

  #prepareInsert(name: string, columns: string[]): Database.Statement {
    const placeholders = columns.map(() => "?").join(", ");
    return this.#database.prepare(`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${placeholders})`);
  }
}
