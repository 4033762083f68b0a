import { parsePointer } from "../pointer.js";

/** An error of a compiled validator of the official schemas. */
export interface ValidationError {
  /** JSON pointer into the document. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  /** Errors of each alternative, for a value that fits none of them. */
  branches?: ValidationError[][];
}

/**
 * Reduces errors to their causes: of alternatives that a value fits none of, only the errors of the one that it was
 * most likely meant to be.
 */
export function causesOf(errors: readonly ValidationError[]): ValidationError[] {
  return errors.flatMap((error) => {
    // A Reference Object is meant only where there is a `$ref`.
    const branches = (error.branches ?? []).filter(
      (branch) => !lacksOnly(branch, error.instancePath, "$ref"),
    );
    const [only, ...others] = branches;
    if (only && others.length === 0) return causesOf(only);
    if (branches.every((branch) => lacksOnly(branch, error.instancePath))) return [error];
    const [best = [error]] = branches
      .map(causesOf)
      .sort((one, other) => mismatchOf(one, error) - mismatchOf(other, error));
    return best;
  });
}

/** Names of the properties of which the branches of a union each require one. */
export function alternativesOf({ branches = [] }: ValidationError): string[] {
  return branches.flatMap((branch) =>
    branch.flatMap(({ params }) => {
      const { missingProperty } = params;
      return typeof missingProperty === "string" && missingProperty !== "$ref" ? [missingProperty] : [];
    }),
  );
}

/** Whether the only error of a branch is a missing property of the value itself. */
function lacksOnly(branch: readonly ValidationError[], path: string, name?: string): boolean {
  const [only, ...others] = branch;
  if (others.length > 0 || only?.keyword !== "required" || only.instancePath !== path) return false;
  return name === undefined || only.params["missingProperty"] === name;
}

/** Measures how unlike a branch the value is; errors of the value itself weigh more than errors inside it. */
function mismatchOf(branch: readonly ValidationError[], { instancePath }: ValidationError): number {
  return branch.reduce((sum, error) => sum + weightOf(error, instancePath), 0);
}

function weightOf({ instancePath, keyword, params }: ValidationError, path: string): number {
  if (instancePath === path && params["missingProperty"] === "$ref") return 1_000;
  if (instancePath === path && keyword === "type") return 500;
  return instancePath === path ? 10 : 2 - parsePointer(instancePath).length / 1_000;
}

/** Name of the property that no schema describes, for an error about one. */
export function unexpectedName({ params }: ValidationError): string | undefined {
  const name = params["additionalProperty"] ?? params["unevaluatedProperty"];
  return typeof name === "string" ? name : undefined;
}
