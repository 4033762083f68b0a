import type { Schemas } from "../domain/api-schemas.js";
import { PAGE_AS_PARENT, parseBlocks } from "../domain/blocks/nesting.js";
import { createInvalidValueError } from "../domain/errors.js";
import { normalizeId } from "../domain/ids.js";
import { type Parent, createInTrashError } from "../domain/stored-object.js";
import { parseSingleKey } from "../domain/single-key.js";
import { createPageObject, type Page } from "../domain/page.js";
import { applyProperties } from "../domain/properties/apply.js";
import { TITLE_SCHEMA, type Schema } from "../domain/schema.js";
import { reserveUniqueNumber } from "../storage/databases/databases.js";
import { FIRST_VERSION, insertPage } from "../storage/pages/pages.js";
import { indexPageTexts } from "../storage/pages/text-index.js";
import { addBlocks, addToParentPage } from "./change/add-blocks.js";
import { storePropertyEdit } from "./change/property-edit.js";
import { checkReferences } from "./check/references.js";
import { requireDatabase, requireParentPage } from "./load/pages-and-databases.js";
import { type PageResult, presentPage } from "./present/page.js";
import type { Scope, WriteScope } from "./execution/scope.js";
import type { BlockInput } from "../domain/blocks/block.js";

type Input = Schemas["CreatePageBody"];

/** Creates a page. Throws a DomainError for an unknown or trashed parent, or invalid values or blocks. */
export async function createPage(scope: WriteScope, input: Input): Promise<PageResult> {
  const { parent, schema, conversionJobId, pagesVersion = 0 } = await findParent(scope, input.parent);
  const propertyEdit = applyProperties(schema, {}, input.properties);
  const blocks = parseBlocks(getChildren(input), PAGE_AS_PARENT);
  await checkReferences(scope, { propertyEdit, blocks });

  const numberless = createPageObject(parent, propertyEdit.stored, input, scope.edit);
  const page = await addUniqueNumber(scope, numberless, schema);
  await insertPage(scope, page);
  await indexPageTexts(scope, page, schema.definitions, { isNew: true });
  let version = FIRST_VERSION + pagesVersion;
  if (parent.type === "database_id") {
    const database = { id: parent.id, schema, conversionJobId };
    version += await storePropertyEdit(scope, page, database, propertyEdit);
  }
  await addToParentPage(scope, page, "child_page");
  if (blocks.length > 0) {
    await addBlocks(scope, { parent: { type: "page_id", id: page.id }, pageId: page.id }, blocks);
    // Adding blocks increments the version of the page.
    version += 1;
  }
  return presentPage(scope, { page, schema: propertyEdit.schema, version });
}

async function findParent(
  scope: Scope,
  input: Schemas["ParentInput"],
): Promise<{ parent: Parent; schema: Schema; conversionJobId: string | null; pagesVersion?: number }> {
  const { kind, value } = parseSingleKey(input, ["database_id", "page_id", "workspace"], "body.parent");
  switch (kind) {
    case "workspace":
      return { parent: { type: kind }, schema: TITLE_SCHEMA, conversionJobId: null };
    case "database_id": {
      const database = await requireDatabase(scope, normalizeId(value));
      if (database.inTrash) throw createInTrashError();
      return { ...database, parent: { type: kind, id: database.id } };
    }
    case "page_id":
      return { parent: await requireParentPage(scope, value), schema: TITLE_SCHEMA, conversionJobId: null };
  }
}

/** Returns the blocks to create; `content` is another name of `children`. Throws a DomainError (validation) if both are given. */
function getChildren({ children, content }: Input): readonly BlockInput[] {
  if (children !== undefined && content !== undefined) {
    throw createInvalidValueError("body.content", "not present", content);
  }
  return children ?? content ?? [];
}

/** Adds the next unique number to the values of a new page, if its database has a unique_id property. */
async function addUniqueNumber(scope: WriteScope, page: Page, { definitions }: Schema): Promise<Page> {
  const { parent, properties } = page;
  const property = definitions.find(({ type }) => type === "unique_id");
  if (property === undefined || parent.type !== "database_id") return page;
  const number = await reserveUniqueNumber(scope, parent.id);
  return { ...page, properties: { ...properties, [property.id]: number } };
}
