import type { BuildContext } from "../context.js";
import { listConjuncts } from "./composition.js";
import type { Schema } from "./schema.js";

/**
 * Warns about each schema with `additionalProperties: false` that `allOf` combines with the properties of another schema. Each
 * schema of an `allOf` knows only its own properties, so it refuses those of the other one.
 */
export function reportRefusedProperties({ schemas, warn }: BuildContext): void {
  const reported = new Set<Schema>();
  for (const schema of schemas.components().values()) {
    const parts = [schema, ...listConjuncts(schema).map((part) => part.reference ?? part)];
    for (const closed of parts) {
      const isClosed = closed.subschema("additionalProperties")?.booleanValue === false;
      if (!isClosed || closed.keyword("patternProperties") !== undefined || reported.has(closed)) continue;
      const refused = findUndeclaredProperty(closed, parts);
      if (refused === undefined) continue;
      reported.add(closed);
      warn(
        `${closed.pointer}/additionalProperties`,
        `Values of ${schema.component} cannot have the property ${JSON.stringify(refused)}, because this schema allows only its own properties. Remove \`additionalProperties: false\`, or declare the property here, too.`,
      );
    }
  }
}

/** Returns the name of a property that one of the parts declares, but not the closed one. */
function findUndeclaredProperty(closed: Schema, parts: readonly Schema[]): string | undefined {
  for (const { properties } of parts)
    for (const name of properties.keys()) if (!closed.properties.has(name)) return name;
  return undefined;
}
