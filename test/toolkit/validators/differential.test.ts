import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../scripts/json.js";
import { compileValidator } from "./compiled.js";
import { Random, takeSeed } from "../../support/random.js";
import { randomSchema, randomValue } from "./random.js";

const SCHEMAS = 200;
const VALUES = 30;

/** Known bugs of Ajv. Pairs of schema and value that match one of them are not compared. */
const MISTAKES: Record<string, (schema: string, value: string) => boolean> = {
  "unevaluatedItems: items that contains and branches evaluated can be ignored": (schema) =>
    schema.includes('"unevaluatedItems"'),
  "unevaluatedProperties with if: properties that a failed condition evaluated count": (schema) =>
    schema.includes('"unevaluatedProperties"') && schema.includes('"if"'),
  "contains: an empty array can pass": (schema, value) =>
    schema.includes('"contains"') && value.includes("[]"),
};

test("random schemas have the same results as with Ajv", () => {
  const seed = takeSeed();
  const excluded = new Map<string, number>();
  const verdicts = { true: 0, false: 0 };
  for (let index = 0; index < SCHEMAS; index += 1) {
    const random = new Random(seed + index);
    const schema = randomSchema(random);
    const theirs = compileWithAjv(schema);
    const ours = compileValidator(schema);
    for (let number = 0; number < VALUES; number += 1) {
      const value = randomValue(random);
      const mistake = findKnownBug(schema, value);
      if (mistake !== undefined) {
        excluded.set(mistake, (excluded.get(mistake) ?? 0) + 1);
        continue;
      }
      const verdict = theirs(value);
      if (verdict === undefined) continue;
      verdicts[`${verdict}`] += 1;
      if (ours(value) !== verdict) {
        throw new Error(
          `SEED=${seed + index}: Ajv says ${verdict} of ${JSON.stringify(value)} in ${JSON.stringify(schema)}`,
        );
      }
      expect(verdict || (ours.errors?.length ?? 0) > 0).toBe(true);
    }
  }
  console.log(
    `Judged as Ajv does: ${verdicts.true} values that fit, ${verdicts.false} that do not; left out:`,
    [...excluded],
  );
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(1_000);
});

function compileWithAjv(schema: JsonObject): (value: unknown) => boolean | undefined {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, ownProperties: true, strictNumbers: true });
  const validate = ajv.compile(schema);
  return (value) => {
    try {
      return validate(value) === true;
    } catch {
      // Ajv's code for unevaluatedProperties can throw.
      return undefined;
    }
  };
}

function findKnownBug(schema: JsonObject, value: JsonValue): string | undefined {
  const texts = [JSON.stringify(schema), JSON.stringify(value)] as const;
  return Object.keys(MISTAKES).find((name) => MISTAKES[name]?.(...texts));
}
