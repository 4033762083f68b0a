import { MAX_RESULTS } from "../../budgets.js";
import { TITLE_SCHEMA } from "../../domain/schema.js";
import type { StoredObject } from "../../domain/stored-object.js";
import { findDatabase } from "../../storage/databases/databases.js";
import { findIcons } from "../../storage/objects/icons.js";
import { findUserNames } from "../../storage/users.js";
import { findTitledObjects } from "../../storage/objects/titles.js";
import { listComments } from "../comments.js";
import { retrievePage } from "../retrieve-page.js";
import type { ReadScope } from "../execution/scope.js";
import { findAncestors } from "./ancestors.js";
import { findLinkedTitles, listShownLinkIds } from "./linked-titles.js";
import { loadNumberFormats } from "./number-formats.js";
import { loadPagePart } from "./page-part.js";

/** The data that the web page of a page shows: the page, its blocks and comments, and names and titles that they refer to. */
export type PageView = Awaited<ReturnType<typeof viewPage>>;

/** Cursors of the parts to show: `nextCursor` and `nextCommentsCursor` of an earlier PageView, or undefined for the beginning. */
export interface PageCursors {
  readonly blocks: string | undefined;
  readonly comments: string | undefined;
}

/** Reads the data for the web page of a page. Throws a DomainError: (not_found), or (invalid_cursor). */
export async function viewPage(
  scope: ReadScope,
  { id, parent }: Pick<StoredObject, "id" | "parent">,
  cursors: PageCursors,
) {
  const { body } = await retrievePage(scope, id);
  const commentPagination = { size: MAX_RESULTS, cursor: cursors.comments };
  // Before the page is decoded and its blocks are read, because a long list of comments can wait for others.
  const { results: comments, nextCursor } = await listComments(scope, id, commentPagination);
  const page = body.toJSON();
  const part = await loadPagePart(scope, id, cursors.blocks);
  const database = parent.type === "database_id" ? await findDatabase(scope, parent.id) : undefined;
  const userIds = [
    page.created_by.id,
    page.last_edited_by.id,
    ...comments.map(({ created_by: author }) => author.id),
  ];
  return {
    page,
    /** Whether the page was moved to the trash by itself. */
    isTrashRoot: page.in_trash && (await isTrashRoot(scope, id)),
    ancestors: await findAncestors(scope, parent),
    blocks: part.blocks,
    /** Cursor of the next part of the blocks; null at the end of the page. */
    nextCursor: part.nextBlockId,
    comments,
    nextCommentsCursor: nextCursor,
    userNames: await findUserNames(scope, userIds),
    titles: await findLinkedTitles(scope, [page], part.blocks),
    /** Icons of the pages and databases that the blocks show as links, by id. */
    icons: await findIcons(scope, [...new Set(listShownLinkIds(part.blocks))]),
    numberFormats: await loadNumberFormats(scope, database?.schema ?? TITLE_SCHEMA),
  };
}

async function isTrashRoot(scope: ReadScope, id: string): Promise<boolean> {
  return (await findTitledObjects(scope, { pages: [id] })).get(id)?.trashRoot === id;
}
