import type { JsonObject } from "../model/model.js";
import { type Change, strongest } from "./change.js";
import { type Directions, directionsIn } from "./usage.js";

/** A breaking change that `redocly diff` does not rate as one. */
interface Rule {
  rule: string;
  /** Returns the reason; undefined for any other change. */
  reason(change: Change, where: Directions): string | undefined;
}

const RULES: readonly Rule[] = [
  {
    rule: "request-body-became-required",
    reason: ({ kind, path, revision }) =>
      kind === "added" && path.endsWith("/requestBody") && hasMember(revision?.value, "required", true)
        ? "A request body became required."
        : undefined,
  },
  {
    rule: "response-header-became-optional",
    reason: ({ path, property, base }) =>
      /\/responses\/[^/]*\/headers\/[^/]*$/.test(path) && property === "required" && base?.value === true
        ? `The response header "${lastKey(path)}" is not promised any more.`
        : undefined,
  },
  {
    rule: "path-parameter-renamed",
    reason: ({ kind, path, property, base, revision }) =>
      kind === "modified" && /\/parameters\/\d+$/.test(path) && property === "name"
        ? `The path parameter "${String(base?.value)}" is called "${String(revision?.value)}" now: generated code calls it by its name.`
        : undefined,
  },
  {
    rule: "discriminator-changed",
    reason: ({ path, base }) =>
      /\/discriminator(?:\/|$)/.test(path) && base !== undefined
        ? "The values that tell the members of a union apart changed."
        : undefined,
  },
  {
    rule: "read-only-added",
    reason: ({ property, revision }, { request }) =>
      request && property === "readOnly" && revision?.value === true
        ? "The property cannot be sent any more."
        : undefined,
  },
  {
    rule: "write-only-added",
    reason: ({ property, revision }, { response }) =>
      response && property === "writeOnly" && revision?.value === true
        ? "The property is not sent any more."
        : undefined,
  },
  {
    rule: "schema-constraint-changed",
    reason: ({ kind, path }, { request, response }) => {
      const keyword = /\/(patternProperties|prefixItems)(?:\/[^/]*)?$/.exec(path)?.[1];
      if (keyword === undefined) return undefined;
      if (kind === "added" && request) return `What ${keyword} asks for was allowed to be anything.`;
      return kind === "removed" && response ? `What ${keyword} promised may be anything now.` : undefined;
    },
  },
  {
    rule: "schema-type-changed",
    reason: ({ base, revision }, { request, response }) => {
      if (base?.value === true && revision?.value === false && request && isSchema(revision.pointer))
        return "Nothing is allowed here any more.";
      return base?.value === false && revision?.value === true && response && isSchema(revision.pointer)
        ? "There may be something here now."
        : undefined;
    },
  },
];

/**
 * Completes the ratings of `redocly diff` (2.77), which does not know some changes that break programs.
 */
export function completeRatings(changes: Change[], base: JsonObject, revision: JsonObject): Change[] {
  const before = directionsIn(base);
  const after = directionsIn(revision);
  return changes.map((change) => {
    if (change.impact === "major") return change;
    const sides = [
      ...(change.base ? [before(change.base.pointer)] : []),
      ...(change.revision ? [after(change.revision.pointer)] : []),
    ];
    const where = {
      request: sides.some(({ request }) => request),
      response: sides.some(({ response }) => response),
    };
    const reasons = RULES.flatMap(({ rule, reason }) => {
      const message = reason(change, where);
      return message === undefined ? [] : [{ rule, message }];
    });
    if (reasons.length === 0) return change;
    return { ...change, impact: strongest(["major"]), reasons: [...change.reasons, ...reasons] };
  });
}

function hasMember(value: unknown, key: string, wanted: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, key) &&
    Reflect.get(value, key) === wanted
  );
}

function lastKey(pointer: string): string {
  return (pointer.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Whether a pointer is that of a schema, where a boolean is not the value of a keyword. */
function isSchema(pointer: string): boolean {
  return /\/(?:properties\/[^/]*|schema|items|components\/schemas\/[^/]*)$/.test(pointer);
}
