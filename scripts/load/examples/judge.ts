import { isObject, ownValue } from "../pointer.js";
import { fitsFormat, type Fits } from "./formats.js";
import type { FindSchema, PlainSchema } from "./plain.js";

/** Whose example a value is: in a request what is `readOnly` must not be there, in a response what is `writeOnly`. */
export type Context = "request" | "response" | "schema";

interface Verdict {
  fits: Fits;
  /** Members of an object that some schema has looked at. */
  seen: ReadonlySet<string> | "all";
}

/** Steps for all values of a document: schemas within unions of unions can take more than any number of them. */
const MAX_STEPS = 500_000;
/** Schemas that one is within, for those that lead back to themselves. */
const MAX_DEPTH = 100;

const NONE: ReadonlySet<string> = new Set();

/**
 * Judges values by plain schemas, as lint does: an object may have no members that no schema speaks of. Where the
 * answer depends on more than this knows, it gives none; an answer that it gives is right.
 */
export class Judge {
  #steps = 0;
  readonly #find: FindSchema;

  constructor(find: FindSchema) {
    this.#find = find;
  }

  /** @param schema must be one of `PlainSchemas` */
  fits(schema: PlainSchema, value: unknown, context: Context): Fits {
    return this.#judge(schema, value, { context, depth: 0, partOfAll: "no" }).fits;
  }

  #judge(schema: PlainSchema, value: unknown, at: At): Verdict {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS || at.depth > MAX_DEPTH) return { fits: undefined, seen: NONE };
    const inner: At = { ...at, depth: at.depth + 1, partOfAll: "no" };
    const { $ref, allOf = [], anyOf, oneOf, discriminator } = schema;
    const results: Fits[] = [fitsHere(schema, value, at.context)];
    const seen: Verdict["seen"][] = [];
    const add = (verdict: Verdict): void => {
      results.push(verdict.fits);
      seen.push(verdict.seen);
    };

    if (typeof $ref === "string") {
      const partOfAll = at.partOfAll === "itself" && Object.keys(schema).length === 1 ? "by name" : "no";
      add(this.#judge(this.#schemaOf($ref), value, { ...inner, partOfAll }));
    }
    for (const part of listOf(allOf)) add(this.#judge(part, value, { ...inner, partOfAll: "itself" }));
    if (discriminator === undefined) {
      if (anyOf !== undefined) add(anyOfThem(listOf(anyOf).map((part) => this.#judge(part, value, inner))));
      if (oneOf !== undefined) add(oneOfThem(listOf(oneOf).map((part) => this.#judge(part, value, inner))));
    }
    if (Array.isArray(value)) results.push(...this.#items(schema, value, inner));
    if (!isObject(value)) return { fits: all(results), seen: NONE };

    add(this.#members(schema, value, inner));
    const unseen = unseenOf(value, seen);
    if (unseen && schema["unevaluatedProperties"] === false) {
      const single = [$ref, schema["allOf"], anyOf, oneOf].every((part) => part === undefined);
      results.push(single ? false : undefined);
    } else if (unseen && schema["properties"] !== undefined && at.partOfAll === "no") {
      results.push(undefined);
    }
    // Lint looks for members that no schema speaks of before it comes to the variants.
    if (discriminator !== undefined) add(this.#variant(schema, value, inner));
    return {
      fits: all(results),
      seen: schema["unevaluatedProperties"] === false ? "all" : union(seen),
    };
  }

  #schemaOf(ref: string): PlainSchema {
    // The cast: a plain schema's references lead to plain schemas.
    return this.#find(ref) as PlainSchema;
  }

  #items({ items }: PlainSchema, value: unknown[], at: At): Fits[] {
    if (!isObject(items)) return [];
    return value.map((item) => this.#judge(items, item, at).fits);
  }

  #members({ properties = {}, additionalProperties }: PlainSchema, value: object, at: At): Verdict {
    const names = new Set(Object.keys(Object(properties)));
    const results = Object.entries(value).map(([name, member]): Fits => {
      const known = ownValue(properties, name);
      if (isObject(known)) return this.#judge(known, member, at).fits;
      if (additionalProperties === false) return false;
      return isObject(additionalProperties) ? this.#judge(additionalProperties, member, at).fits : true;
    });
    return { fits: all(results), seen: additionalProperties === undefined ? names : "all" };
  }

  #variant({ discriminator, oneOf, anyOf }: PlainSchema, value: object, at: At): Verdict {
    const tag = ownValue(value, String(ownValue(discriminator, "propertyName")));
    const ref = typeof tag === "string" ? ownValue(ownValue(discriminator, "mapping"), tag) : undefined;
    const isVariant = listOf(oneOf ?? anyOf).some((variant) => variant["$ref"] === ref);
    if (typeof ref !== "string" || !isVariant) return { fits: false, seen: NONE };
    return this.#judge(this.#schemaOf(ref), value, at);
  }
}

/** Where a schema is applied. */
interface At {
  context: Context;
  depth: number;
  /** Whether it is one of an `allOf`, or what one names: members that it does not speak of may be another's. */
  partOfAll: "no" | "itself" | "by name";
}

/** What a schema says of a value without the schemas in it. */
function fitsHere(schema: PlainSchema, value: unknown, context: Context): Fits {
  if (schema["readOnly"] === true && context === "request") return false;
  if (schema["writeOnly"] === true && context === "response") return false;
  const { type, enum: allowed, nullable } = schema;
  if (type !== undefined) {
    const types = Array.isArray(type) ? type : [type];
    const isNull = value === null && nullable === true;
    if (!isNull && !types.some((one) => isOfType(value, one))) return false;
  }
  const results: Fits[] = [];
  if (Object.hasOwn(schema, "const")) results.push(equals(value, schema["const"]));
  if (Array.isArray(allowed)) {
    const found = allowed.map((one) => equals(value, one));
    results.push(found.includes(true) ? true : found.includes(undefined) ? undefined : false);
  }
  if (typeof value === "string") results.push(textFits(schema, value));
  if (typeof value === "number") results.push(numberFits(schema, value));
  if (Array.isArray(value)) results.push(within(schema, "Items", value.length));
  if (isObject(value)) {
    results.push(within(schema, "Properties", Object.keys(value).length));
    results.push(hasRequired(schema, value, context));
  }
  return all(results);
}

function hasRequired({ required, properties }: PlainSchema, value: object, context: Context): boolean {
  return listOfNames(required).every((name) => {
    if (Object.hasOwn(value, name)) return true;
    const member = ownValue(properties, name);
    return (
      (context === "request" && ownValue(member, "readOnly") === true) ||
      (context === "response" && ownValue(member, "writeOnly") === true)
    );
  });
}

function textFits(schema: PlainSchema, value: string): Fits {
  const { pattern, format } = schema;
  const results: Fits[] = [within(schema, "Length", [...value].length)];
  if (typeof pattern === "string") results.push(new RegExp(pattern, "u").test(value));
  if (typeof format === "string") results.push(fitsFormat(format, value));
  return all(results);
}

function numberFits(schema: PlainSchema, value: number): Fits {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, format } = schema;
  const inRange =
    value >= Number(minimum ?? -Infinity) &&
    value <= Number(maximum ?? Infinity) &&
    value > Number(exclusiveMinimum ?? -Infinity) &&
    value < Number(exclusiveMaximum ?? Infinity);
  return all([inRange, typeof format === "string" ? fitsFormat(format, value) : true]);
}

function within(schema: PlainSchema, what: "Length" | "Items" | "Properties", size: number): boolean {
  const { [`min${what}`]: least = 0, [`max${what}`]: most = Infinity } = schema;
  return size >= Number(least) && size <= Number(most);
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Equality of scalars; that of lists and objects is left to others. */
function equals(one: unknown, other: unknown): Fits {
  const nested = [one, other].filter((value) => typeof value === "object" && value !== null).length;
  if (nested === 2) return undefined;
  return nested === 0 && one === other;
}

/** All of them: one that does not fit settles it. */
function all(results: readonly Fits[]): Fits {
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}

function anyOfThem(verdicts: readonly Verdict[]): Verdict {
  const fitting = verdicts.filter(({ fits }) => fits === true);
  if (fitting.length > 0) return { fits: true, seen: union(fitting.map(({ seen }) => seen)) };
  return { fits: verdicts.some(({ fits }) => fits === undefined) ? undefined : false, seen: NONE };
}

function oneOfThem(verdicts: readonly Verdict[]): Verdict {
  const [first, ...more] = verdicts.filter(({ fits }) => fits === true);
  if (more.length > 0) return { fits: false, seen: NONE };
  if (verdicts.some(({ fits }) => fits === undefined)) return { fits: undefined, seen: NONE };
  return first ?? { fits: false, seen: NONE };
}

function union(sets: readonly Verdict["seen"][]): Verdict["seen"] {
  const names = new Set<string>();
  for (const set of sets) {
    if (set === "all") return "all";
    for (const name of set) names.add(name);
  }
  return names;
}

/** Whether an object has a member that no schema has looked at. */
function unseenOf(value: object, sets: readonly Verdict["seen"][]): boolean {
  const seen = union(sets);
  return seen !== "all" && Object.keys(value).some((name) => !seen.has(name));
}

function listOf(value: unknown): PlainSchema[] {
  // The cast: in a plain schema these are lists of plain schemas.
  return value as PlainSchema[];
}

function listOfNames(value: unknown): string[] {
  // The cast: in a plain schema this is a list of texts, or not there.
  return (value ?? []) as string[];
}
