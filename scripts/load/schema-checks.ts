import type { Diagnostic } from "../diagnostic.js";
import type { JsonObject } from "../json.js";
import { getKindAt } from "../json-schema/keywords.js";
import { contradictoryLimits } from "./contradictory-limits.js";
import { delimitedPattern } from "./delimited-pattern.js";
import { listKeys, locateInFile } from "./locations.js";
import { misspeltFormat } from "./misspelt-format.js";
import type { ParsedFile } from "./parsed-file.js";
import type { SchemaCheck } from "./schema-check.js";
import { undeclaredProperties } from "./undeclared-properties.js";
import { unfittingEnum } from "./unfitting-enum.js";

const CHECKS: readonly SchemaCheck[] = [
  unfittingEnum,
  undeclaredProperties,
  contradictoryLimits,
  misspeltFormat,
  delimitedPattern,
];

/** Whether an object would fail a check if it is a schema. */
export function maySchemaFail(value: object): value is JsonObject {
  // Safe cast: parsing gives only JSON values.
  return !Array.isArray(value) && CHECKS.some((check) => check(value as JsonObject).length > 0);
}

/** Finds the mistakes in the schemas of a file, and corrects those whose correction is certain. */
export function* checkSchemas({ source, suspectSchemas }: ParsedFile): Generator<Diagnostic> {
  for (const { schema, keys } of suspectSchemas) {
    const location = listKeys(keys);
    // In a file that the document refers to, the root can be a schema.
    if (!/^(?:schema|object)$/.test(getKindAt(location))) continue;
    for (const mistake of CHECKS.flatMap((check) => check(schema))) {
      const message = mistake.describe(location, source);
      if (message === undefined) continue;
      yield { severity: "warning", message, position: locateInFile(source, [...location, ...mistake.keys]) };
    }
  }
}
