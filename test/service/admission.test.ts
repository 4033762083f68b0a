import { expect, test } from "vitest";
import { BusyError, StorageUnavailableError } from "../../src/errors.js";
import { createAdmission } from "../../src/service/admission.js";

test.each([
  ["a key that cannot be looked up", new StorageUnavailableError("unreachable"), { message: "unreachable" }],
  [
    "a key that waits with too many unknown ones of its address",
    new BusyError("busy"),
    { message: "You have been rate limited. Please try again in 30 seconds.", caller: "address" },
  ],
])("with %s, a request of an address beyond its limit gets the right error", async (_, error, expected) => {
  const refused = { allowed: false, limit: 100, remaining: 0, resetUnixSeconds: 1, retryAfterSeconds: 30 };
  const dependencies = {
    authenticate: () => Promise.reject(error),
    limiter: { countAnonymousRequest: async () => refused },
    readClientAddress: () => "192.0.2.1",
    isFromTrustedProxy: () => false,
  };
  // The cast: nothing else is used before the request is admitted.
  const admit = createAdmission(dependencies as unknown as Parameters<typeof createAdmission>[0]);
  const context = { request: { headers: {} }, response: {}, headers: {}, startTime: 0 };
  // The cast: admission reads nothing else of the request.
  const admitted = admit(context as unknown as Parameters<typeof admit>[0]);
  await expect(admitted).rejects.toMatchObject(expected);
  expect(context.headers).toMatchObject({ "X-RateLimit-Limit": 100, "X-RateLimit-Remaining": 0 });
});
