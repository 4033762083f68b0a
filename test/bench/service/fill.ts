import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Kysely } from "kysely";
import { createKeyForWorkspace } from "../../../src/access/provision.js";
import { type BlockTree, createBlocks } from "../../../src/domain/blocks/block.js";
import { createPage } from "../../../src/domain/page.js";
import { applyProperties } from "../../../src/domain/properties/apply.js";
import { makeSchema } from "../../../src/domain/schema.js";
import { insertBlocks } from "../../../src/storage/blocks.js";
import { insertDatabase } from "../../../src/storage/databases.js";
import { insertPage } from "../../../src/storage/pages.js";
import { insertValues } from "../../../src/storage/property-values.js";
import { insertPageTexts } from "../../../src/storage/text-index.js";
import { openStore, type Store } from "../../../src/storage/engine/store.js";
import type { Tables } from "../../../src/storage/tables.js";
import { emptyDatabase, plainProperty, plainRun } from "../../support/objects.js";

/** A database file for the service, and what is asked of it. */
export interface Filled {
  /** The DATA_DIR of the service. */
  readonly folder: string;
  readonly key: string;
  readonly databaseId: string;
  readonly pages: number;
  /** Ids of pages, spread over all. */
  readonly pageIds: readonly string[];
  /** A page with BLOCKS blocks, and one with FEW_BLOCKS. */
  readonly longPageId: string;
  readonly shortPageId: string;
}

export const BLOCKS = 10_000;
export const FEW_BLOCKS = 20;
/** Maximum number of sampled ids, more than the caches of the service hold. */
const SAMPLE = 100_000;
/** Pages that one commit adds. */
const AT_ONCE = 500;

const schema = makeSchema([
  plainProperty("title", "Title", "title"),
  plainProperty("numb", "Number", "number"),
  plainProperty("code", "Code", "rich_text"),
  plainProperty("done", "Done", "checkbox"),
  plainProperty("duee", "Due", "date"),
]);

/** The properties of the page of a number, as a request has them; the numbers of `Number` are in no order. */
export function valuesOf(index: number): Record<string, unknown> {
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
 * Fills a database with pages, by what the service itself stores them with. One that is in the folder already is taken
 * as it is.
 */
export async function fill(folder: string, pages: number): Promise<Filled> {
  mkdirSync(folder, { recursive: true });
  const note = path.join(folder, "filled.json");
  // The cast: this function wrote it.
  if (existsSync(note)) return { ...(JSON.parse(readFileSync(note, "utf8")) as Filled), folder };
  const started = performance.now();
  const store = await openStore(path.join(folder, "page-service.db"));
  const filled = { folder, pages, ...(await fillStore(store, pages)) };
  await store.close();
  writeFileSync(note, JSON.stringify(filled));
  console.log(
    `  ${pages.toLocaleString("en")} pages in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  return filled;
}

/** Fills a store, whichever it is. */
export async function fillStore(store: Store, pages: number): Promise<Omit<Filled, "folder" | "pages">> {
  const { key, workspaceId } = await createKeyForWorkspace(store, {
    workspaceName: "Bench",
    plan: "enterprise",
  });
  const database = emptyDatabase({ schema });
  const parent = { type: "database_id", id: database.id } as const;
  const edit = () => ({ author: database.createdBy, time: Date.now() });
  await store.write((tx) => insertDatabase(tx, workspaceId, database), workspaceId);
  const pageIds: string[] = [];
  const add = async (tx: Kysely<Tables>, from: number, to: number): Promise<void> => {
    const indexed = [];
    for (let index = from; index < to; index += 1) {
      const { stored } = applyProperties(schema, {}, valuesOf(index));
      const page = createPage(parent, stored, {}, edit());
      await insertPage(tx, workspaceId, page);
      await insertPageTexts(tx, workspaceId, page, schema.definitions);
      indexed.push({ id: page.id, databaseId: database.id, properties: page.properties });
      if (index % Math.ceil(pages / SAMPLE) === 0) pageIds.push(page.id);
    }
    await insertValues(tx, workspaceId, indexed, schema.definitions);
  };
  for (let from = 0; from < pages; from += AT_ONCE) {
    await store.write((tx) => add(tx, from, Math.min(from + AT_ONCE, pages)), workspaceId);
  }
  const addLong = async (blocks: number): Promise<string> => {
    const page = createPage(parent, {}, {}, edit());
    await store.write((tx) => insertPage(tx, workspaceId, page), workspaceId);
    for (let from = 0; from < blocks; from += AT_ONCE) {
      const trees = Array.from({ length: Math.min(AT_ONCE, blocks - from) }, (_, index) =>
        paragraph(from + index),
      );
      const inserted = createBlocks(trees, { type: "page_id", id: page.id }, page.id, edit());
      await store.write((tx) => insertBlocks(tx, workspaceId, page.id, inserted, undefined), workspaceId);
    }
    return page.id;
  };
  const [longPageId, shortPageId] = [await addLong(BLOCKS), await addLong(FEW_BLOCKS)];
  return { key, databaseId: database.id, pageIds, longPageId, shortPageId };
}

function paragraph(index: number): BlockTree {
  const text = [plainRun(`Paragraph ${index} of a page that is much longer than most are.`)];
  return { type: "paragraph", content: { rich_text: text, color: "default" }, children: [] };
}
