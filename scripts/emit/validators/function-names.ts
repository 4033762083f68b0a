import { unescapePointer } from "../../model/json.js";
import { pascalCase } from "../../model/names.js";
import type { Schema } from "../../model/schema/schema.js";

/** Whether a schema is in the components of the document, which operations share. */
export function isComponent(schema: Schema | undefined): boolean {
  return schema?.pointer.startsWith("/components/") === true;
}

/** Makes the function name for the schema of a component: `perPageParameter` for `/components/parameters/perPage`. */
export function makeComponentFunctionName(schema: Schema): string {
  const [, , section = "", name = ""] = schema.pointer.split("/");
  return `${unescapePointer(name)}${pascalCase(section).replace(/s$/, "")}`;
}

/** Makes the suffix of a function name for a media type, e.g. `XWwwFormUrlencoded`; `""` for JSON. */
export function makeMediaTypeSuffix(mediaType: string): string {
  return mediaType === "application/json" ? "" : pascalCase(mediaType.replace(/^application\//, ""));
}
