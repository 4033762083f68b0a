import { MAX_LINKS_PER_REQUEST } from "../../budgets.js";
import { type BlockContent, type BlockType, getOriginalId } from "../../domain/blocks/block.js";
import { createInvalidValueError, createNotFoundError, createValidationError } from "../../domain/errors.js";
import { type MentionedIds, collectMentions } from "../../domain/mentions.js";
import type { AppliedProperties } from "../../domain/properties/apply.js";
import { getStoredValue } from "../../domain/properties/stored-values.js";
import { abbreviate } from "../../domain/text.js";
import { findSyncedContents } from "../../storage/blocks/blocks.js";
import { findMissingIds } from "../../storage/sql-helpers.js";
import { readPageBytes } from "../../storage/pages/page-bytes.js";
import type { Scope } from "../execution/scope.js";

/** Parts of a block that can refer to other objects. */
interface BlockReferences {
  readonly type: BlockType;
  readonly content: BlockContent;
  readonly children?: readonly BlockReferences[];
}

/** Content to store, which can refer to other objects. */
export interface NewContent {
  /** Any value that contains rich text. */
  readonly texts?: unknown;
  readonly propertyEdit?: AppliedProperties;
  readonly blocks?: readonly BlockReferences[];
}

/**
 * Checks that the objects to which new content refers exist. Throws a DomainError: (not_found) for an object that the workspace
 * does not have, or (validation) for more than MAX_LINKS_PER_REQUEST links, a linked page that is not in the relation's database, or
 * a synced copy whose original is not an original synced block.
 */
export async function checkReferences(scope: Scope, content: NewContent): Promise<void> {
  const references = collectReferences(content);
  await checkObjects(scope, references);
  await checkOriginals(scope, references);
  if (content.propertyEdit !== undefined) await checkRelatedPages(scope, content.propertyEdit.links);
}

/** Ids of the objects to which content refers, except for those of relations. */
interface CollectedReferences extends MentionedIds {
  readonly comments: Set<string>;
  /** Originals of synced copies. */
  readonly originals: Set<string>;
}

function collectReferences({ texts, propertyEdit, blocks = [] }: NewContent): CollectedReferences {
  const changed = propertyEdit?.changedProperties ?? [];
  const newValues = changed.map(({ id }) => propertyEdit?.stored[id]);
  const references: CollectedReferences = {
    ...collectMentions([texts, newValues, blocks]),
    comments: new Set(),
    originals: new Set(),
  };
  for (const property of changed) {
    if (property.type !== "people") continue;
    for (const id of getStoredValue(propertyEdit?.stored ?? {}, property) ?? []) references.users.add(id);
  }
  for (const block of blocks) collectTargets(block, references);
  return references;
}

function collectTargets(
  { type, content, children = [] }: BlockReferences,
  references: CollectedReferences,
): void {
  for (const child of children) collectTargets(child, references);
  if (type === "link_to_page") {
    const { page_id: page, database_id: database, comment_id: comment } = content;
    if (typeof page === "string") references.pages.add(page);
    if (typeof database === "string") references.databases.add(database);
    if (typeof comment === "string") references.comments.add(comment);
  }
  const originalId = getOriginalId({ type, content });
  if (originalId !== undefined) references.originals.add(originalId);
}

async function checkObjects(scope: Scope, references: CollectedReferences): Promise<void> {
  for (const [kind, table] of [
    ["page", "pages"],
    ["database", "databases"],
    ["comment", "comments"],
    ["user", "users"],
  ] as const) {
    const [missingId] = await findMissingIds(scope, table, [...references[table]]);
    if (missingId !== undefined) throw createNotFoundError(kind, missingId);
  }
}

async function checkOriginals(scope: Scope, { originals }: CollectedReferences): Promise<void> {
  const contents = await findSyncedContents(scope, [...originals]);
  for (const id of originals) {
    const content = contents.get(id);
    if (content === undefined) throw createNotFoundError("block", id);
    if (content?.synced_from !== null) {
      throw createValidationError(
        `synced_from must be the ID of an original synced block, one with \`synced_from: null\`: ${id} is not.`,
      );
    }
  }
}

async function checkRelatedPages(scope: Scope, links: AppliedProperties["links"]): Promise<void> {
  if (links.size === 0) return;
  const allIds = [...links.values()].flat();
  if (allIds.length > MAX_LINKS_PER_REQUEST) {
    throw createInvalidValueError(
      "body.properties",
      `at most ${MAX_LINKS_PER_REQUEST} links of relations, in all properties together`,
      allIds.length,
    );
  }
  // Reads only the sizes, because the values of thousands of linked pages can be a gigabyte.
  const found = await readPageBytes(scope, [...new Set(allIds)]);
  const parentIds = new Map(found.map(({ id, parentId }) => [id, parentId]));
  for (const [relation, targetIds] of links) {
    for (const id of targetIds) {
      const parentId = parentIds.get(id);
      if (parentId === undefined) throw createNotFoundError("page", id);
      if (parentId !== relation.databaseId) {
        throw createValidationError(
          `${abbreviate(relation.name)}: the page ${id} is not in the related database ${relation.databaseId}.`,
        );
      }
    }
  }
}
