import type { ValidationError } from "../../../src/http/types.js";
import { findValue, parsePointer } from "../../json.js";
import { getKindAt, type ValueKind } from "../../json-schema/keywords.js";

/** An error with the value that has it. */
export interface StructureError extends ValidationError {
  value: unknown;
  keys: readonly string[];
  /** The last key; empty for the document. */
  name: string;
  kind: ValueKind;
  ownerKind: ValueKind;
  /** The types that the schema allows, for an error of `type`. */
  types: readonly string[];
  /** The property that is not expected in the value; undefined for any other error. */
  unexpectedName: string | undefined;
}

/** Finds the value of an error in the document. */
export function locateError(error: ValidationError, document: unknown): StructureError {
  const { instancePath, keyword, params } = error;
  const keys = parsePointer(instancePath);
  const unexpectedName = params["additionalProperty"] ?? params["unevaluatedProperty"];
  return {
    ...error,
    value: findValue(document, instancePath),
    keys,
    name: keys.at(-1) ?? "",
    kind: getKindAt(keys),
    ownerKind: getKindAt(keys.slice(0, -1)),
    types: keyword === "type" ? [params["type"]].flat().map(String) : [],
    unexpectedName: typeof unexpectedName === "string" ? unexpectedName : undefined,
  };
}

/** Reduces errors to their causes: of a value that matches no branch of a union, those of the branch that was most likely intended. */
export function findCauses(errors: readonly ValidationError[]): ValidationError[] {
  return errors.flatMap((error) => {
    // A Reference Object is meant only where there is a `$ref`.
    const branches = (error.branches ?? []).filter(
      (branch) => !isOnlyMissingProperty(branch, error.instancePath, "$ref"),
    );
    const [only, ...others] = branches;
    if (only && others.length === 0) return findCauses(only);
    if (branches.every((branch) => isOnlyMissingProperty(branch, error.instancePath))) return [error];
    const [best = [error]] = branches
      .map(findCauses)
      .sort((one, other) => measureMismatch(one, error) - measureMismatch(other, error));
    return best;
  });
}

/** Lists the alternative properties, one of which must be present: each branch of the union requires one of them. */
export function listAlternatives({ branches = [] }: ValidationError): string[] {
  return branches.flatMap((branch) =>
    branch.flatMap(({ params }) => {
      const { missingProperty } = params;
      return typeof missingProperty === "string" && missingProperty !== "$ref" ? [missingProperty] : [];
    }),
  );
}

function isOnlyMissingProperty(branch: readonly ValidationError[], path: string, name?: string): boolean {
  const [only, ...others] = branch;
  if (others.length > 0 || only?.keyword !== "required" || only.instancePath !== path) return false;
  return name === undefined || only.params["missingProperty"] === name;
}

/** Measures how far a value is from matching a branch. Errors of the value itself weigh more than errors inside it. */
function measureMismatch(branch: readonly ValidationError[], { instancePath }: ValidationError): number {
  return branch.reduce((sum, error) => sum + weighError(error, instancePath), 0);
}

/** The order of magnitude decides: the weights of several errors are added up. */
function weighError({ instancePath, keyword }: ValidationError, path: string): number {
  // Inside the value, a deeper error weighs a little less, because more of the value matches.
  if (instancePath !== path) return 2 - parsePointer(instancePath).length / 1_000;
  if (keyword === "type") return 500;
  // A list is in no list of names.
  return keyword === "enum" ? 20 : 10;
}

/** Whether an error is about the `required` of a path parameter, the only `required` with a single allowed value. */
export function isPathParameterRequirement({ keyword, name }: StructureError): boolean {
  return name === "required" && (keyword === "const" || keyword === "enum");
}
