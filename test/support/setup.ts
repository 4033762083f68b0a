import { afterAll, afterEach } from "vitest";
import { checkedFetch, failOnViolation } from "./checked-responses.js";

// Replaced before any test is loaded, so that clients created in tests use this fetch.
globalThis.fetch = checkedFetch;

afterEach(failOnViolation);
// Checks responses in hooks too.
afterAll(failOnViolation);
