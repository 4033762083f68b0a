import { expect, test } from "vitest";
import { signIn, signUp } from "../../src/access/sign-in.js";
import { generateKey } from "../../src/access/api-keys.js";
import { createAuthenticator } from "../../src/access/authenticate.js";
import { createMemoryCounters } from "../../src/access/counters.js";
import { createKeyForWorkspace, revokeNamedKey } from "../../src/access/operator-keys.js";
import { createRateLimiter } from "../../src/access/rate-limit.js";
import { openTestStore } from "../service/storage/open.js";
import { Random, takeSeed } from "../support/random.js";
import { percentile } from "./setup.js";
import { welchT } from "./statistics.js";

const random = new Random(takeSeed());

/** Requests with invented keys. */
const KEYS = 1_000_000;
/** Requests with invented keys at once. */
const AT_ONCE = 200;

/** Times what is asked in random turns, in nanoseconds by its name. */
async function timed(
  asked: Record<string, () => Promise<unknown>>,
  samples: number,
): Promise<Record<string, number[]>> {
  const names = Object.keys(asked);
  const found: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const warmUp = Math.floor(samples / 10);
  for (let sample = -warmUp; sample < samples; sample += 1) {
    const name = random.pick(names);
    const started = process.hrtime.bigint();
    await asked[name]?.();
    const took = Number(process.hrtime.bigint() - started);
    if (sample >= 0) found[name]?.push(took);
  }
  return found;
}

test("response times do not distinguish unknown keys from revoked keys", { timeout: 600_000 }, async () => {
  const store = await openTestStore();
  const revoked: string[] = [];
  for (let n = 0; n < 50; n += 1) {
    const { key } = await createKeyForWorkspace(store, { workspaceName: "Acme" });
    await revokeNamedKey(store, key.slice(0, 9));
    revoked.push(key);
  }
  const unknown = Array.from({ length: 50 }, generateKey);
  const authenticate = createAuthenticator(store);
  const ask = (keys: readonly string[]) => () => authenticate(`Bearer ${random.pick(keys)}`);
  const found = await timed({ unknown: ask(unknown), revoked: ask(revoked) }, 100_000);
  const t = welchT(found.unknown ?? [], found.revoked ?? []);
  const median = (name: string): number => percentile(found[name] ?? [], 0.5) / 1000;
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
    await signUp(store, { ...account, invitation: "" }, "open");
    const attempt = (email: string) =>
      signIn(store, { email, password: "not the password", invitation: "" }, "open");
    const found = await timed(
      {
        known: () => attempt("ada@example.org"),
        unknown: () => attempt("eve@example.org"),
      },
      300,
    );
    const t = welchT(found.known ?? [], found.unknown ?? []);
    console.log(`Sign-in with a wrong password beside an unknown address: t = ${t.toFixed(2)}`);
    expect(Math.abs(t)).toBeLessThan(4.5);
  },
);

test("unknown keys leave no memory behind, from any number of addresses", { timeout: 600_000 }, async () => {
  const store = await openTestStore();
  const authenticate = createAuthenticator(store);
  const limiter = createRateLimiter(createMemoryCounters());
  const ask = async (n: number): Promise<void> => {
    // Every other one with a right checksum, which is looked up.
    const key =
      n % 2 === 0 ? generateKey() : generateKey().replace(/.$/, (last) => (last === "x" ? "y" : "x"));
    expect(await authenticate(`Bearer ${key}`)).toBeUndefined();
    await limiter.consumeAnonymous(`10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`);
  };
  const askMany = async (many: number): Promise<void> => {
    for (let n = 0; n < many; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_unused, index) => ask(n + index)));
  };
  await askMany(20_000);
  const before = process.memoryUsage.rss();
  await askMany(KEYS);
  const grown = (process.memoryUsage.rss() - before) / 1e6;
  console.log(`${KEYS} invented keys: ${Math.round(grown)} MB more`);
  expect(grown).toBeLessThan(50);
});
