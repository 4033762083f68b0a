import { expect } from "vitest";
import { missingProgram, testUnless } from "../../support/requirements.js";
import { findSuite, readRequiredCases, runSuite, readSuiteSources } from "./suite.js";

/** Maximum percentage of required tests with refused schemas. Ajv gives a wrong result for 5 %. */
const MOST_REFUSED = 1;

const suite = findSuite();
const noSuite = missingProgram(
  suite !== undefined,
  "the official JSON Schema test suite is missing (.ci/run downloads it; or set JSON_SCHEMA_SUITE to its folder)",
);

testUnless(noSuite)("the required tests of draft 2020-12: none is answered wrongly", () => {
  if (!suite) throw new Error("The official JSON Schema test suite is missing.");
  const cases = readRequiredCases(suite);
  const total = cases.reduce((count, { tests }) => count + tests.length, 0);
  const { passed, refused, wrong } = runSuite(cases, readSuiteSources(suite));
  console.log(
    `JSON Schema test suite of ${suite.folder}, draft 2020-12: ${passed} passed / ${refused.length} refused / ${wrong.length} wrong of ${total}`,
  );
  expect(wrong).toEqual([]);
  expect(total).toBeGreaterThan(1_000);
  expect(passed + refused.length).toBe(total);
  expect(refused.slice(Math.floor((total * MOST_REFUSED) / 100))).toEqual([]);
  // OpenAPI supports only its own dialects, so schemas with other metaschemas are refused.
  const inside = runSuite(cases, readSuiteSources(suite), "openapi-3.1");
  console.log(
    `The same inside an OpenAPI document: ${inside.passed} passed / ${inside.refused.length} refused / ${inside.wrong.length} wrong`,
  );
  expect(inside.wrong).toEqual([]);
  expect(inside.refused.slice(Math.floor((total * MOST_REFUSED) / 100))).toEqual([]);
});
