import { expect, test } from "vitest";
import { hashToken } from "../../../../src/access/accounts/tokens.js";

test("keys and tokens are stored as their SHA-256", () => {
  expect(hashToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
