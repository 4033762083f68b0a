import { getOwnValue, type JsonObject, parsePointer } from "../../json.js";
import { getKindAt } from "../../json-schema/keywords.js";
import type { Change } from "./change.js";
import { type Directions, createDirectionLookup } from "./directions.js";

/** Detects a kind of breaking change that `redocly diff` does not report as breaking. */
interface BreakingChangeRule {
  rule: string;
  /** Returns the reason; undefined for any other change. */
  reason(change: Change, directions: Directions): string | undefined;
}

const RULES: readonly BreakingChangeRule[] = [
  {
    rule: "request-body-became-required",
    reason: ({ kind, path, newSide }) =>
      kind === "added" && path.endsWith("/requestBody") && getOwnValue(newSide?.value, "required") === true
        ? "A required request body was added."
        : undefined,
  },
  {
    rule: "response-header-became-optional",
    reason: ({ path, property, oldSide }) =>
      /\/responses\/[^/]*\/headers\/[^/]*$/.test(path) && property === "required" && oldSide?.value === true
        ? `The response header "${parsePointer(path).at(-1)}" became optional.`
        : undefined,
  },
  {
    rule: "path-parameter-renamed",
    reason: ({ kind, path, property, oldSide, newSide }) =>
      kind === "modified" && /\/parameters\/\d+$/.test(path) && property === "name"
        ? `The path parameter "${String(oldSide?.value)}" was renamed to "${String(newSide?.value)}". Generated code uses the name.`
        : undefined,
  },
  {
    rule: "discriminator-changed",
    reason: ({ path, oldSide }) =>
      oldSide !== undefined && listKeywords(path).includes("discriminator")
        ? "The discriminator of a union changed."
        : undefined,
  },
  {
    rule: "read-only-added",
    reason: ({ property, newSide }, { request }) =>
      request && property === "readOnly" && newSide?.value === true
        ? "The property became read-only, so requests can no longer contain it."
        : undefined,
  },
  {
    rule: "write-only-added",
    reason: ({ property, newSide }, { response }) =>
      response && property === "writeOnly" && newSide?.value === true
        ? "The property became write-only, so responses no longer contain it."
        : undefined,
  },
  {
    rule: "schema-constraint-changed",
    reason: ({ kind, path }, { request, response }) => {
      const keyword = listKeywords(path)
        .slice(-2)
        .find((each) => each === "patternProperties" || each === "prefixItems");
      if (keyword === undefined) return undefined;
      if (kind === "added" && request)
        return `A constraint was added to ${keyword}, so requests that were valid can be refused.`;
      return kind === "removed" && response
        ? `A constraint was removed from ${keyword}, so responses can contain other values.`
        : undefined;
    },
  },
  {
    rule: "schema-type-changed",
    reason: ({ oldSide, newSide }, { request, response }) => {
      if (!oldSide || !newSide || getKindAt(parsePointer(newSide.pointer)) !== "schema") return undefined;
      if (oldSide.value !== false && newSide.value === false && request)
        return "The schema became false, so requests can no longer contain a value here.";
      return oldSide.value === false && newSide.value !== false && response
        ? "The schema is no longer false, so responses can contain a value here."
        : undefined;
    },
  },
];

/** Returns the keys of a path, with undefined for those that are not keywords of a schema, such as names of properties. */
function listKeywords(path: string): (string | undefined)[] {
  return parsePointer(path).map((key, index, keys) =>
    getKindAt(keys.slice(0, index)) === "schema" ? key : undefined,
  );
}

/** Raises the bump of changes to `major` if a rule detects a breaking change that `redocly diff` (2.77) does not report. */
export function applyBreakingChangeRules(
  changes: Change[],
  oldDocument: JsonObject,
  newDocument: JsonObject,
): Change[] {
  const findOldDirections = createDirectionLookup(oldDocument);
  const findNewDirections = createDirectionLookup(newDocument);
  return changes.map((change) => {
    if (change.bump === "major") return change;
    const sideDirections = [
      ...(change.oldSide ? [findOldDirections(change.oldSide.pointer)] : []),
      ...(change.newSide ? [findNewDirections(change.newSide.pointer)] : []),
    ];
    const directions = {
      request: sideDirections.some(({ request }) => request),
      response: sideDirections.some(({ response }) => response),
    };
    const reasons = RULES.flatMap(({ rule, reason }) => {
      const message = reason(change, directions);
      return message === undefined ? [] : [{ rule, message }];
    });
    if (reasons.length === 0) return change;
    return { ...change, bump: "major", reasons: [...change.reasons, ...reasons] };
  });
}
