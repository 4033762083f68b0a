import type { Diagnostic } from "../../diagnostic.js";
import { isObject, type JsonObject, type JsonValue } from "../../json.js";
import { walkValues } from "../../json-schema/walk-values.js";
import { groupBy } from "../../maps.js";
import { MAX_DIAGNOSTICS } from "../limits.js";
import { locateInFile } from "../locations.js";
import {
  booleanRequired,
  contradictoryLimits,
  delimitedPattern,
  emptyLists,
  misspeltFormat,
} from "./keyword-values.js";
import type { ParsedFile } from "../parsed-file.js";
import type { SourceText } from "../text/source-text.js";
import type { SchemaCheck, SchemaMistake } from "./schema-check.js";
import { slowPattern } from "./slow-pattern.js";
import { undeclaredProperties } from "./undeclared-properties.js";
import { upperCaseMethods } from "./upper-case-methods.js";
import { mismatchedEnum } from "./mismatched-enum.js";

/** Checks by a keyword without which they find nothing. */
const CHECKS = groupBy<[keyword: string, check: SchemaCheck], string>(
  [
    ["enum", mismatchedEnum],
    ["required", undeclaredProperties],
    ["format", misspeltFormat],
    ["pattern", delimitedPattern],
    ["pattern", slowPattern],
    ["properties", booleanRequired],
    ...contradictoryLimits,
    ...emptyLists,
  ],
  ([keyword]) => keyword,
);

/** Finds the mistakes in the schemas of a file, and corrects those whose correction is certain, also beyond the limit of warnings. */
export function checkSchemas({ source, parsed }: ParsedFile): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  // YAML aliases are found several times.
  const incorrectSchemas = new Set<JsonObject>();
  // Safe cast: parsing gives only JSON values.
  for (const { value, pointer, kind } of walkValues(parsed as JsonValue)) {
    // In a file that the document refers to, the root can be a schema.
    if ((kind !== "schema" && kind !== "object") || !isObject(value) || incorrectSchemas.has(value)) continue;
    for (const { relativePointer, describe, correct } of findMistakes(value, pointer, source)) {
      incorrectSchemas.add(value);
      if (diagnostics.length < MAX_DIAGNOSTICS) {
        const position = locateInFile(source, pointer + relativePointer);
        diagnostics.push({ severity: "warning", message: describe(), position });
      }
      correct?.();
    }
  }
  return diagnostics;
}

function findMistakes(schema: JsonObject, pointer: string, source: SourceText): SchemaMistake[] {
  const mistakes = upperCaseMethods(schema, pointer, source);
  for (const keyword of Object.keys(schema))
    for (const [, check] of CHECKS.get(keyword) ?? []) mistakes.push(...check(schema, pointer, source));
  return mistakes;
}
