import { compileExpression, generateTexts } from "../toolkit/roundtrip/pattern.js";
import { FORMATS, TEXTS } from "../toolkit/roundtrip/texts.js";
import type { ApiDocument } from "../support/api-document.js";
import { Random } from "../support/random.js";
import type { KnownProperty, Memory } from "./memory.js";

/** Nesting depth below which only required members are generated. */
const MAX_OPTIONAL_DEPTH = 9;

/** Secondary members of objects, whose random values mostly make the object invalid. */
const SECONDARY_MEMBERS = new Set(
  "type object href plain_text annotations has_more archived in_trash".split(" "),
);

type Schema = Record<string, unknown>;

/** Position of a generated value. */
interface Place {
  readonly depth: number;
  /** Names of the enclosing members, from the outermost. */
  readonly names: readonly string[];
}

/**
 * Generates random values that fit a schema. Objects mostly get one optional member, because most objects with many
 * optional members allow only one of them. Ids and names of properties come from earlier responses.
 */
export class Shapes {
  private readonly texts = new Map<string, string[]>();
  private database: string | undefined;

  constructor(
    private readonly document: ApiDocument,
    private readonly random: Random,
    private readonly memory: Memory,
  ) {}

  /** Generates a value for a request; `database` is the database of its properties, if it is known. */
  generate(schema: unknown, names: readonly string[], database?: string): unknown {
    this.database = database;
    return this.value(schema, { depth: 0, names });
  }

  private value(schema: unknown, place: Place): unknown {
    if (typeof schema !== "object" || schema === null) return this.any();
    const { $ref, allOf, anyOf, oneOf, const: only, enum: values } = schema as Schema;
    if (typeof $ref === "string") {
      if ($ref.endsWith("/IdInput")) return this.id(place);
      if ($ref.endsWith("/StartCursor")) return this.cursor();
      return this.value(this.at($ref), place);
    }
    if (only !== undefined) return only;
    if (Array.isArray(values)) return this.random.pick(values);
    for (const union of [anyOf, oneOf])
      if (Array.isArray(union)) return this.value(this.random.pick(union), place);
    if (Array.isArray(allOf)) return this.generateAllOf(schema as Schema, allOf, place);
    return this.ofType(schema as Schema, place);
  }

  private generateAllOf(schema: Schema, parts: unknown[], place: Place): unknown {
    const { allOf: _, ...own } = schema;
    const made = [own, ...parts].map((part) =>
      this.value({ type: "object", ...(this.resolve(part) as Schema) }, place),
    );
    return this.useKnownNames(Object.assign({}, ...made) as Schema, place);
  }

  private ofType(schema: Schema, place: Place): unknown {
    const types = [schema.type ?? (schema.properties ? "object" : undefined)].flat();
    switch (this.random.pick(types)) {
      case "null":
        return null;
      case "boolean":
        return this.random.chance(0.5);
      case "integer":
        return this.number(schema, true);
      case "number":
        return this.number(schema, false);
      case "string":
        return this.text(schema, place);
      case "array":
        return this.list(schema, place);
      case "object":
        return this.useKnownNames(this.object(schema, place), place);
      default:
        return this.any();
    }
  }

  private number({ minimum, maximum }: Schema, whole: boolean): number {
    const [least, most] = [Number(minimum ?? -1_000), Number(maximum ?? 1_000)];
    const value = least + this.random.below(Math.max(1, most - least + 1));
    return whole || this.random.chance(0.7) ? value : value + 0.25;
  }

  private text(schema: Schema, { names }: Place): string {
    if (typeof schema.pattern === "string") return this.random.pick(this.getMatchingTexts(schema.pattern));
    if (typeof schema.format === "string") return this.random.pick(FORMATS[schema.format] ?? TEXTS);
    const name = names.at(-1) ?? "";
    if (name.endsWith("url"))
      return this.random.pick(["https://example.com/a", "http://[::1]/", "mailto:a@b.c", "x"]);
    if (name === "emoji") return this.random.pick(["🌱", "💡", "👩‍👩‍👧", "x"]);
    if (/^(start|end|equals|before|after|on_or_before|on_or_after)$/.test(name) && this.random.chance(0.7)) {
      return this.random.pick([
        "2024-01-02",
        "2024-02-29T10:00:00Z",
        "2024-02-29T10:00:00.5+02:00",
        "2024-01-01T00:00",
      ]);
    }
    if (name === "time_zone")
      return this.random.pick(["Europe/Berlin", "UTC", "America/New_York", "Nowhere"]);
    if (name === "name" || name === "equals")
      return this.random.pick(["a", "b", "Done", "In progress", "x y"]);
    if (name === "expression") return "x^2";
    if (/property/.test(name)) return this.property()?.name ?? "Name";
    return this.random.pick(TEXTS);
  }

  private getMatchingTexts(pattern: string): string[] {
    let texts = this.texts.get(pattern);
    if (!texts) {
      const tries = generateTexts(pattern, new Random(pattern), 60);
      texts = tries.filter((text) => compileExpression(pattern).test(text));
      // Adds dates, because textsFor ignores the assertions in their patterns.
      for (const text of ["2024-01-02", "2024-01-02T03:04:05Z"])
        if (compileExpression(pattern).test(text)) texts.push(text);
      if (texts.length === 0) texts = [...TEXTS];
      this.texts.set(pattern, texts);
    }
    return texts;
  }

  private list({ items, minItems }: Schema, place: Place): unknown[] {
    const least = Number(minItems ?? 0);
    const more = place.depth > MAX_OPTIONAL_DEPTH ? 0 : this.random.pick([0, 1, 1, 1, 2, 3]);
    return Array.from({ length: Math.max(least, more) }, () =>
      this.value(items, { ...place, depth: place.depth + 1 }),
    );
  }

  private object({ properties, required, additionalProperties }: Schema, place: Place): Schema {
    const made: Schema = {};
    const known = (properties ?? {}) as Schema;
    const needed = new Set((required ?? []) as string[]);
    const all = Object.keys(known).filter((name) => !needed.has(name));
    const primary = all.filter((name) => !SECONDARY_MEMBERS.has(name));
    const optional = primary.length > 0 && this.random.chance(0.85) ? primary : all;
    const wanted =
      place.depth > MAX_OPTIONAL_DEPTH
        ? 0
        : this.random.pick([0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, optional.length]);
    for (let index = 0; index < wanted && optional.length > 0; index += 1)
      needed.add(this.random.pick(optional));
    for (const name of needed) {
      put(made, name, this.value(known[name], { depth: place.depth + 1, names: [...place.names, name] }));
    }
    if (typeof additionalProperties === "object" && place.depth <= MAX_OPTIONAL_DEPTH) {
      const count = this.random.pick([0, 1, 1, 2, 3]);
      for (let index = 0; index < count; index += 1) {
        const name = this.random.pick(["Name", "A", "B", "C", "D", "title", "__proto__"]);
        put(
          made,
          name,
          this.value(additionalProperties, { depth: place.depth + 1, names: [...place.names, name] }),
        );
      }
    }
    return made;
  }

  /** Replaces property names in a map of values or in a condition by names of existing properties. */
  private useKnownNames(object: Schema, { names }: Place): Schema {
    const name = names.at(-1);
    if (name === "properties") {
      const renamed: Schema = {};
      // A new database has one title property.
      if (names[0] === "createDatabase" && this.random.chance(0.6)) put(renamed, "Name", { title: {} });
      for (const [key, value] of Object.entries(object)) {
        const found = this.propertyFor(value);
        // Skipped, because a value that fits no property makes the whole request invalid.
        if (found?.fits === false && names[0] !== "createDatabase" && this.random.chance(0.85)) continue;
        put(renamed, found?.name ?? key, value);
      }
      return renamed;
    }
    if (typeof object.property === "string") {
      const found = this.propertyFor(object);
      if (found) object.property = this.random.chance(0.7) ? found.name : found.id;
    }
    return object;
  }

  /** Picks a property whose type matches a member of a value or condition, and sometimes any other. */
  private propertyFor(value: unknown): (KnownProperty & { fits: boolean }) | undefined {
    const types = typeof value === "object" && value !== null ? Object.keys(value) : [];
    const all = this.memory.propertiesOf(this.database, this.random);
    const fitting = all.filter(({ type }) => types.includes(type));
    const choice = fitting.length > 0 && this.random.chance(0.95) ? fitting : all;
    const found = choice.length === 0 ? undefined : this.random.pick(choice);
    return found && { ...found, fits: types.includes(found.type) };
  }

  private property(): KnownProperty | undefined {
    return this.propertyFor(undefined);
  }

  private id({ names }: Place): string {
    const name = names.findLast((each) => each !== "id" && !/contain/.test(each)) ?? "";
    const known = this.random.chance(0.93) ? this.memory.idFor(name, this.random) : undefined;
    const id = known ?? "00000000-0000-4000-8000-000000000000";
    return this.random.chance(0.9) ? id : id.replaceAll("-", "").toUpperCase();
  }

  private cursor(): unknown {
    const { cursors } = this.memory;
    return cursors.length > 0 && this.random.chance(0.8)
      ? this.random.pick(cursors)
      : this.random.pick([null, "x"]);
  }

  private any(): unknown {
    return this.random.pick<unknown>([null, 1, "text", true, [], {}]);
  }

  /** Resolves a reference; returns other schemas unchanged. */
  resolve(schema: unknown): unknown {
    const reference = (schema as Schema).$ref;
    return typeof reference === "string" ? this.at(reference) : schema;
  }

  private at(reference: string): unknown {
    return reference
      .slice(2)
      .split("/")
      .map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>((value, name) => (value as Schema)[name], this.document.root);
  }
}

/** Sets a member, even one that is called `__proto__`. */
function put(object: Schema, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
