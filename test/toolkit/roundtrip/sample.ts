import { Checker, type Direction, isOfType } from "./check.js";
import { type Json, type JsonObject, type Schema, at, isObject, put, same } from "./json.js";
import { type Merged, type Union, merge } from "./merge.js";
import { compileExpression, generateTexts } from "./pattern.js";
import { Random } from "../../support/random.js";
import { FORMATS, NAMES, NUMBERS, TEXTS } from "./texts.js";

/** The reason why no value could be created. */
export class Unsampled extends Error {}

/** A search that exceeded its limit, so no further branches are tried. */
class Exhausted extends Unsampled {}

/** Maximum numbers of samples: usually, and for unions with more branches than that. */
const USUAL_SAMPLES = 8;
const MAX_SAMPLES = 40;
/** Limits of nesting and of the number of values, beyond which only required parts are created. */
const MAX_OPTIONAL_DEPTH = 5;
const MAX_OPTIONAL_SIZE = 150;
/** Depth of required values beyond which a schema counts as infinite. */
const MAX_DEPTH = 40;
const MAX_TRIES = 30;
/** Maximum number of values that are tried for a sample, including parts and branches of unions that are discarded. */
const MAX_STEPS = 20_000;
/** A value of each type; every restricted schema rejects one of them. */
const WRONG: readonly Json[] = [{ "not what": "it is" }, "not it", -0.5, [null]];

/**
 * Creates values that satisfy a schema. Each choice of a schema (a branch, a value of an enum, a text, a length, the
 * presence of an optional property) rotates, so that a few samples cover all of them.
 */
export class Sampler {
  readonly checker: Checker;
  private readonly random: Random;
  /** The next choice by schema, and the next branch by union. */
  private readonly choices = new Map<unknown, Map<string, number>>();
  private readonly turns = new Map<Schema[], number>();
  /** Branches of unions without a sample. */
  private readonly openBranches = new Map<Schema[], Set<number>>();
  /** Branches for which no value could be created. */
  readonly unreached = new Set<string>();
  /** Whether the sample has no optional parts. */
  private minimal = false;
  /** Number of values in the sample, including those that were discarded. */
  private size = 0;
  /** Number of values that were tried, also with the choice of a branch. */
  private steps = 0;
  /** Whether the last sample covered a new choice. */
  private coversNewChoice = false;

  constructor(
    private readonly document: JsonObject,
    direction: Direction,
    seed: string,
  ) {
    this.checker = new Checker(document, direction);
    this.random = new Random(seed);
  }

  /**
   * Creates several values: first a minimal one, then larger ones until every choice is covered.
   *
   * @throws Unsampled when no value can be created
   */
  samples(schema: Schema, enough = USUAL_SAMPLES): Json[] {
    const found: Json[] = [];
    const add = (value: Json): void => {
      if (!found.some((other) => same(other, value))) found.push(value);
    };
    this.openBranches.clear();
    let failure: Unsampled | undefined;
    for (let index = 0; index < MAX_SAMPLES; index += 1) {
      this.minimal = index === 0;
      this.coversNewChoice = false;
      try {
        add(this.sample(schema));
      } catch (error) {
        if (!(error instanceof Unsampled)) throw error;
        failure = error;
      }
      const branchesLeft = [...this.openBranches.values()].some((branches) => branches.size > 0);
      const more =
        index === 0 || (index < enough && this.coversNewChoice) || (branchesLeft && failure === undefined);
      if (!more || failure instanceof Exhausted) break;
    }
    if (found.length === 0) throw failure ?? new Unsampled("no value fits");
    return found;
  }

  private sample(schema: Schema): Json {
    let failure = new Unsampled("no value that was made fits all of its schema");
    this.steps = 0;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      this.size = 0;
      try {
        const value = this.value([schema], 0);
        if (this.checker.matches(schema, value)) return value;
      } catch (error) {
        if (!(error instanceof Unsampled) || error instanceof Exhausted) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  private value(schemas: Schema[], depth: number): Json {
    this.steps += 1;
    if (this.steps > MAX_STEPS) throw new Exhausted(`no value was found in ${MAX_STEPS} steps`);
    if (depth > MAX_DEPTH) throw new Unsampled("its required parts contain each other without end");
    const merged = merge(this.document, this.checker, schemas);
    return this.fromMerged(schemas, merged, depth);
  }

  private fromMerged(schemas: Schema[], merged: Merged, depth: number): Json {
    if (merged.impossible !== undefined) throw new Unsampled(merged.impossible);
    const [union] = merged.unions;
    if (union) return this.fromUnion(schemas, merged, union, depth);
    this.size += 1;
    const key = schemas[0];
    if (merged.values) return this.fromValues(key, merged);
    const types = merged.types ?? this.likelyTypes(merged);
    const choices =
      this.minimal || depth > MAX_OPTIONAL_DEPTH
        ? types.filter((type) => type !== "null").slice(0, 1)
        : types;
    const type = this.next(key, "type", choices.length === 0 ? types : choices);
    switch (type) {
      case "null":
        return null;
      case "boolean":
        return this.next(key, "boolean", [true, false]);
      case "array":
        return this.array(key, merged, depth);
      case "object":
        return this.object(merged, depth);
      case "string":
        return this.text(key, merged);
      default:
        return this.number(key, merged, type === "integer");
    }
  }

  /** Returns the next of the choices. */
  private next<T>(owner: unknown, what: string, choices: readonly T[]): T {
    const turns = this.turnsOf(owner);
    const turn = turns.get(what) ?? 0;
    if (!this.minimal) turns.set(what, turn + 1);
    if (turn < choices.length && choices.length > 1 && !this.minimal) this.coversNewChoice = true;
    const choice = choices[turn % choices.length];
    if (choice === undefined) throw new Unsampled(`there is no ${what} that it allows`);
    return choice;
  }

  private turnsOf(owner: unknown): Map<string, number> {
    const known = this.choices.get(owner) ?? new Map<string, number>();
    this.choices.set(owner, known);
    return known;
  }

  /** Creates a value of the next branch. The caller checks that it matches no other branch of oneOf. */
  private fromUnion(schemas: Schema[], merged: Merged, union: Union, depth: number): Json {
    const { branches, discriminator } = union;
    let open = this.openBranches.get(branches);
    if (!open) this.openBranches.set(branches, (open = new Set(branches.keys())));
    const others = this.removeUnion(schemas, branches);
    let failure = new Unsampled("a union of no branches");
    for (const place of this.order(branches, depth)) {
      const branch = branches[place];
      if (branch === undefined) continue;
      // The branch has been chosen already if it refers to the schema of the union in allOf.
      const isUnionInBranch = merge(this.document, this.checker, [branch]).unions.some(
        (each) => each.branches[0] === branches[0],
      );
      const chosen = isUnionInBranch ? this.removeUnion([branch], branches) : [branch];
      const named: Schema[] = [];
      if (discriminator) {
        const { property, names } = discriminator;
        const schema = { properties: Object.fromEntries([[property, { enum: names(branch) }]]) };
        if (names(branch).length > 0 && this.agrees([branch, schema], property)) named.push(schema);
      }
      try {
        for (let tries = 0; tries < 3; tries += 1) {
          const made = this.value([...chosen, ...others, ...named], depth + 0.2);
          const value = this.fits(schemas, made) ? made : this.excludeOtherBranches(made, place, branches);
          if (this.fits(schemas, value)) {
            open.delete(place);
            return value;
          }
          failure = new Unsampled("a branch of a union has no value that is of that branch alone");
        }
      } catch (error) {
        if (!(error instanceof Unsampled) || error instanceof Exhausted) throw error;
        failure = error;
      }
      open.delete(place);
      this.unreached.add(`branch ${place + 1} of ${branches.length}: ${failure.message}`);
    }
    throw failure;
  }

  private fits(schemas: Schema[], value: Json): boolean {
    return schemas.every((schema) => this.checker.matches(schema, value));
  }

  /**
   * Changes an object so that it no longer matches the other branches: for each, it gets a property that this branch does
   * not declare, with a value that the other branch rejects.
   */
  private excludeOtherBranches(value: Json, place: number, branches: Schema[]): Json {
    const own = branches[place];
    if (!isObject(value) || own === undefined) return value;
    const named = merge(this.document, this.checker, [own]);
    let result = value;
    for (const [index, branch] of branches.entries()) {
      if (index === place || !this.checker.matches(branch, result)) continue;
      const other = merge(this.document, this.checker, [branch]);
      for (const [name, schemas] of other.properties) {
        if (named.properties.has(name) || this.hidden(schemas)) continue;
        const wrong = WRONG.find((each) => !this.fits(schemas, each));
        if (wrong === undefined) continue;
        const changed = { ...result };
        put(changed, name, wrong);
        if (!this.checker.matches(own, changed) || this.checker.matches(branch, changed)) continue;
        result = changed;
        break;
      }
    }
    return result;
  }

  /** Orders the branches by rotation, or by simplicity for deeply nested values. */
  private order(branches: Schema[], depth: number): number[] {
    const places = [...branches.keys()];
    if (this.minimal || !this.allowsOptionalParts(depth)) {
      const depths = branches.map((branch) => this.leastDepth(branch));
      return places.sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0));
    }
    const start = (this.turns.get(branches) ?? 0) % branches.length;
    this.turns.set(branches, start + 1);
    return [...places.slice(start), ...places.slice(0, start)];
  }

  private readonly depths = new Map<Schema, number>();

  /** Computes the depth of the simplest value of a schema; Infinity if every value contains a value of the same schema. */
  private leastDepth(schema: Schema | undefined): number {
    if (!isObject(schema)) return 0;
    const known = this.depths.get(schema);
    if (known !== undefined) return known;
    // A schema that requires itself has no finite value on this path.
    this.depths.set(schema, Infinity);
    const deepest = (schemas: Schema[]): number =>
      Math.max(0, ...schemas.map((part) => this.leastDepth(part)));
    const { $ref, allOf, properties, required, items, minItems, type } = schema;
    let depth = typeof $ref === "string" ? this.leastDepth(at(this.document, $ref)) : 0;
    if (Array.isArray(allOf)) depth = Math.max(depth, deepest(allOf));
    const names = Array.isArray(required) ? required : [];
    const members = Object.entries(isObject(properties) ? properties : {});
    depth = Math.max(
      depth,
      1 + deepest(members.filter(([name]) => names.includes(name)).map(([, part]) => part)),
    );
    if (type === "array" && typeof minItems === "number" && minItems > 0) {
      depth = Math.max(depth, 1 + this.leastDepth(items));
    }
    for (const branches of [schema.oneOf, schema.anyOf]) {
      if (!Array.isArray(branches)) continue;
      depth = Math.max(depth, Math.min(...branches.map((branch) => this.leastDepth(branch))));
    }
    this.depths.set(schema, depth);
    return depth;
  }

  /** Returns the schemas without a union whose branch is chosen, after expanding references and `allOf`. */
  private removeUnion(schemas: Schema[], branches: Schema[], depth = 0): Schema[] {
    if (depth > 50) return schemas;
    return schemas.flatMap((schema) => {
      if (!isObject(schema)) return [schema];
      const { $ref, allOf, ...rest } = schema;
      if ($ref === undefined && allOf === undefined) return [withoutUnion(schema, branches)];
      const referred = typeof $ref === "string" ? [at(this.document, $ref)] : [];
      const parts = Array.isArray(allOf) ? allOf : [];
      return [
        ...this.removeUnion([...referred, ...parts], branches, depth + 1),
        withoutUnion(rest, branches),
      ];
    });
  }

  /** Whether a property can have a value that satisfies all schemas. */
  private agrees(schemas: Schema[], property: string): boolean {
    const merged = merge(this.document, this.checker, schemas);
    const own = merged.properties.get(property);
    return own !== undefined && merge(this.document, this.checker, own).impossible === undefined;
  }

  private fromValues(key: Schema | undefined, merged: Merged): Json {
    const values = (merged.values ?? []).filter(
      (value) => merged.types === undefined || merged.types.some((type) => isOfType(type, value)),
    );
    return this.next(key, "value of its enumeration", values);
  }

  private likelyTypes(merged: Merged): string[] {
    if (merged.properties.size > 0 || merged.required.size > 0 || merged.additional.length > 0)
      return ["object"];
    if (merged.items.length > 0 || merged.prefixItems.length > 0) return ["array"];
    if (merged.patterns.length > 0 || merged.format !== undefined || merged.maxLength < Infinity)
      return ["string"];
    if (merged.minimum > -Infinity || merged.maximum < Infinity) return ["number"];
    return ["string", "integer", "boolean", "object", "array", "null"];
  }

  private text(key: Schema | undefined, merged: Merged): string {
    const { minLength, maxLength, patterns, format } = merged;
    const fits = (text: string): boolean => {
      const length = [...text].length;
      return (
        length >= minLength &&
        length <= maxLength &&
        patterns.every((pattern) => compileExpression(pattern).test(text))
      );
    };
    const formatted = format === undefined ? undefined : FORMATS[format];
    const given = merged.given.filter((value) => typeof value === "string");
    let choices = (formatted ?? TEXTS).filter(fits);
    if (patterns.length > 0 && formatted === undefined) choices = this.matching(patterns, fits, given);
    if (choices.length === 0) choices = given.filter(fits);
    if (choices.length === 0 && formatted === undefined) {
      // Truncated or padded to the required length.
      const length = Math.min(maxLength, Math.max(minLength, 3));
      choices = TEXTS.map((text) => [...text.padEnd(length, "x")].slice(0, length).join("")).filter(fits);
    }
    if (choices.length === 0) {
      throw new Unsampled(
        patterns.length > 0
          ? `no text was found that matches ${patterns.join(" and ")}`
          : `no text of the format ${format} is ${minLength} to ${maxLength} long`,
      );
    }
    return this.next(key, "text", choices);
  }

  private readonly texts = new Map<string, string[]>();

  private matching(patterns: string[], fits: (text: string) => boolean, given: string[]): string[] {
    const key = patterns.join("\n");
    const known = this.texts.get(key);
    if (known) return known.filter(fits);
    const tries = patterns.flatMap((pattern) => {
      try {
        return generateTexts(pattern, this.random, 200);
      } catch {
        return [];
      }
    });
    const found = [...new Set([...tries, ...given, ...TEXTS])].filter(fits).slice(0, 4);
    this.texts.set(key, found);
    return found;
  }

  private number(key: Schema | undefined, merged: Merged, integer: boolean): number {
    const { minimum, maximum, multiples, excluded, format } = merged;
    const step = multiples.reduce((a, b) => (Number.isInteger(b / a) ? b : a), multiples[0] ?? 1);
    const around = [minimum, maximum].filter(Number.isFinite);
    const limit = format === "int32" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
    const tries = [
      ...NUMBERS,
      ...around.flatMap((bound) => [bound, bound + 1, bound - 1, Math.ceil(bound), Math.floor(bound)]),
      ...(around.length === 2 ? [(minimum + maximum) / 2] : []),
      ...around.flatMap((bound) => [Math.ceil(bound / step) * step, Math.floor(bound / step) * step]),
      step,
    ];
    const fits = tries.filter(
      (value) =>
        value >= minimum &&
        value <= maximum &&
        !excluded.includes(value) &&
        (!integer || (Number.isInteger(value) && Math.abs(value) <= limit)) &&
        multiples.every((multiple) => Number.isInteger(value / multiple)),
    );
    if (fits.length === 0) throw new Unsampled(`no number is between ${minimum} and ${maximum}`);
    return this.next(key, integer ? "integer" : "number", [...new Set(fits)]);
  }

  /** Whether the limits allow optional parts. */
  private allowsOptionalParts(depth: number): boolean {
    return !this.minimal && depth < MAX_OPTIONAL_DEPTH && this.size < MAX_OPTIONAL_SIZE;
  }

  private array(key: Schema | undefined, merged: Merged, depth: number): Json[] {
    const { minItems, maxItems, uniqueItems, prefixItems } = merged;
    const least = Math.max(minItems, merged.contains.length > 0 ? 1 : 0);
    const lengths = [1, 2, 0].map((length) => Math.min(maxItems, Math.max(least, length)));
    const wanted = this.allowsOptionalParts(depth) ? this.next(key, "length", [...new Set(lengths)]) : least;
    const result: Json[] = [];
    const length = Math.max(
      wanted,
      this.allowsOptionalParts(depth) ? Math.min(prefixItems.length, maxItems) : 0,
    );
    for (let tries = 0; result.length < length && tries < length + 20; tries += 1) {
      const index = result.length;
      const prefix = prefixItems[index];
      const schemas = prefix === undefined ? [...merged.items] : [prefix];
      if (index < merged.contains.length) schemas.push(...merged.contains.slice(index, index + 1));
      if (schemas.length === 0) schemas.push({ type: "string" });
      try {
        const item = this.value(schemas, depth + 1);
        if (!uniqueItems || !result.some((other) => same(other, item))) result.push(item);
      } catch (error) {
        if (!(error instanceof Unsampled) || error instanceof Exhausted) throw error;
        // Skips an optional item that cannot be created.
        if (result.length < least) throw error;
        break;
      }
    }
    if (result.length < least) throw new Unsampled(`an array of ${least} different items could not be made`);
    return result;
  }

  private object(merged: Merged, depth: number): JsonObject {
    const result: JsonObject = {};
    const allowed = (name: string): boolean => merged.closed.every((known) => known(name));
    let count = 0;
    const add = (name: string, schemas: Schema[]): void => {
      put(result, name, this.value(schemas.length === 0 ? [{ type: "string" }] : schemas, depth + 1));
      count += 1;
    };
    for (const name of merged.required) {
      const schemas = merged.properties.get(name) ?? this.patternSchemas(merged, name);
      if (merged.properties.has(name) && this.hidden(schemas)) continue;
      add(name, schemas.length > 0 ? schemas : merged.additional);
    }
    for (const [name, schemas] of merged.properties) {
      if (merged.required.has(name) || this.hidden(schemas) || !allowed(name)) continue;
      const wanted =
        count < merged.minProperties || (count < merged.maxProperties && this.allowsOptionalParts(depth));
      if (!wanted) continue;
      try {
        add(name, schemas);
      } catch (error) {
        // Omits an optional property that cannot be created, unless minProperties requires it.
        if (!(error instanceof Unsampled)) throw error;
        this.unreached.add(`optional property ${name}: ${error.message}`);
      }
    }
    this.addOthers(merged, count, depth, add, (name) => allowed(name) && !Object.hasOwn(result, name));
    return result;
  }

  /** Adds properties that the schema allows without declaring their names. */
  private addOthers(
    merged: Merged,
    count: number,
    depth: number,
    add: (name: string, schemas: Schema[]) => void,
    free: (name: string) => boolean,
  ): void {
    const needed = merged.minProperties - count;
    const extra = this.allowsOptionalParts(depth) && count < merged.maxProperties ? 1 : 0;
    let left = Math.max(needed, extra);
    for (const [pattern] of left > 0 ? merged.patternProperties : []) {
      const name = generateTexts(pattern, this.random, 20).find(
        (text) => compileExpression(pattern).test(text) && free(text),
      );
      if (name === undefined || left <= 0) continue;
      add(name, this.patternSchemas(merged, name));
      left -= 1;
    }
    if (merged.additional.length === 0 && needed <= 0) return;
    const named = merged.propertyNames.length === 0 ? NAMES : this.names(merged.propertyNames);
    const start = this.minimal ? 0 : this.random.below(named.length);
    for (let index = 0; index < named.length && left > 0; index += 1) {
      const name = named[(start + index) % named.length] ?? "";
      if (!free(name) || merged.properties.has(name)) continue;
      add(name, [...this.patternSchemas(merged, name), ...merged.additional]);
      left -= 1;
    }
  }

  private names(schemas: Schema[]): string[] {
    const found: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const name = this.value([...schemas, { type: "string" }], MAX_DEPTH - 1);
      if (typeof name === "string" && !found.includes(name)) found.push(name);
    }
    return found;
  }

  private patternSchemas(merged: Merged, name: string): Schema[] {
    return merged.patternProperties
      .filter(([pattern]) => compileExpression(pattern).test(name))
      .map(([, schema]) => schema);
  }

  private hidden(schemas: Schema[]): boolean {
    return schemas.some((schema) => this.checker.hidden(schema));
  }
}

function withoutUnion(schema: Schema, branches: Schema[]): Schema {
  if (!isObject(schema)) return schema;
  const keys = ["oneOf", "anyOf"].filter((key) => isUnion(schema, key, branches));
  if (keys.length === 0) return schema;
  const members = Object.entries(schema).filter(([key]) => !keys.includes(key));
  return Object.fromEntries(members);
}

/** Whether the branches are those of a union. Compares the first branch, because nullable unions have another list. */
function isUnion(schema: JsonObject, key: string, branches: Schema[]): boolean {
  const own = schema[key];
  return Array.isArray(own) && own.length > 0 && own[0] === branches[0];
}
