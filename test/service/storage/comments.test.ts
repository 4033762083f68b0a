import { expect, test } from "vitest";
import type { Comment } from "../../../src/domain/comment.js";
import { newId } from "../../../src/domain/ids.js";
import { getIds } from "../../../src/lists.js";
import { findComments, insertComment } from "../../../src/storage/comments.js";
import { reusableStores } from "../../support/stores.js";
import { addDatabase, addPages } from "./fixtures.js";
import { openTestStore } from "./open.js";

test.each(reusableStores)(
  "comments in %s are read in the order of their ids, although another process can insert an earlier id later",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const [pageId = ""] = await addPages(store, workspaceId, databaseId, 1);
    const comments = Array.from({ length: 3 }, (): Comment => {
      const times = { createdTime: 0, lastEditedTime: 0, createdBy: newId() };
      return {
        id: newId(),
        parent: { type: "page_id", id: pageId },
        discussionId: newId(),
        richText: [],
        ...times,
      };
    });
    await store.write(workspaceId, async (scope) => {
      for (const comment of comments.toReversed()) await insertComment(scope, comment);
    });
    const ids = getIds(comments);
    const found = await findComments({ db: store.read, workspaceId }, [newId(), ...ids.toReversed()]);
    expect(getIds(found)).toEqual(ids);
  },
);
