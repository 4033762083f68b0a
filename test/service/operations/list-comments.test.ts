import { expect, onTestFinished, test } from "vitest";
import type { Comment } from "../../../src/domain/comment.js";
import { newId } from "../../../src/domain/ids.js";
import { listComments } from "../../../src/operations/comments.js";
import { insertComment } from "../../../src/storage/comments.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { emptyPage, plainRun } from "../../support/objects.js";
import { readScope } from "../../support/scope.js";
import { countTurns } from "../../support/turns.js";
import { addDatabase, EDIT } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

const COUNT = 8;

test("large comments are converted in several turns of the event loop, in their order", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = emptyPage(databaseId);
  const comments = Array.from({ length: COUNT }, (_, number): Comment => {
    const id = newId();
    return {
      id,
      parent: { type: "page_id", id: page.id },
      discussionId: id,
      richText: [plainRun(`${number} ${"x".repeat(200_000)}`)],
      createdTime: EDIT.time,
      lastEditedTime: EDIT.time,
      createdBy: EDIT.author,
    };
  });
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    for (const comment of comments) await insertComment(scope, comment);
  });
  const turns = countTurns();
  onTestFinished(turns.end);
  const start = turns.current;
  const { results, nextCursor } = await listComments(readScope(store, workspaceId), page.id, { size: 100 });
  expect(results.map(({ id }) => id)).toEqual(comments.map(({ id }) => id));
  expect(nextCursor).toBeNull();
  expect(turns.current - start).toBeGreaterThanOrEqual(COUNT - 1);
});
