import type { Kysely } from "kysely";
import type { DatabasesHandlers } from "../../generated/routes.js";
import type { components } from "../../generated/types.js";
import { changeDatabase, createDatabase, type Database, editsDatabase } from "../domain/database.js";
import { DomainError } from "../domain/errors.js";
import { newId, requireId } from "../domain/ids.js";
import { formatListCursor, parseListCursor } from "../domain/list-cursor.js";
import type { Parent } from "../domain/object.js";
import { readOneMember } from "../domain/one-member.js";
import { plainText } from "../domain/properties/text.js";
import { makeSchema } from "../domain/schema.js";
import { archivedError, trashWanted } from "../domain/trash.js";
import { placeAmongBlocks } from "../storage/blocks.js";
import { findDatabase, insertDatabase, listDatabases, updateDatabase } from "../storage/databases.js";
import { missingDatabase, missingPage } from "../storage/missing.js";
import { setInTrash } from "../storage/move-to-trash.js";
import { findPage } from "../storage/pages.js";
import { queryPages } from "../storage/query/query-pages.js";
import { applySchemaPlan, loadRelated, planSchemaChange } from "../storage/schema-changes.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import type { Context, SuppliedHeaders } from "./context.js";
import { createShowFound } from "./found-pages.js";
import { checkMentions, nameMentions } from "./mentions.js";
import { listBody, pageWanted } from "./paging.js";
import { propertiesWanted } from "./page-view.js";
import { relatedTo, renderDatabase } from "./render-database.js";

/** What the cursors of the list of databases are for. */
const LIST = "databases";
const NO_PROPERTIES = makeSchema([]);

/**
 * The operations on databases.
 *
 * @param appUrl address of the web application, which the addresses of databases begin with
 */
export function databasesHandlers(store: Store, appUrl: string): DatabasesHandlers<Context, SuppliedHeaders> {
  const showFound = createShowFound(store);
  /** The bodies of databases. */
  const show = async (
    db: Kysely<Tables>,
    workspaceId: string,
    databases: readonly Database[],
  ): Promise<components["schemas"]["Database"][]> => {
    const ids = new Set(databases.flatMap(({ schema }) => relatedTo(schema)));
    const related = await loadRelated(db, workspaceId, [...ids]);
    const bodies = databases.map((database) => renderDatabase(database, related, appUrl));
    return nameMentions(db, workspaceId, appUrl, bodies);
  };

  const showOne = async (
    db: Kysely<Tables>,
    workspaceId: string,
    database: Database,
  ): Promise<components["schemas"]["Database"]> => {
    const related = await loadRelated(db, workspaceId, relatedTo(database.schema));
    return nameMentions(db, workspaceId, appUrl, renderDatabase(database, related, appUrl));
  };

  return {
    async listDatabases({ query }, { principal, requestId }) {
      const { workspaceId } = principal;
      const { cursor, size } = pageWanted(query);
      const after = cursor === undefined ? undefined : parseListCursor(LIST, cursor);
      const found = await listDatabases(store.read, workspaceId, after, size + 1);
      const bodies = await show(store.read, workspaceId, found);
      const list = listBody(
        requestId,
        bodies,
        size,
        (last) => formatListCursor(LIST, last.id),
        (body) => body,
      );
      return { status: 200, body: { ...list, type: "database", database: {} } };
    },

    async createDatabase(request, { principal, write }) {
      const { body } = request;
      const { workspaceId, keyId } = principal;
      return write(request, async (tx) => {
        const parent = await parentOf(tx, workspaceId, body.parent);
        const now = Date.now();
        const database = createDatabase(newId(), parent, body, NO_PROPERTIES, keyId, now);
        const planned = { id: database.id, title: plainText(database.title) };
        const plan = await planSchemaChange(tx, workspaceId, planned, undefined, body.properties);
        await checkMentions(tx, workspaceId, [database.title, database.description]);
        await insertDatabase(tx, workspaceId, database);
        const schema = await applySchemaPlan(tx, workspaceId, database.id, plan, { by: keyId, at: now });
        await placeAmongBlocks(tx, workspaceId, database, "child_database");
        return { status: 200, body: await showOne(tx, workspaceId, { ...database, schema }) };
      });
    },

    async retrieveDatabase({ path }, { principal }) {
      const { workspaceId } = principal;
      const id = requireId(path.database_id);
      const database = await findDatabase(store.read, workspaceId, id);
      if (!database) throw await missingDatabase(store.read, workspaceId, id);
      return { status: 200, body: await showOne(store.read, workspaceId, database) };
    },

    async updateDatabase(request, { principal, write }) {
      const { path, body } = request;
      const { workspaceId, keyId } = principal;
      const id = requireId(path.database_id);
      return write(request, async (tx) => {
        const found = await findDatabase(tx, workspaceId, id);
        if (!found) throw await missingDatabase(tx, workspaceId, id);
        const now = Date.now();
        const inTrash = trashWanted(body) ?? found.inTrash;
        const moved = await setInTrash(tx, workspaceId, found, inTrash, keyId, now);
        let database = (moved ? await findDatabase(tx, workspaceId, id) : found) ?? found;
        if (editsDatabase(body)) {
          database = changeDatabase(database, body, keyId, now);
          await checkMentions(tx, workspaceId, [database.title, database.description]);
          await updateDatabase(tx, workspaceId, database);
          if (body.properties !== undefined) {
            const planned = { id, title: plainText(database.title) };
            const plan = await planSchemaChange(tx, workspaceId, planned, database.schema, body.properties);
            const edit = { by: keyId, at: database.lastEditedTime };
            database = { ...database, schema: await applySchemaPlan(tx, workspaceId, id, plan, edit) };
          }
        }
        return { status: 200, body: await showOne(tx, workspaceId, database) };
      });
    },

    async queryDatabase({ path, query, body = {} }, { principal, requestId }) {
      const { workspaceId } = principal;
      const id = requireId(path.database_id);
      const database = await findDatabase(store.read, workspaceId, id);
      if (!database) throw await missingDatabase(store.read, workspaceId, id);
      const { cursor, size } = pageWanted(body);
      const { pages, nextCursor } = await queryPages(store, workspaceId, database, {
        filter: body.filter,
        sorts: body.sorts,
        cursor,
        pageSize: size,
        inTrash: trashWanted(body) ?? false,
        now: Date.now(),
      });
      const viewer = { ...principal, appUrl };
      const wanted = propertiesWanted(database.schema, query?.filter_properties);
      return {
        status: 200,
        body: {
          object: "list",
          results: await showFound(viewer, database.schema, pages, wanted),
          next_cursor: nextCursor,
          has_more: nextCursor !== null,
          type: "page_or_database",
          page_or_database: {},
          request_id: requestId,
        },
      };
    },
  };
}

/** Where a new database goes. */
async function parentOf(
  tx: Kysely<Tables>,
  workspaceId: string,
  input: components["schemas"]["ParentInput"],
): Promise<Parent> {
  const { kind, value } = readOneMember(input, ["page_id", "database_id", "workspace"], "body.parent");
  switch (kind) {
    case "workspace":
      return { type: "workspace" };
    case "database_id":
      throw new DomainError(
        "validation",
        "A database can be in a page or in the workspace, but not in another database.",
      );
    case "page_id": {
      const id = requireId(value);
      const page = await findPage(tx, workspaceId, id);
      if (!page) throw await missingPage(tx, workspaceId, id);
      if (page.page.inTrash) throw archivedError();
      return { type: "page_id", id };
    }
  }
}
