import { afterAll, afterEach } from "vitest";
import { checkedFetch, failOnViolation } from "./checked-responses.js";

// Before any test is loaded, so that clients made in tests take this fetch for the platform's.
globalThis.fetch = checkedFetch;

afterEach(failOnViolation);
// For responses outside of tests, as in hooks.
afterAll(failOnViolation);
