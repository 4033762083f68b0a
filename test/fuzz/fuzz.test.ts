import { expect, test } from "vitest";
import { takeSeed } from "../support/random.js";
import { formatOutcome } from "./fuzz.js";
import { fuzzProcess } from "./run.js";

const REQUESTS = 2_000;

test("requests built from the document get no 5xx and no undocumented response", async () => {
  const seed = takeSeed();
  const outcome = await fuzzProcess(seed, REQUESTS);
  console.log(formatOutcome({ ...outcome, faults: [] }, seed));
  expect(outcome.faults, formatOutcome(outcome, seed)).toEqual([]);
  expect(outcome.requests).toBe(REQUESTS);
  // Enough of the requests were valid.
  expect(outcome.statuses[200]).toBeGreaterThan(REQUESTS / 10);
});
