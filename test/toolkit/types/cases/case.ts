import type { JsonObject, JsonValue } from "../../../../scripts/json.js";

/** A schema with values that its type and its validator both accept, and values that both reject. */
export interface Case {
  name: string;
  schema: JsonValue;
  /** Further component schemas. */
  schemas?: Record<string, JsonValue>;
  /** OpenAPI version, by default 3.1.0. */
  openapi?: string;
  accepts: JsonValue[];
  refuses: JsonValue[];
  /** Values that only the type rejects, such as undeclared properties or a wrong branch of a union. */
  typeRefuses?: JsonValue[];
  /** Code that must compile, with a value `s` of the type. */
  reads?: string[];
  /** Code that must not compile. */
  misreads?: string[];
}

/** Creates a reference to a component schema. */
export const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
/** Creates the schema of an object with properties, of which some are required. */
export const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
});
export const string: JsonObject = { type: "string" };
export const number: JsonObject = { type: "number" };
