import { isObject, ownValue, valueAt } from "../pointer.js";
import { Judge, type Context } from "./judge.js";
import { PlainSchemas } from "./plain.js";

/** The lint rules that this answers for: they compile every schema that has an example. */
export const EXAMPLE_RULES = [
  "no-invalid-media-type-examples",
  "no-invalid-parameter-examples",
  "no-invalid-schema-examples",
];

/** Members that say what a media type below them is for. */
const CONTEXTS = new Map<string, Context | undefined>([
  ["requestBody", "request"],
  ["requestBodies", "request"],
  ["parameters", "request"],
  ["responses", "response"],
  ["callbacks", undefined],
]);

/**
 * Whether all examples of a document fit their schemas beyond doubt, so that lint need not look at them. It may be
 * false although they do; then lint says what is wrong with them, if anything, in its own words. No code is made of
 * the schemas.
 *
 * Anything that could be an example counts as one, wherever it is.
 * @param document bundled: its references lead to its own components
 */
export function examplesFit(document: Record<string, unknown>): boolean {
  const find = (ref: string): unknown =>
    /^#\/components\/[A-Za-z]+\/[\w.-]+$/.test(ref) ? valueAt(document, ref.slice(1)) : undefined;
  const plain = new PlainSchemas(find, String(document["openapi"]).startsWith("3.0."));
  const judge = new Judge(find);

  const fits = (schema: unknown, value: unknown, context: Context): boolean =>
    plain.has(schema) && !holdsReference(value) && judge.fits(schema, value, context) === true;

  /** The examples by name that a media type or a parameter has. */
  const namedFit = (schema: unknown, examples: object, context: Context): boolean =>
    Object.values(examples).every((named: unknown) => {
      const ref = ownValue(named, "$ref");
      const example = typeof ref === "string" ? find(ref) : named;
      if (!isObject(example) || ownValue(example, "$ref") !== undefined) return false;
      const value = ownValue(example, "dataValue") ?? ownValue(example, "value");
      return value === undefined || fits(schema, value, context);
    });

  const own = (node: Record<string, unknown>, context: Context | undefined): boolean => {
    const { schema, example, examples } = node;
    if (example === undefined && examples === undefined) return true;
    if (Object.hasOwn(node, "schema")) {
      if (context === undefined) return false;
      return (
        (example === undefined || fits(schema, example, context)) &&
        (!isObject(examples) || namedFit(schema, examples, context))
      );
    }
    return (
      (example === undefined || fits(node, example, "schema")) &&
      (!Array.isArray(examples) || examples.every((value) => fits(node, value, "schema")))
    );
  };

  const visit = (node: unknown, context: Context | undefined): boolean => {
    if (Array.isArray(node)) return node.every((item) => visit(item, context));
    if (!isObject(node)) return true;
    if (!own(node, context)) return false;
    return Object.entries(node).every(([key, value]) =>
      visit(
        value,
        key === "headers" ? (context ?? "response") : CONTEXTS.has(key) ? CONTEXTS.get(key) : context,
      ),
    );
  };
  return visit(document, undefined);
}

/** Bundling may have put something else in its place. */
function holdsReference(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "$ref") || Object.values(value).some(holdsReference);
}
