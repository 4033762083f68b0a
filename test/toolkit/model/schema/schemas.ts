import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { SchemaGraph } from "../../../../scripts/model/schema/graph.js";
import type { Schema } from "../../../../scripts/model/schema/schema.js";

/** Creates a reference to a component schema. */
export const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Builds the component schemas of a document, by name. */
export function buildSchemas(schemas: JsonObject, version = "3.1.0"): (name: string) => Schema {
  const dialect = version.startsWith("3.0") ? "openapi-3.0" : "openapi-3.1";
  const document = { openapi: version, components: { schemas } };
  const graph = new SchemaGraph([{ uri: "openapi.json", document, dialect }]);
  return (name) => {
    const schema = graph.components().get(name);
    if (!schema) throw new Error(`There is no schema ${name}.`);
    return schema;
  };
}

/** Builds the schema of a JSON Schema document. */
export function buildJsonSchema(document: JsonValue): Schema {
  const schema = new SchemaGraph([
    { uri: "https://example.test/s", document, dialect: "json-schema" },
  ]).findByPointer("https://example.test/s", "");
  if (!schema) throw new Error("There is no schema.");
  return schema;
}

/** Formats a schema as plain JSON, with the names of referenced schemas. */
export function format(schema: Schema | undefined): JsonValue {
  if (!schema) return null;
  if (schema.booleanValue !== undefined) return schema.booleanValue;
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema.keywords)) {
    if (schema.subschema(key)) result[key] = format(schema.subschema(key));
    else if (schema.subschemaList(key).length > 0) result[key] = schema.subschemaList(key).map(format);
    else if (schema.subschemaMap(key).size > 0)
      result[key] = Object.fromEntries(
        [...schema.subschemaMap(key)].map(([name, each]) => [name, format(each)]),
      );
    else if (key === "$ref") result[key] = schema.reference?.name ?? "nowhere";
    else if (key === "properties") result[key] = {};
    else result[key] = value;
  }
  return result;
}
