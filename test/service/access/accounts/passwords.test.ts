import { expect, test } from "vitest";
import {
  describeInvalidPassword,
  type HashClient,
  hashPassword,
  verifyPassword,
} from "../../../../src/access/accounts/passwords.js";
import { BusyError } from "../../../../src/errors.js";
import { PASSWORD_HASH } from "../../../support/accounts.js";
import { PASSWORD } from "../../../support/visitor.js";

function unknownClient(key: string): HashClient {
  return { key, isKnown: false };
}

test("too many concurrent hashes of a client are refused; the others, those of other clients and later ones succeed", async () => {
  const order: string[] = [];
  const check = async (client: string, guess: string): Promise<boolean> => {
    const result = await verifyPassword(guess, PASSWORD_HASH, unknownClient(client));
    order.push(client);
    return result;
  };
  const tries = Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => check("many", index === 0 ? PASSWORD : `guess ${index}`)),
  );
  expect(await check("one", PASSWORD)).toBe(true);
  // It did not wait for the thirty that came before. Several of them can end before its result is seen.
  expect(order.length).toBeLessThan(15);
  const outcomes = await tries;
  const answered = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  // More are refused on a machine that is so busy that they wait too long.
  expect([answered[0], answered.slice(1).includes(true)]).toEqual([true, false]);
  expect(refusals.length).toBeGreaterThanOrEqual(28);
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(BusyError);
  expect(await check("many", PASSWORD)).toBe(true);
});

// Repeated on a busy machine, which can run the thread of the known client last. In one queue, it would be the last each time.
test("a known client does not wait for unknown ones", { retry: 3 }, async () => {
  const password = "correct horse battery";
  const hash = await hashPassword(password, unknownClient("first"));
  let checked = 0;
  const checks = Array.from({ length: 10 }, (_, index) =>
    verifyPassword("guess", hash, unknownClient(`address ${index}`)).then(() => (checked += 1)),
  );
  expect(await verifyPassword(password, hash, { key: "device", isKnown: true })).toBe(true);
  expect(checked).toBeLessThan(8);
  await Promise.all(checks);
});

test.for<[string, string, string]>([
  ["too short", "abcd56789", "Use at least 10 characters."],
  ["too long", "abcd".repeat(50) + "e", "Use at most 200 characters."],
  ["of three characters", "abcabcabca", "Use at least 4 different characters"],
  ["that many people use", "1234567890", "most common passwords"],
  ["that is the address", "Ada.Lovelace@example.org", "Do not use your e-mail address"],
])("refuses a password %s", ([, password, message]) => {
  expect(describeInvalidPassword(password, "ada.lovelace@example.org")).toContain(message);
});

test.for(["abcd567890", "abcd".repeat(50), "abcdabcdab"])("accepts the password %s", (password) => {
  expect(describeInvalidPassword(password, "ada.lovelace@example.org")).toBeUndefined();
});

test("a password is the same in all Unicode forms, which keyboards choose differently", async () => {
  const client = unknownClient("client");
  const hash = await hashPassword("Zu\u0308rich am Morgen", client);
  // The parameters, with which a hash takes 32 MB of memory.
  expect(hash).toMatch(/^scrypt\$15\$8\$3\$/);
  expect(await verifyPassword("Z\u00fcrich am Morgen", hash, client)).toBe(true);
});
