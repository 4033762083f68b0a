import type { components } from "../../generated/types.js";
import type { PagesHandlers } from "../../generated/routes.js";
import { DomainError, notFound } from "../domain/errors.js";
import { parseId } from "../domain/ids.js";
import { changePage, createPage, type Page } from "../domain/page.js";
import { renderProperties } from "../domain/properties.js";
import type { Schema } from "../domain/schema.js";
import { findDatabase } from "../storage/databases.js";
import { createPageReader, findPage, insertPage, type PageWithSchema, updatePage } from "../storage/pages.js";
import type { Store } from "../storage/store.js";
import type { Context, SuppliedHeaders } from "./context.js";

/**
 * The operations on pages.
 *
 * @param appUrl address of the web application, which page addresses begin with
 */
export function pagesHandlers(store: Store, appUrl: string): PagesHandlers<Context, SuppliedHeaders> {
  const readPage = createPageReader(store.read);
  // A page that has not changed since it was read last is the same object, and so is its answer.
  const rendered = new WeakMap<PageWithSchema, components["schemas"]["Page"]>();

  return {
    async createPage(request, { principal, write }) {
      const { body } = request;
      if (body.parent.database_id === undefined) {
        throw new DomainError(
          "validation",
          "body failed validation: body.parent.database_id should be defined, instead was `undefined`.",
        );
      }
      const databaseId = idFrom(body.parent.database_id);
      return write(request, async (tx) => {
        const database = await findDatabase(tx, principal.workspaceId, databaseId);
        if (!database) throw notFound("database", databaseId);
        const page = createPage({ databaseId, schema: database.schema }, body, principal.keyId, Date.now());
        await insertPage(tx, principal.workspaceId, page);
        return { status: 200, body: render(page, database.schema, appUrl) };
      });
    },

    async retrievePage({ path }, { principal }) {
      const id = idFrom(path.page_id);
      const found = await readPage(principal.workspaceId, id);
      if (!found) throw notFound("page", id);
      let body = rendered.get(found);
      if (!body) {
        body = Object.freeze(render(found.page, found.schema, appUrl));
        rendered.set(found, body);
      }
      return { status: 200, body };
    },

    async updatePage(request, { principal, write }) {
      const { path, body } = request;
      const id = idFrom(path.page_id);
      return write(request, async (tx) => {
        const found = await findPage(tx, principal.workspaceId, id);
        if (!found) throw notFound("page", id);
        const page = changePage(found.page, found.schema, body, principal.keyId, Date.now());
        if (page !== found.page) await updatePage(tx, principal.workspaceId, page);
        return { status: 200, body: render(page, found.schema, appUrl) };
      });
    },

    /** GET /v1/pages/{page_id}/properties/{property_id}: Retrieve the value of a property */
    async retrievePageProperty(_request, _context) {
      throw Object.assign(new Error("retrievePageProperty is not implemented"), { status: 501 });
    },
  };
}

function idFrom(text: string): string {
  const id = parseId(text);
  if (id === undefined) throw new Error(`the validator let an id pass that is none: ${JSON.stringify(text)}`);
  return id;
}

function renderParent(parent: Page["parent"]): components["schemas"]["Parent"] {
  switch (parent.type) {
    case "workspace":
      return { type: "workspace", workspace: true };
    case "database_id":
      return { type: "database_id", database_id: parent.id };
    case "page_id":
      return { type: "page_id", page_id: parent.id };
    case "block_id":
      return { type: "block_id", block_id: parent.id };
  }
}

function render(page: Page, schema: Schema, appUrl: string): components["schemas"]["Page"] {
  return {
    object: "page",
    id: page.id,
    created_time: new Date(page.createdTime).toISOString(),
    last_edited_time: new Date(page.lastEditedTime).toISOString(),
    created_by: { object: "user", id: page.createdBy },
    last_edited_by: { object: "user", id: page.lastEditedBy },
    icon: page.icon,
    cover: page.cover,
    parent: renderParent(page.parent),
    archived: page.inTrash,
    in_trash: page.inTrash,
    properties: renderProperties(schema, page.properties),
    url: `${appUrl}/${page.id.replaceAll("-", "")}`,
    public_url: null,
  };
}
