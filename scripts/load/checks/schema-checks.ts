import type { Diagnostic } from "../../diagnostic.js";
import { isObject, type JsonObject, type JsonValue } from "../../json.js";
import { walkValues } from "../../json-schema/walk-values.js";
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
import type { SchemaCheck } from "./schema-check.js";
import { undeclaredProperties } from "./undeclared-properties.js";
import { upperCaseMethods } from "./upper-case-methods.js";
import { mismatchedEnum } from "./mismatched-enum.js";

const CHECKS: readonly SchemaCheck[] = [
  mismatchedEnum,
  undeclaredProperties,
  contradictoryLimits,
  misspeltFormat,
  delimitedPattern,
  emptyLists,
  booleanRequired,
  upperCaseMethods,
];

/** Finds the mistakes in the schemas of a file, and corrects those whose correction is certain, also beyond the limit of warnings. */
export function checkSchemas({ source, parsed }: ParsedFile): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  // YAML aliases are found several times.
  const incorrectSchemas = new Set<JsonObject>();
  // Safe cast: parsing gives only JSON values.
  for (const { value, pointer, kind } of walkValues(parsed as JsonValue)) {
    // In a file that the document refers to, the root can be a schema.
    if ((kind !== "schema" && kind !== "object") || !isObject(value) || incorrectSchemas.has(value)) continue;
    const mistakes = CHECKS.flatMap((check) => check(value, pointer, source));
    for (const { relativePointer, describe, correct } of mistakes) {
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
