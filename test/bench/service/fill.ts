import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Kysely } from "kysely";
import { createKeyAsOperator } from "../../../src/access/keys/operator-keys.js";
import { type ParsedBlock, createBlocks } from "../../../src/domain/blocks/block.js";
import { createPageObject } from "../../../src/domain/page.js";
import { applyProperties } from "../../../src/domain/properties/apply.js";
import { createSchema } from "../../../src/domain/schema.js";
import { insertBlocks } from "../../../src/storage/blocks/blocks.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { insertPropertyValues } from "../../../src/storage/pages/property-values.js";
import { indexPageTexts } from "../../../src/storage/pages/text-index.js";
import { openStore } from "../../../src/storage/engine/open-store.js";
import type { Store } from "../../../src/storage/engine/store.js";
import type { Tables } from "../../../src/storage/tables.js";
import { emptyDatabase, plainProperty, plainRun } from "../../support/objects.js";

/** A filled database of the service, and the identifiers that requests need. */
export interface Filled {
  /** The DATA_DIR of the service. */
  readonly folder: string;
  readonly key: string;
  readonly databaseId: string;
  readonly pages: number;
  /** Evenly sampled ids of pages. */
  readonly pageIds: readonly string[];
  /** A page with BLOCKS blocks, and one with FEW_BLOCKS. */
  readonly longPageId: string;
  readonly shortPageId: string;
}

const BLOCKS = 10_000;
export const FEW_BLOCKS = 20;
/** Maximum number of sampled ids. It exceeds the size of the service's caches. */
const MAX_SAMPLED_IDS = 100_000;
/** Pages or blocks per commit. */
const PAGES_PER_COMMIT = 500;

const schema = createSchema([
  plainProperty("title", "Title", "title"),
  plainProperty("numb", "Number", "number"),
  plainProperty("code", "Code", "rich_text"),
  plainProperty("done", "Done", "checkbox"),
  plainProperty("duee", "Due", "date"),
]);

/** Creates the properties of a page in the format of requests. The values of `Number` are unordered. */
export function createValues(index: number): Record<string, unknown> {
  const day = new Date(Date.UTC(2024, 0, 1 + (index % 700))).toISOString().slice(0, 10);
  return {
    Title: { title: [{ text: { content: `Page ${index}` } }] },
    Number: { number: (index * 7919) % 1_000_003 },
    Code: { rich_text: [{ text: { content: `code-${index}` } }] },
    Done: { checkbox: index % 3 === 0 },
    Due: { date: { start: day } },
  };
}

/**
 * Fills a database file with pages, using the repositories of the service. Returns the database of an earlier run
 * unchanged if the folder contains one.
 */
export async function fill(folder: string, pages: number): Promise<Filled> {
  mkdirSync(folder, { recursive: true });
  const metadataFile = path.join(folder, "filled.json");
  // The cast: this function wrote the file.
  if (existsSync(metadataFile))
    return { ...(JSON.parse(readFileSync(metadataFile, "utf8")) as Filled), folder };
  const started = performance.now();
  const store = await openStore(path.join(folder, "page-service.db"));
  const filled = { folder, pages, ...(await fillStore(store, pages)) };
  await store.close();
  writeFileSync(metadataFile, JSON.stringify(filled));
  console.log(
    `  ${pages.toLocaleString("en")} pages in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  return filled;
}

/** Fills a store on SQLite or PostgreSQL. */
export async function fillStore(store: Store, pages: number): Promise<Omit<Filled, "folder" | "pages">> {
  const { key, workspaceId } = await createKeyAsOperator(store, {
    workspaceName: "Bench",
    plan: "enterprise",
  });
  const database = emptyDatabase({ schema });
  const parent = { type: "database_id", id: database.id } as const;
  const edit = () => ({ author: database.createdBy, time: Date.now() });
  await store.write(workspaceId, (scope) => insertDatabase(scope, database));
  const pageIds: string[] = [];
  const add = async (tx: Kysely<Tables>, from: number, to: number): Promise<void> => {
    const indexed = [];
    for (let index = from; index < to; index += 1) {
      const { stored } = applyProperties(schema, {}, createValues(index));
      const page = createPageObject(parent, stored, {}, edit());
      await insertPage({ db: tx, workspaceId }, page);
      await indexPageTexts({ db: tx, workspaceId }, page, schema.definitions, { isNew: true });
      indexed.push({ id: page.id, databaseId: database.id, properties: page.properties });
      if (index % Math.ceil(pages / MAX_SAMPLED_IDS) === 0) pageIds.push(page.id);
    }
    await insertPropertyValues({ db: tx, workspaceId }, indexed, schema.definitions);
  };
  for (let from = 0; from < pages; from += PAGES_PER_COMMIT) {
    await store.write(workspaceId, ({ db: tx }) => add(tx, from, Math.min(from + PAGES_PER_COMMIT, pages)));
  }
  const addLong = async (blocks: number): Promise<string> => {
    const page = createPageObject(parent, {}, {}, edit());
    await store.write(workspaceId, (scope) => insertPage(scope, page));
    for (let from = 0; from < blocks; from += PAGES_PER_COMMIT) {
      const trees = Array.from({ length: Math.min(PAGES_PER_COMMIT, blocks - from) }, (_, index) =>
        paragraph(from + index),
      );
      const inserted = createBlocks(trees, { type: "page_id", id: page.id }, page.id, edit());
      await store.write(workspaceId, (scope) => insertBlocks(scope, page.id, inserted, undefined));
    }
    return page.id;
  };
  const [longPageId, shortPageId] = [await addLong(BLOCKS), await addLong(FEW_BLOCKS)];
  return { key, databaseId: database.id, pageIds, longPageId, shortPageId };
}

function paragraph(index: number): ParsedBlock {
  const text = [plainRun(`Paragraph ${index} of a page that is much longer than most are.`)];
  return { type: "paragraph", content: { rich_text: text, color: "default" }, children: [] };
}
