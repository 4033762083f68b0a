import { expect, test } from "vitest";
import { signIn } from "../../src/access/accounts/sign-in.js";
import { signUp } from "../../src/access/accounts/sign-up.js";
import { generateKey } from "../../src/access/keys/key-format.js";
import { createAuthenticator } from "../../src/access/keys/authenticate.js";
import { createMemoryCounterFactory } from "../../src/access/limits/counters.js";
import { createKeyAsOperator, revokeKeyAsOperator } from "../../src/access/keys/operator-keys.js";
import { createRateLimiter } from "../../src/access/limits/rate-limit.js";
import { findAccountByEmail } from "../../src/storage/access/accounts.js";
import { openTestStore } from "../service/storage/open.js";
import { Random, takeSeed } from "../support/random.js";
import { getPercentile } from "./setup.js";
import { computeWelchT } from "./statistics.js";

const random = new Random(takeSeed());

/** Number of requests with unknown keys. */
const KEYS = 1_000_000;
/** Number of concurrent requests with unknown keys. */
const CONCURRENCY = 200;

/** Measures calls in random order, and returns their times in nanoseconds by name. */
async function measureTimes(
  calls: Record<string, () => Promise<unknown>>,
  samples: number,
): Promise<Record<string, number[]>> {
  const names = Object.keys(calls);
  const found: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const warmUp = Math.floor(samples / 10);
  for (let sample = -warmUp; sample < samples; sample += 1) {
    const name = random.pick(names);
    const started = process.hrtime.bigint();
    await calls[name]?.();
    const took = Number(process.hrtime.bigint() - started);
    if (sample >= 0) found[name]?.push(took);
  }
  return found;
}

test("response times do not distinguish unknown keys from revoked keys", { timeout: 600_000 }, async () => {
  const store = await openTestStore();
  const revoked: string[] = [];
  for (let n = 0; n < 50; n += 1) {
    const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
    await revokeKeyAsOperator(store, key.slice(0, 9));
    revoked.push(key);
  }
  const unknown = Array.from({ length: 50 }, generateKey);
  const authenticate = createAuthenticator(store);
  const sendRequest = (keys: readonly string[]) => () => authenticate(`Bearer ${random.pick(keys)}`);
  const found = await measureTimes({ unknown: sendRequest(unknown), revoked: sendRequest(revoked) }, 100_000);
  const t = computeWelchT(found.unknown ?? [], found.revoked ?? []);
  const median = (name: string): number => getPercentile(found[name] ?? [], 0.5) / 1000;
  console.log(
    `Unknown ${median("unknown").toFixed(1)} µs, revoked ${median("revoked").toFixed(1)} µs, t = ${t.toFixed(2)}`,
  );
  expect(Math.abs(t)).toBeLessThan(4.5);
});

test(
  "response times do not distinguish unknown e-mail addresses from wrong passwords",
  { timeout: 600_000 },
  async () => {
    const store = await openTestStore();
    const account = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
    await signUp(
      store,
      { ...account, invitationToken: undefined },
      { registration: "open", clientKey: "", checkRateLimit: async () => {} },
    );
    const attempt = async (email: string) =>
      signIn(
        store,
        await findAccountByEmail(store.read, email),
        { password: "not the password", invitationToken: undefined },
        { registration: "open", client: { key: "", isKnown: false }, checkRateLimit: async () => {} },
      );
    const found = await measureTimes(
      {
        known: () => attempt("ada@example.org"),
        unknown: () => attempt("eve@example.org"),
      },
      300,
    );
    const t = computeWelchT(found.known ?? [], found.unknown ?? []);
    console.log(`Sign-in with a wrong password compared with an unknown address: t = ${t.toFixed(2)}`);
    expect(Math.abs(t)).toBeLessThan(4.5);
  },
);

test("unknown keys from many addresses do not increase memory", { timeout: 600_000 }, async () => {
  const store = await openTestStore();
  const authenticate = createAuthenticator(store);
  const limiter = createRateLimiter(createMemoryCounterFactory());
  const sendRequest = async (n: number): Promise<void> => {
    // Every second key has a valid checksum, so that it is looked up in the database.
    const key =
      n % 2 === 0 ? generateKey() : generateKey().replace(/.$/, (last) => (last === "x" ? "y" : "x"));
    expect(await authenticate(`Bearer ${key}`)).toBeUndefined();
    await limiter.countAnonymousRequest(`10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`);
  };
  const sendRequests = async (many: number): Promise<void> => {
    for (let n = 0; n < many; n += CONCURRENCY)
      await Promise.all(Array.from({ length: CONCURRENCY }, (_unused, index) => sendRequest(n + index)));
  };
  await sendRequests(20_000);
  const before = process.memoryUsage.rss();
  await sendRequests(KEYS);
  const grown = (process.memoryUsage.rss() - before) / 1e6;
  console.log(`${KEYS} unknown keys: ${Math.round(grown)} MB more`);
  expect(grown).toBeLessThan(50);
});
