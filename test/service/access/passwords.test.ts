import { expect, test } from "vitest";
import { OverloadedError } from "../../../src/access/checks.js";
import { hashPassword, verifyPassword } from "../../../src/access/passwords.js";

test("too many concurrent hashes are refused; the others and later ones succeed", async () => {
  const hash = await hashPassword("correct horse battery");
  const tries = Array.from({ length: 60 }, (_, index) =>
    verifyPassword(index === 0 ? "correct horse battery" : `guess ${index}`, hash),
  );
  const outcomes = await Promise.allSettled(tries);
  const answered = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(answered).toEqual([true, ...Array.from({ length: 31 }, () => false)]);
  expect(refusals).toHaveLength(28);
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(OverloadedError);
  expect(await verifyPassword("correct horse battery", hash)).toBe(true);
});
