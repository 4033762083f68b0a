import type { Validator } from "../../../src/http/types.js";
import type { Diagnostic } from "../../diagnostic.js";
import { MAX_DIAGNOSTICS } from "../limits.js";
import { escapePointer } from "../../json.js";
import { groupBy } from "../../maps.js";
import type { LocationTarget } from "../text/source-text.js";
import type { OpenApiVersion } from "../version.js";
import { findCauses, listAlternatives, locateError, type StructureError } from "./validation-errors.js";
import { describeStructureError, isMissingProperty, suggestProperty } from "./describe-error.js";
import { coerceValue } from "./coerce-value.js";
import { validateOpenApi } from "./generated/openapi.js";
import { isIgnored, rateError } from "./severity.js";

/** A violation of the official schema of an OpenAPI version. */
export interface Violation {
  severity: Diagnostic["severity"];
  message: string;
  /** JSON pointer into the document. */
  pointer: string;
  /** Whether the key or the value violates the schema. */
  target: LocationTarget;
  /** Whether the pointer leads to a member that OpenAPI does not define. */
  isUnexpected: boolean;
  /** Whether the value at the pointer is ignored as if the document did not have it. */
  isIgnored: boolean;
  /** The value at the pointer, coerced to the type that it certainly stands for; undefined if that is unclear. */
  coercedValue: unknown;
  /** JSON pointer of a value that is missing because of the violation; undefined if none is. */
  missing: string | undefined;
}

/** Validates a document against the official schema of its version and returns one violation for each cause. */
export function findViolations(document: unknown, version: OpenApiVersion): Violation[] {
  const validate: Validator = validateOpenApi[version];
  if (validate(document)) return [];
  const causes = findCauses(validate.errors ?? []).map((error) => locateError(error, document));
  const errors = dropErrorsOfMisspellings(keepOneErrorPerValue(causes)).flatMap(({ error, droppedError }) => {
    const severity = (droppedError && rateError(droppedError)) ?? rateError(error);
    return severity === undefined ? [] : [{ error, severity }];
  });
  // The missing properties of an object are one violation.
  const groups = groupBy(errors, ({ error, severity }) =>
    isMissingProperty(error) ? `${severity} ${error.instancePath}` : error,
  );
  return [...groups.values()].slice(0, MAX_DIAGNOSTICS).flatMap(([first, ...others]) => {
    if (!first) return [];
    const { error, severity } = first;
    const { instancePath, keyword, params, unexpectedName } = error;
    const { propertyName } = params;
    const name = typeof propertyName === "string" ? propertyName : unexpectedName;
    const pointer = name === undefined ? instancePath : `${instancePath}/${escapePointer(name)}`;
    const suggestion = suggestProperty(error);
    const misspelt = suggestion && `${instancePath}/${escapePointer(suggestion)}`;
    return {
      severity,
      message: describeStructureError(
        error,
        version,
        others.map((each) => each.error),
      ),
      pointer,
      target: name !== undefined || keyword === "required" ? "key" : "value",
      isUnexpected: unexpectedName !== undefined,
      isIgnored: isIgnored(error),
      coercedValue: coerceValue(error),
      missing: keyword === "type" ? pointer : misspelt,
    };
  });
}

/** Keeps all errors about members, and one other error per value: preferably one that lists the allowed values. */
function keepOneErrorPerValue(errors: readonly StructureError[]): StructureError[] {
  const valueErrors = new Map<string, StructureError>();
  const memberErrors = new Map<string, StructureError>();
  for (const error of errors) {
    const { instancePath, keyword, params, unexpectedName } = error;
    const member = keyword === "required" ? params["missingProperty"] : unexpectedName;
    if (member !== undefined) memberErrors.set(JSON.stringify([instancePath, keyword, member]), error);
    else if ("allowedValues" in params || !valueErrors.has(instancePath))
      valueErrors.set(instancePath, error);
  }
  const pathsWithMemberError = new Set([...memberErrors.values()].map(({ instancePath }) => instancePath));
  // An error about a member is the likely reason why an object matches none of several alternatives. The styles of a parameter
  // depend on its location.
  const isConsequence = (error: StructureError): boolean =>
    (/^(oneOf|not)$/.test(error.keyword) &&
      listAlternatives(error).length === 0 &&
      pathsWithMemberError.has(error.instancePath)) ||
    memberErrors.has(JSON.stringify([error.instancePath.replace(/\/style$/, ""), "required", "in"]));
  return [...[...valueErrors.values()].filter((error) => !isConsequence(error)), ...memberErrors.values()];
}

/** Drops each error about a missing property whose misspelling is reported. The misspelling gets its severity. */
function dropErrorsOfMisspellings(
  errors: readonly StructureError[],
): { error: StructureError; droppedError?: StructureError }[] {
  const missing = new Map<string, StructureError>();
  for (const error of errors) {
    if (error.keyword === "required")
      missing.set(makeMemberKey(error, error.params["missingProperty"]), error);
    for (const name of listAlternatives(error)) missing.set(makeMemberKey(error, name), error);
  }
  const dropped = new Set<StructureError>();
  const reported = errors.map((error) => {
    const suggestion = suggestProperty(error);
    const droppedError = suggestion === undefined ? undefined : missing.get(makeMemberKey(error, suggestion));
    if (droppedError) dropped.add(droppedError);
    return droppedError ? { error, droppedError } : { error };
  });
  return reported.filter(({ error }) => !dropped.has(error));
}

function makeMemberKey({ instancePath }: StructureError, name: unknown): string {
  return JSON.stringify([instancePath, name]);
}
