import type { MediaType } from "../../model/model.js";
import { unescapePointer } from "../../model/json.js";
import { toPascalCase } from "../../model/names.js";
import type { Schema } from "../../model/schema/schema.js";
import { createSchemaKey } from "./compiler/references.js";

/** A name for the function of a schema, by the key of the schema. */
export type FunctionName = [key: string, name: string];

/** Whether a schema is in the components of the document, which operations share. */
export function isComponent(schema: Schema | undefined): boolean {
  return schema?.pointer.startsWith("/components/") === true;
}

/** Names the functions of those parameters or headers that are components. */
export function nameComponentFunctions(parts: readonly { schema: Schema | undefined }[]): FunctionName[] {
  return parts.flatMap(({ schema }): FunctionName[] =>
    schema && isComponent(schema) ? [[createSchemaKey(schema), nameComponentFunction(schema)]] : [],
  );
}

/**
 * Names the function of a body after its component, or else as specified. Media types other than JSON add a suffix, e.g.
 * `XWwwFormUrlencoded`.
 */
export function nameBodyFunction(schema: Schema, mediaType: MediaType, inlineName: string): FunctionName {
  const name = isComponent(schema) ? nameComponentFunction(schema) : inlineName;
  const suffix =
    mediaType.name === "application/json" ? "" : toPascalCase(mediaType.name.replace(/^application\//, ""));
  return [createSchemaKey(schema), name + suffix];
}

/** Names the function of a component: `perPageParameter` for `/components/parameters/perPage`. */
function nameComponentFunction({ pointer }: Schema): string {
  const [, , section = "", name = ""] = pointer.split("/");
  return `${unescapePointer(name)}${toPascalCase(section).replace(/s$/, "")}`;
}
