import type { Store } from "../../../src/storage/engine/store.js";
import { findDatabase } from "../../../src/storage/databases/databases.js";
import { listTrash } from "../../../src/operations/views/list-trash.js";
import { viewDatabase } from "../../../src/operations/views/view-database.js";
import { requireObject } from "../../../src/operations/load/blocks.js";
import { viewPage } from "../../../src/operations/views/view-page.js";
import { ApiDocument } from "../../support/api-document.js";
import { readScope } from "../../support/scope.js";
import { findPositions, type Position } from "./positions.js";
import { createRequest } from "./requests.js";
import type { Filled, Send } from "./workspace.js";

/** A request and its response. */
export interface Exchange {
  readonly request: readonly [method: string, path: string, body?: unknown];
  readonly response: string;
}

/** Whether a position needs a request of its own, as others are the same in each group of a filter and in new pages. */
function isUseful(position: Position): boolean {
  const { method, operation, path } = position;
  const [first, second] = path;
  if (isCursor(position)) return false;
  if (first === "filter") return second !== "and" && second !== "or";
  if (operation === "createPage") return first !== "children" && first !== "content";
  // Deletions follow, because they would remove objects that other positions need.
  return method !== "DELETE";
}

const isCursor = ({ path }: Position): boolean => path.at(-1) === "start_cursor";

const title = (content: string) => ({ title: [{ text: { content } }] });

/** Stands for the trash in place of the id of an object. */
const TRASH = "trash";

/** Adds a database whose values are too many to convert in one transaction, and returns its id. */
export async function addLargeDatabase({ send, ids }: Filled): Promise<string> {
  const properties = { Name: { title: {} }, Text: { rich_text: {} } };
  const { text } = await send("POST", "/v1/databases", { parent: { page_id: ids.page }, properties });
  // The cast: the service has created the database.
  const { id } = JSON.parse(text) as { id: string };
  const long = { rich_text: Array.from({ length: 75 }, () => ({ text: { content: "own ".repeat(500) } })) };
  for (const name of ["Own first", "Own second"]) {
    const values = { Name: title(name), Text: long };
    await send("POST", "/v1/pages", { parent: { database_id: id }, properties: values });
  }
  return id;
}

/** Reads the data of the web page of an object, or of the trash. */
export async function readView(store: Store, workspaceId: string, id: string): Promise<string> {
  const scope = readScope(store, workspaceId);
  const database = await findDatabase(scope, id);
  const view =
    id === TRASH
      ? await listTrash(scope, { size: 100 })
      : database === undefined
        ? await viewPage(scope, await requireObject(scope, id), { blocks: undefined, comments: undefined })
        : await viewDatabase(scope, database, {}, { size: 100 });
  return JSON.stringify(view, (name, value: unknown) =>
    name === "lastEditedTime" ? undefined : value instanceof Map ? [...value] : value,
  );
}

/** Sends requests, and notes the successful ones. */
export class Recorder {
  readonly exchanges: Exchange[] = [];
  readonly #own: Filled;
  readonly #send: Send;
  readonly #positions = findPositions(ApiDocument.committed());

  constructor(own: Filled, send: Send) {
    this.#own = own;
    this.#send = send;
  }

  async exchange(...request: Exchange["request"]): Promise<boolean> {
    const { status, text } = await this.#send(...request);
    if (status === 200) this.exchanges.push({ request, response: text });
    return status === 200;
  }

  update(path: string, body: object): Promise<boolean> {
    return this.exchange("PATCH", `/v1/${path}`, body);
  }

  /** Reads objects of all kinds. */
  async read(): Promise<void> {
    const { ids, blocks, cursors } = this.#own;
    const parents = [ids.page, blocks.table, blocks.column_list].map((id) => `blocks/${id}/children`);
    const objects = [`databases/${ids.database}`, `pages/${ids.databaseRow}`, `pages/${ids.targetRow}`];
    for (const path of ["users", "databases", `comments?block_id=${ids.page}`, ...parents, ...objects])
      await this.exchange("GET", `/v1/${path}`);
    for (const id of [ids.page, ids.databaseRow, ids.database, TRASH]) await this.exchange("VIEW", id ?? "");
    for (const position of this.#positions.filter(isCursor)) {
      const { method, path, body } = createRequest(position, cursors[position.operation] ?? "", this.#own);
      await this.exchange(method, path, body);
    }
    const after = `start_cursor=${blocks.divider}&page_size=2`;
    await this.exchange("GET", `/v1/blocks/${ids.page}/children?${after}`);
    for (const filter of [
      { property: "Name", title: { contains: "title" } },
      { property: "Name", title: { contains: "Twin title" } },
      { property: "Text", rich_text: { is_empty: true } },
      { property: "To", relation: { contains: ids.targetRow } },
      { property: "Who", people: { contains: ids.user } },
      { property: "Whos", rollup: { any: { people: { is_not_empty: true } } } },
    ]) {
      for (const property of ["Name", "Who", "Editor"]) {
        const sorts = [{ property, direction: "descending" }];
        await this.exchange("POST", `/v1/databases/${ids.database}/query`, { filter, sorts });
      }
    }
  }

  /** Sends a request of each operation for each position of an id. Most add something. */
  async addObjects(): Promise<void> {
    const { ids, blocks } = this.#own;
    // Only once, because the order of results depends on times that can be equal after changes.
    for (const query of ["title", "Own", "Twin"]) await this.exchange("POST", "/v1/search", { query });
    await this.read();
    const people = [{ object: "user", id: ids.user }];
    const [back, to] = [ids.databaseRow, ids.targetRow].map((id) => ({ relation: [{ id }] }));
    await this.update(`pages/${ids.targetRow}`, { properties: { Who: { people }, Back: back } });
    await this.update(`pages/${ids.databaseRow}`, { properties: { Who: { people }, To: to } });
    for (const position of this.#positions.filter(isUseful)) {
      for (const id of new Set([...Object.values(ids), ...Object.values(blocks)])) {
        const { method, path, body } = createRequest(position, id, this.#own);
        if (await this.exchange(method, path, body)) break;
      }
    }
    await this.update(`blocks/${blocks.quote}/children`, { children: [{ divider: {} }] });
    await this.#addDependents();
    await this.read();
  }

  /** Adds links in both directions, numbers of pages, and the child of a toggle, which its change must find. */
  async #addDependents(): Promise<void> {
    const { ids, blocks } = this.#own;
    const both = { relation: { database_id: ids.target, dual_property: {} } };
    await this.update(`databases/${ids.database}`, { properties: { Both: both, Number: { unique_id: {} } } });
    const linked = { Both: { relation: [{ id: ids.targetRow }] } };
    await this.update(`pages/${ids.databaseRow}`, { properties: linked });
    const properties = { Name: title("Own row"), ...linked };
    await this.exchange("POST", "/v1/pages", { parent: { database_id: ids.database }, properties });
    for (const is_toggleable of [true, false, true])
      await this.update(`blocks/${blocks.heading_1}`, { heading_1: { rich_text: [], is_toggleable } });
    await this.update(`blocks/${blocks.heading_1}/children`, { children: [{ divider: {} }] });
  }

  /** Changes and removes properties, and moves objects to the trash and back. */
  async removeObjects(): Promise<void> {
    const { page, database, target, databaseRow, targetRow, block, large } = this.#own.ids;
    // Adds the links of the other direction.
    const twoWay = { relation: { database_id: target, dual_property: {} } };
    await this.update(`databases/${database}`, { properties: { To: twoWay } });
    await this.update(`pages/${targetRow}`, { properties: { Back: { relation: [] } } });
    await this.update(`pages/${databaseRow}`, {
      properties: { To: { relation: [] }, Both: { relation: [] } },
    });
    await this.update(`databases/${large}`, { properties: { Text: { number: {} } } });
    await this.update(`databases/${target}`, {
      properties: { Score: { unique_id: {} }, Who: { name: "People" } },
    });
    await this.update(`databases/${database}`, {
      properties: { Text: { select: {} }, Name: { name: "Title" } },
    });
    await this.read();
    await this.update(`databases/${database}`, {
      properties: { Text: null, Who: { rich_text: {} }, To: null },
    });
    for (const id of [block, this.#own.blocks.table]) await this.exchange("DELETE", `/v1/blocks/${id}`);
    for (const in_trash of [true, false]) {
      for (const path of [`pages/${databaseRow}`, `databases/${target}`, `pages/${page}`])
        await this.update(path, { in_trash });
      await this.read();
    }
  }
}
