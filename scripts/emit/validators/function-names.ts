import type { MediaType } from "../../model/model.js";
import { unescapePointer } from "../../model/json.js";
import { toPascalCase } from "../../model/names.js";
import type { Schema } from "../../model/schema/schema.js";

/** The key of a schema and the name of its function. */
export type NamedKey = [key: string, name: string];

/** Whether a schema is in the components of the document, which operations share. */
export function isComponent(schema: Schema | undefined): boolean {
  return schema?.pointer.startsWith("/components/") === true;
}

/** Names the functions of those parameters or headers that are components. */
export function nameComponents(parts: readonly { schema: Schema | undefined }[]): NamedKey[] {
  return parts.flatMap(({ schema }): NamedKey[] =>
    schema && isComponent(schema) ? [[schema.key, makeComponentName(schema)]] : [],
  );
}

/**
 * Names the function of a body after its component, or else by the given name. Media types other than JSON add a suffix,
 * e.g. `XWwwFormUrlencoded`.
 */
export function nameBody(schema: Schema, mediaType: MediaType, inlineName: string): NamedKey {
  const name = isComponent(schema) ? makeComponentName(schema) : inlineName;
  const suffix =
    mediaType.name === "application/json" ? "" : toPascalCase(mediaType.name.replace(/^application\//, ""));
  return [schema.key, name + suffix];
}

/** Makes the name of the function of a component: `perPageParameter` for `/components/parameters/perPage`. */
function makeComponentName({ pointer }: Schema): string {
  const [, , section = "", name = ""] = pointer.split("/");
  return unescapePointer(name) + (SUFFIXES.get(section) ?? "");
}

/** Suffixes of function names by the section of `components`. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ["schemas", "Schema"],
  ["parameters", "Parameter"],
  ["headers", "Header"],
  ["requestBodies", "RequestBody"],
  ["responses", "Response"],
  ["mediaTypes", "MediaType"],
  ["pathItems", "PathItem"],
  ["callbacks", "Callback"],
]);
