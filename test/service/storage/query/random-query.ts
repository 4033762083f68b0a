import type { Schemas } from "../../../../src/domain/api-schemas.js";
import { getRollupResultType } from "../../../../src/domain/properties/compute-rollup.js";
import type { PropertyDefinition } from "../../../../src/domain/schema.js";
import type { Random } from "../../../support/random.js";
import { HARD_NUMBERS, randomDate, randomNumber, TEXTS, type World } from "./world.js";

type Json = Record<string, unknown>;

const EMPTY_OPERATORS = ["is_empty", "is_not_empty"];
const NUMBER_OPERATORS = [
  "equals",
  "does_not_equal",
  "greater_than",
  "less_than",
  "greater_than_or_equal_to",
  "less_than_or_equal_to",
];
const DATE_OPERATORS = ["equals", "before", "after", "on_or_before", "on_or_after"];
const RELATIVE_OPERATORS = [
  "this_week",
  "past_week",
  "past_month",
  "past_year",
  "next_week",
  "next_month",
  "next_year",
];
const TEXT_OPERATORS = [
  "equals",
  "does_not_equal",
  "contains",
  "does_not_contain",
  "starts_with",
  "ends_with",
];

/** Generates a condition with one operator for a property other than a rollup. */
export function randomCondition(
  random: Random,
  property: { readonly type: PropertyDefinition["type"] },
  world: World,
): Json {
  const or = (operators: readonly string[], operand: () => unknown): Json => {
    const operator = random.pick([...operators, ...EMPTY_OPERATORS]);
    return { [operator]: EMPTY_OPERATORS.includes(operator) ? true : operand() };
  };
  switch (property.type) {
    case "number":
    case "unique_id":
      return or(NUMBER_OPERATORS, () =>
        random.pick([randomNumber(random), random.pick(HARD_NUMBERS), random.integer(0, 40)]),
      );
    case "checkbox":
      return { [random.pick(["equals", "does_not_equal"])]: random.chance(0.5) };
    case "select":
    case "status":
      return or(["equals", "does_not_equal"], () =>
        random.pick(["Later", "Now", "Soon", "It's; --", "none"]),
      );
    case "multi_select":
      return or(["contains", "does_not_contain"], () => random.pick(["Later", "Now", "o1", "none"]));
    case "date":
    case "created_time":
    case "last_edited_time":
      if (random.chance(0.4)) return { [random.pick(RELATIVE_OPERATORS)]: {} };
      return or(DATE_OPERATORS, () =>
        random.chance(0.3)
          ? new Date(random.pick(world.main.pages).createdTime).toISOString()
          : randomDate(random),
      );
    case "people":
    case "created_by":
    case "last_edited_by":
      return or(["contains", "does_not_contain"], () => random.pick([...world.users.keys()]));
    case "relation":
      return or(["contains", "does_not_contain"], () => random.pick(world.other.pages).id);
    case "files":
      return or([], () => true);
    default:
      return or(TEXT_OPERATORS, () => randomText(random));
  }
}

/** Generates one of the texts, possibly in another case, or a part of it. */
function randomText(random: Random): string {
  const text = random.pick([...TEXTS, ""]);
  const points = Array.from(random.chance(0.3) ? text.toUpperCase() : text);
  if (random.chance(0.5)) return points.join("");
  const start = random.pick([0, 0, random.integer(0, points.length)]);
  return points.slice(start, random.pick([points.length, start + random.integer(0, 4)])).join("");
}

const TEXT_TYPES = ["title", "rich_text", "url", "email", "phone_number"];

function randomLeaf(random: Random, world: World): Json {
  if (random.chance(0.1)) {
    const timestamp = random.pick(["created_time", "last_edited_time"] as const);
    return { timestamp, [timestamp]: randomCondition(random, { type: timestamp }, world) };
  }
  const property = random.pick(world.main.schema.definitions);
  return randomPropertyCondition(random, property, world);
}

/** Generates a condition on one property. */
export function randomPropertyCondition(random: Random, property: PropertyDefinition, world: World): Json {
  const name = random.pick([property.name, property.id, encodeURIComponent(property.id)]);
  if (property.type !== "rollup") {
    const key = TEXT_TYPES.includes(property.type) && random.chance(0.5) ? "rich_text" : property.type;
    return { property: name, [key]: randomCondition(random, property, world) };
  }
  const kind = getRollupResultType(property.function);
  if (kind !== "array" && random.chance(0.6)) {
    return { property: name, rollup: { [kind]: randomCondition(random, { type: kind }, world) } };
  }
  const target = world.other.schema.byId.get(property.propertyId);
  if (target === undefined) throw new Error("The rollup has no target property.");
  const keys: Record<string, string> = {
    created_time: "date",
    created_by: "people",
    unique_id: "number",
    last_edited_time: "date",
  };
  const key = TEXT_TYPES.includes(target.type) ? "rich_text" : (keys[target.type] ?? target.type);
  return {
    property: name,
    rollup: { [random.pick(["any", "every", "none"])]: { [key]: randomCondition(random, target, world) } },
  };
}

/** Generates a filter with groups, or no filter. */
export function randomFilter(random: Random, world: World, depth = 0): Schemas["Filter"] | undefined {
  if (depth === 0 && random.chance(0.1)) return undefined;
  if (depth === 2 || random.chance(0.5)) return randomLeaf(random, world);
  const members = Array.from({ length: random.integer(0, 3) }, () => randomFilter(random, world, depth + 1));
  return { [random.pick(["and", "or"])]: members };
}

/** Generates no sort, one or several sorts. */
export function randomSorts(random: Random, world: World): Schemas["Sort"][] {
  return Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => {
    const direction = random.pick(["ascending", "descending"] as const);
    if (random.chance(0.2))
      return { timestamp: random.pick(["created_time", "last_edited_time"] as const), direction };
    return { property: random.pick(world.main.schema.definitions).name, direction };
  });
}
