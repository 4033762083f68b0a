import { expect, test } from "vitest";
import { takeSeed } from "../support/random.js";
import { report } from "./fuzz.js";
import { fuzzProcess } from "./run.js";

const REQUESTS = 2_000;

test("no request built from the document is answered with a failure of the service, or as the document does not say", async () => {
  const seed = takeSeed();
  const outcome = await fuzzProcess(seed, REQUESTS);
  console.log(report({ ...outcome, faults: [] }, seed));
  expect(outcome.faults, report(outcome, seed)).toEqual([]);
  expect(outcome.requests).toBe(REQUESTS);
  // Enough of them were good ones.
  expect(outcome.statuses[200]).toBeGreaterThan(REQUESTS / 10);
});
