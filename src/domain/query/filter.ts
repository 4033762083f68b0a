import { DomainError } from "../errors.js";
import { isObject } from "../properties/refusal.js";
import { findProperty, type DefinitionOf, type PropertyDefinition, type Schema } from "../schema.js";
import { EVERY, NONE, not, type Condition } from "./condition.js";
import {
  checkFlag,
  readDate,
  readNumber,
  readOperation,
  readTimestamp,
  refuseOperator,
  type Operation,
} from "./operators.js";
import { shapeError } from "./refuse.js";
import { findSource, rollupKind, type RelatedSchemas } from "./rollup.js";

/** What the meaning of a filter depends on. */
export interface FilterContext {
  readonly schema: Schema;
  /** Of the databases that rollups lead to, see rollupDatabases. */
  readonly related: RelatedSchemas;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A filter may hold groups, and those groups further ones; no more. */
const MAX_DEPTH = 2;

/** SQL takes only so many parameters; a filter of 100 groups of 100 conditions would have more. */
const MAX_CONDITIONS = 500;

/** The keys under which a filter's condition can stand. */
export const CONDITION_KEYS = [
  "title",
  "rich_text",
  "url",
  "email",
  "phone_number",
  "number",
  "unique_id",
  "checkbox",
  "select",
  "status",
  "multi_select",
  "date",
  "created_time",
  "last_edited_time",
  "people",
  "created_by",
  "last_edited_by",
  "relation",
  "files",
  "formula",
  "rollup",
] as const;
type ConditionKey = (typeof CONDITION_KEYS)[number];

/**
 * Reads the filter of a query.
 *
 * @param input as the request has it, its shape checked against the document
 * @throws DomainError (validation) when it names a property that the database does not have, or asks it something that
 *   its type does not know, or is not built as filters are
 */
export function readFilter(input: unknown, context: FilterContext): Condition {
  const condition = readMember(input, "body.filter", 0, context);
  if (countLeaves(condition) > MAX_CONDITIONS) {
    throw new DomainError(
      "validation",
      `body failed validation: body.filter should have at most ${MAX_CONDITIONS} conditions. Ask for less at once.`,
    );
  }
  return condition;
}

function countLeaves(condition: Condition): number {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.members.reduce((sum, member) => sum + countLeaves(member), 0);
    case "not":
    case "related":
      return countLeaves(condition.member);
    default:
      return 1;
  }
}

function readMember(input: unknown, place: string, depth: number, context: FilterContext): Condition {
  if (!isObject(input)) throw shapeError(place, "an object", input);
  const { and, or, property, timestamp } = input;
  if (and !== undefined || or !== undefined) {
    const kind = and === undefined ? "or" : "and";
    for (const [key, value] of Object.entries(input)) {
      if (key !== kind && value !== undefined) throw shapeError(`${place}.${key}`, "not present", value);
    }
    return readGroup(kind, input[kind], `${place}.${kind}`, depth, context);
  }
  if (timestamp !== undefined) {
    if (property !== undefined) throw shapeError(`${place}.property`, "not present", property);
    return readTimestampLeaf(input, timestamp, place, context);
  }
  if (property === undefined) throw shapeError(`${place}.property`, "defined", property);
  return readPropertyLeaf(input, property, place, context);
}

function readGroup(
  kind: "and" | "or",
  input: unknown,
  place: string,
  depth: number,
  context: FilterContext,
): Condition {
  if (depth >= MAX_DEPTH) throw shapeError(place, "not present", input);
  if (!Array.isArray(input)) throw shapeError(place, "an array", input);
  // Programs that build filters send groups with nothing in them, and mean that nothing is asked.
  if (input.length === 0) return EVERY;
  const members = input.map((member: unknown, index) =>
    readMember(member, `${place}[${index}]`, depth + 1, context),
  );
  return { kind, members };
}

function readTimestampLeaf(
  input: Readonly<Record<string, unknown>>,
  timestamp: unknown,
  place: string,
  { now }: FilterContext,
): Condition {
  if (timestamp !== "created_time" && timestamp !== "last_edited_time") {
    throw shapeError(`${place}.timestamp`, '`"created_time"` or `"last_edited_time"`', timestamp);
  }
  const key = findKey(input, place, timestamp);
  if (key !== timestamp) throw shapeError(`${place}.${key}`, "not present", input[key]);
  return readTimestamp(timestamp, readOnly(input[key], `${place}.${key}`), now);
}

function readPropertyLeaf(
  input: Readonly<Record<string, unknown>>,
  name: unknown,
  place: string,
  context: FilterContext,
): Condition {
  if (typeof name !== "string") throw shapeError(`${place}.property`, "a string", name);
  const property = findProperty(context.schema, name);
  if (property === undefined) {
    throw new DomainError("validation", `Could not find property with name or id: ${name}`);
  }
  const key = findKey(input, place, property.type);
  checkKey(property, key);
  const operation = readOnly(input[key], `${place}.${key}`);
  if (property.type === "rollup") return readRollup(property, operation, context);
  return readOperation(property, operation, context.now);
}

/** The one key under which a filter has its condition. */
function findKey(input: Readonly<Record<string, unknown>>, place: string, expected: string): ConditionKey {
  const [key, second] = CONDITION_KEYS.filter((known) => input[known] !== undefined);
  if (key === undefined) throw shapeError(`${place}.${expected}`, "defined", undefined);
  if (second !== undefined) throw shapeError(`${place}.${second}`, "not present", input[second]);
  return key;
}

/** The one operator of a condition. */
function readOnly(condition: unknown, place: string): Operation {
  if (!isObject(condition)) throw shapeError(place, "an object", condition);
  const [first, second] = Object.entries(condition).filter(([, value]) => value !== undefined);
  if (first === undefined) {
    throw new DomainError(
      "validation",
      `body failed validation: ${place} should have an operator, and has none.`,
    );
  }
  if (second !== undefined) throw shapeError(`${place}.${second[0]}`, "not present", second[1]);
  const [operator, value] = first;
  return { operator, value, place: `${place}.${operator}` };
}

const TEXT_TYPES: ReadonlySet<string> = new Set(["title", "rich_text", "url", "email", "phone_number"]);

/** Types that conditions within a rollup stand for, besides the type that they are called by. */
const MEANT_IN_ROLLUPS: Readonly<Partial<Record<ConditionKey, readonly string[]>>> = {
  number: ["unique_id"],
  date: ["created_time", "last_edited_time"],
  people: ["created_by", "last_edited_by"],
};

function checkKey(property: PropertyDefinition, key: ConditionKey, inRollup = false): void {
  const { type } = property;
  if (key === type) return;
  // Clients ask every kind of text with the conditions of rich_text.
  if (key === "rich_text" && TEXT_TYPES.has(type)) return;
  if (inRollup && MEANT_IN_ROLLUPS[key]?.includes(type)) return;
  throw mismatch(type, key);
}

function mismatch(type: string, key: string): DomainError {
  return new DomainError(
    "validation",
    "The property type in the database does not match the property type of the filter provided: " +
      `database property ${type} does not match filter ${key}`,
  );
}

function readRollup(
  property: DefinitionOf<"rollup">,
  operation: Operation,
  context: FilterContext,
): Condition {
  const { operator, value, place } = operation;
  const source = findSource(property, context.schema, context.related);
  const kind = rollupKind(property.function);
  switch (operator) {
    case "any":
    case "every":
    case "none": {
      // A rollup that has lost its relation or property leads to no page.
      if (source === undefined) return operator === "any" ? NONE : EVERY;
      const member = readInner(source.target, value, place, context);
      const related = (inner: Condition): Condition => ({
        kind: "related",
        relationId: property.relationId,
        member: inner,
      });
      if (operator === "any") return related(member);
      return not(related(operator === "every" ? not(member) : member));
    }
    case "number":
    case "date": {
      if (kind !== operator) throw mismatch(`rollup of type ${kind}`, operator);
      const inner = readOnly(value, place);
      const inRange = (range: (Condition & { kind: "rollup" })["range"]): Condition =>
        source === undefined ? NONE : { kind: "rollup", source, range };
      if (inner.operator === "is_empty" || inner.operator === "is_not_empty") {
        checkFlag(inner);
        return inner.operator === "is_empty" ? not(inRange({})) : inRange({});
      }
      if (kind === "number") return readNumber(inner, inRange);
      return inRange(readDate(inner, context.now));
    }
    default:
      return refuseOperator(operation);
  }
}

/** Reads what a rollup asks of the property of the related pages. */
function readInner(
  target: PropertyDefinition,
  input: unknown,
  place: string,
  context: FilterContext,
): Condition {
  if (!isObject(input)) throw shapeError(place, "an object", input);
  const key = findKey(input, place, target.type);
  checkKey(target, key, true);
  return readOperation(target, readOnly(input[key], `${place}.${key}`), context.now);
}
