import type { Diagnostic } from "../../diagnostic.js";
import { MAX_PROBLEMS } from "../limits.js";
import { escapePointer } from "../../model/json.js";
import { valueAt } from "../pointer.js";
import type { OpenApiVersion } from "../version.js";
import { alternativesOf, causesOf, unexpectedName, type ValidationError } from "./errors.js";
import { messageFor, suggestionFor } from "./messages.js";
import { severityOf } from "./severity.js";

/** A violation of the official schema of an OpenAPI version. */
export interface StructureProblem {
  severity: Diagnostic["severity"];
  message: string;
  /** JSON pointer into the document. */
  pointer: string;
  /** Whether the key is at fault, not the value. */
  onKey: boolean;
}

interface OpenApiValidator {
  (document: unknown): boolean;
  errors?: ValidationError[] | null;
}

/** Compiled by `npm run compile-schemas`. Each is loaded when the first document of its version is. */
const VALIDATORS: Record<OpenApiVersion, () => Promise<{ validateOpenApi: OpenApiValidator }>> = {
  "3.0": () => import("./generated/openapi-3.0.js"),
  "3.1": () => import("./generated/openapi-3.1.js"),
  "3.2": () => import("./generated/openapi-3.2.js"),
};

/** Validates a document against the official schema of its version; one problem for each cause. */
export async function findStructureProblems(
  document: unknown,
  version: OpenApiVersion,
): Promise<StructureProblem[]> {
  const { validateOpenApi } = await VALIDATORS[version]();
  if (validateOpenApi(document)) return [];
  const problems: StructureProblem[] = [];
  for (const { error, hidden } of withoutMisspelled(
    firstOfEachValue(causesOf(validateOpenApi.errors ?? [])),
  )) {
    const value = valueAt(document, error.instancePath);
    const severity = severityOf(hidden ?? error, value);
    if (severity === undefined) continue;
    const name = unexpectedName(error);
    const pointer = name === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(name)}`;
    const onKey = name !== undefined || error.keyword === "required";
    problems.push({ severity, message: messageFor(error, value), pointer, onKey });
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems;
}

/** Keeps one error of each value, and all about members of an object. A list of allowed values says most. */
function firstOfEachValue(errors: readonly ValidationError[]): ValidationError[] {
  const ofValue = new Map<string, ValidationError>();
  const ofMembers = new Map<string, ValidationError>();
  for (const error of errors) {
    const { instancePath, keyword, params } = error;
    const member = keyword === "required" ? params["missingProperty"] : unexpectedName(error);
    if (member !== undefined) ofMembers.set(JSON.stringify([instancePath, keyword, member]), error);
    else if (keyword === "enum" || !ofValue.has(instancePath)) ofValue.set(instancePath, error);
  }
  const members = [...ofMembers.values()];
  const incomplete = new Set(members.map(({ instancePath }) => instancePath));
  const values = [...ofValue.values()].filter(
    (error) =>
      !/^(oneOf|not)$/.test(error.keyword) ||
      alternativesOf(error).length > 0 ||
      !incomplete.has(error.instancePath),
  );
  return [...values, ...members];
}

/** Drops the error for a missing property that the error for its misspelling explains. */
function withoutMisspelled(
  errors: readonly ValidationError[],
): { error: ValidationError; hidden?: ValidationError }[] {
  const missing = new Map<string, ValidationError>();
  for (const error of errors) {
    if (error.keyword === "required") missing.set(memberKey(error, error.params["missingProperty"]), error);
    for (const name of alternativesOf(error)) missing.set(memberKey(error, name), error);
  }
  const explained = new Set<ValidationError>();
  const kept = errors.map((error) => {
    const suggestion = suggestionFor(error);
    const hidden = suggestion === undefined ? undefined : missing.get(memberKey(error, suggestion));
    if (hidden) explained.add(hidden);
    return hidden ? { error, hidden } : { error };
  });
  return kept.filter(({ error }) => !explained.has(error));
}

function memberKey({ instancePath }: ValidationError, name: unknown): string {
  return JSON.stringify([instancePath, name]);
}
