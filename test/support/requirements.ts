import { describe, test } from "vitest";

/** Returns the reason why a program is missing, for testUnless; undefined in CI, where its tests must run. */
export function missingProgram(isInstalled: boolean, reason: string): string | undefined {
  return isInstalled || process.env.CI !== undefined ? undefined : reason;
}

/**
 * Returns vitest's `test`, or a `test` that skips with a reason if a requirement is missing.
 *
 * @param missing Reason why the requirement is missing, and how to get it; undefined if it is met.
 */
export function testUnless(missing: string | undefined): typeof test {
  if (missing === undefined) return test;
  const skip = (name: string): void => test(name, (context) => context.skip(missing));
  // The cast: tests that may be skipped call only `test(name)` and `test.each(…)(name)`.
  return Object.assign(skip, { each: () => skip }) as unknown as typeof test;
}

/** Returns vitest's `describe`, or a `describe` that skips with a reason if a requirement is missing. */
export function describeUnless(missing: string | undefined): typeof describe {
  if (missing === undefined) return describe;
  const skip = (name: string) =>
    describe(name, () => {
      test("all of it", (context) => context.skip(missing));
    });
  // The cast: suites that may be skipped call only `describe(name)`.
  return skip as typeof describe;
}
