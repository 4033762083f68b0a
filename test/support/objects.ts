import { randomUUID } from "node:crypto";
import type { Database } from "../../src/domain/database.js";
import { newId } from "../../src/domain/ids.js";
import type { Page } from "../../src/domain/page.js";
import { type RichText, parseRichTextRun } from "../../src/domain/rich-text.js";
import {
  createSchema,
  type PropertyDefinition,
  type PropertyType,
  type Schema,
} from "../../src/domain/schema.js";

const TITLE_ONLY = createSchema([plainProperty("title", "Title", "title")]);

/** Creates a database in the workspace without a title; `fields` overrides fields. */
export function emptyDatabase(fields: Partial<Database> & { schema?: Schema } = {}): Database {
  const userId = randomUUID();
  return {
    id: newId(),
    parent: { type: "workspace" },
    createdTime: 0,
    lastEditedTime: 0,
    createdBy: userId,
    lastEditedBy: userId,
    inTrash: false,
    trashRoot: null,
    title: [],
    description: [],
    icon: null,
    cover: null,
    isInline: false,
    schema: TITLE_ONLY,
    ...fields,
  };
}

/** Creates a page without properties in a database; `fields` overrides fields. */
export function emptyPage(databaseId: string, fields: Partial<Page> = {}): Page {
  const now = Date.now();
  return {
    id: newId(),
    parent: { type: "database_id", id: databaseId },
    createdTime: now,
    lastEditedTime: now,
    createdBy: databaseId,
    lastEditedBy: databaseId,
    inTrash: false,
    trashRoot: null,
    icon: null,
    cover: null,
    properties: {},
    ...fields,
  };
}

/** Creates a property without further configuration. */
export function plainProperty(id: string, name: string, type: PropertyType): PropertyDefinition {
  // The cast: the other types of properties have no configuration, and tests do not use them here.
  return {
    id,
    name,
    description: null,
    type,
    ...(type === "number" && { format: "number" }),
  } as PropertyDefinition;
}

/** Creates a run of text without formatting. */
export function plainRun(content: string): RichText {
  return parseRichTextRun({ text: { content } });
}
