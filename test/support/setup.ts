import { afterAll, afterEach } from "vitest";
import { checkedFetch, failOnViolation } from "./checked-responses.js";
import { failOnUnrestrictedStatement } from "./checked-statements.js";

// Replaced before any test is loaded, so that clients created in tests use this fetch.
globalThis.fetch = checkedFetch;

afterEach(failOnViolation);
afterEach(failOnUnrestrictedStatement);
// Checks responses in hooks too.
afterAll(failOnViolation);
afterAll(failOnUnrestrictedStatement);
