import { expect, test } from "vitest";
import { findSuite, requiredCases, runSuite, suiteSources } from "./suite.js";

/** Most required tests that may be refused, out of a hundred. Ajv gives a wrong answer to five. */
const MOST_REFUSED = 1;

const suite = findSuite();
if (!suite) {
  console.log(
    "The official JSON Schema test suite was left out: it is not here. .ci/run fetches it, or name its folder in JSON_SCHEMA_SUITE.",
  );
}

// In CI it must be here: .ci/run sets the variable and fetches it.
test.runIf(suite !== undefined || process.env.CI !== undefined)(
  "the required tests of draft 2020-12: none is answered wrongly",
  () => {
    if (!suite) throw new Error("The official JSON Schema test suite is not here.");
    const cases = requiredCases(suite);
    const total = cases.reduce((count, { tests }) => count + tests.length, 0);
    const { passed, refused, wrong } = runSuite(cases, suiteSources(suite));
    console.log(
      `JSON Schema test suite, draft 2020-12: ${passed} passed / ${refused.length} refused / ${wrong.length} wrong of ${total}`,
    );
    expect(wrong).toEqual([]);
    expect(total).toBeGreaterThan(1_000);
    expect(passed + refused.length).toBe(total);
    expect(refused.slice(Math.floor((total * MOST_REFUSED) / 100))).toEqual([]);
    // In a document of OpenAPI a schema cannot refer to itself as the root, nor to the suite's other documents.
    const inside = runSuite(cases, [], "openapi-3.1");
    console.log(
      `The same inside an OpenAPI document: ${inside.passed} passed / ${inside.refused.length} refused / ${inside.wrong.length} wrong`,
    );
    expect(inside.wrong).toEqual([]);
    expect(inside.passed).toBeGreaterThan(total * 0.8);
  },
  60_000,
);
