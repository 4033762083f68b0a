import { expect, test } from "vitest";
import { MAX_TRANSACTIONS_PER_WRITE } from "../../../../src/budgets.js";
import { ConversionNeededError } from "../../../../src/operations/conversion/conversion-job.js";
import { runUseCaseWithJobs } from "../../../support/scope.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

test("a write that needs a conversion again and again is a conflict", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  let attempts = 0;
  const write = runUseCaseWithJobs(store, workspaceId, async () => {
    attempts += 1;
    if (attempts <= MAX_TRANSACTIONS_PER_WRITE)
      throw new ConversionNeededError(databaseId, { conversions: [], newUniqueId: null }, true);
  });
  await expect(write).rejects.toMatchObject({ kind: "conflict" });
});
