import { isObject, ownValue } from "../pointer.js";

/** A schema whose keywords have the form that they must have, so that they can be read without asking again. */
export type PlainSchema = Readonly<Record<string, unknown>>;

/** Gives the schema that a reference names, or nothing. */
export type FindSchema = (ref: string) => unknown;

const TYPES = new Set(["null", "boolean", "object", "array", "number", "integer", "string"]);

/** Tells whether the value of a keyword has the form that it must have, the schemas in it left out. */
type Check = (value: unknown, schema: PlainSchema) => boolean;

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isNumber: Check = (value) => Number.isFinite(value);
const isFlag: Check = (value) => typeof value === "boolean";
const anything: Check = () => true;
const isText: Check = (value) => typeof value === "string";

/** The keywords whose meaning is known here. */
const KEYWORDS = new Map<string, Check>([
  ["$ref", isText],
  [
    "type",
    (value) =>
      isType(value) || (Array.isArray(value) && value.length > 0 && value.every((type) => isType(type))),
  ],
  ["nullable", (value, { type }) => typeof value === "boolean" && isType(type) && type !== "null"],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ["const", anything],
  // Lint takes what every object inherits for a member of it.
  ["properties", (value) => isObject(value) && Object.keys(value).every((name) => !(name in {}))],
  // So many are checked in a way of their own.
  [
    "required",
    (value) => Array.isArray(value) && value.length < 200 && value.every((name) => typeof name === "string"),
  ],
  ["additionalProperties", anything],
  ["unevaluatedProperties", (value) => value === false],
  ["items", anything],
  ["allOf", isList],
  ["anyOf", isList],
  ["oneOf", isList],
  ["discriminator", anything],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (name): [string, Check] => [name, isCount],
  ),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((name): [string, Check] => [
    name,
    isNumber,
  ]),
  ["pattern", (value) => typeof value === "string" && isPattern(value)],
  ["format", isText],
  ["readOnly", isFlag],
  ["writeOnly", isFlag],
  ...["title", "description", "example", "examples", "default", "deprecated", "externalDocs", "xml"].map(
    (name): [string, Check] => [name, anything],
  ),
]);

/**
 * Whether a schema and all that it leads to have keywords alone that are known, each in the form that it must have.
 * What it finds is kept: that of one document belongs to one of these.
 */
export class PlainSchemas {
  readonly #known = new Map<object, boolean>();
  readonly #find: FindSchema;
  readonly #flagBounds: boolean;

  /** @param flagBounds whether `exclusiveMinimum` and `exclusiveMaximum` are flags, as in OpenAPI 3.0 */
  constructor(find: FindSchema, flagBounds: boolean) {
    this.#find = find;
    this.#flagBounds = flagBounds;
  }

  /** Whether a schema is such a one. After one that is not, the answers on others say nothing: all is given up. */
  has(schema: unknown): schema is PlainSchema {
    if (!isObject(schema)) return false;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    // One that leads back here counts as plain until all is known. If it is not, those within are not asked for again.
    this.#known.set(schema, true);
    const plain = this.#isPlain(schema);
    this.#known.set(schema, plain);
    return plain;
  }

  #isPlain(schema: PlainSchema): boolean {
    const formed = Object.entries(schema).every(
      ([key, value]) => key.startsWith("x-") || KEYWORDS.get(key)?.(value, schema) === true,
    );
    if (!formed || !isDiscriminated(schema)) return false;
    if (this.#flagBounds && ("exclusiveMinimum" in schema || "exclusiveMaximum" in schema)) return false;
    const { $ref, properties, additionalProperties, items, allOf = [], anyOf = [], oneOf = [] } = schema;
    if (typeof $ref === "string" && !this.has(this.#find($ref))) return false;
    const parts = [allOf, anyOf, oneOf, Object.values(properties ?? {})].flat();
    if (items !== undefined) parts.push(items);
    if (additionalProperties !== undefined && typeof additionalProperties !== "boolean")
      parts.push(additionalProperties);
    return parts.every((part) => this.has(part));
  }
}

/** Whether each variant of a discriminator is named by its mapping: what else is allowed is another's to check. */
function isDiscriminated({ discriminator, oneOf, anyOf }: PlainSchema): boolean {
  if (discriminator === undefined) return true;
  const variants = oneOf ?? anyOf;
  const mapping = ownValue(discriminator, "mapping");
  if (!isObject(mapping) || !Array.isArray(variants) || (oneOf !== undefined && anyOf !== undefined))
    return false;
  if (typeof ownValue(discriminator, "propertyName") !== "string") return false;
  const named = new Set(Object.values(mapping));
  const refs = new Set(variants.map((variant) => ownValue(variant, "$ref")));
  return refs.size === variants.length && [...refs].every((ref) => typeof ref === "string" && named.has(ref));
}

function isType(value: unknown): boolean {
  return typeof value === "string" && TYPES.has(value);
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isPattern(source: string): boolean {
  try {
    void new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}
