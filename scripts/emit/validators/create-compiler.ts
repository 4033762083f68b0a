import type { Api } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { Compiler } from "./compiler/compiler.js";
import { FORMATS, type ValidatorOptions } from "./formats.js";
import { type Message, nameFunctions } from "./message-validators.js";

/**
 * Creates a compiler that names its functions after the schemas of the document.
 *
 * @param messages requests or responses, whose parts get named functions as well
 */
export function createCompiler(
  api: Api,
  messages: readonly Message[],
  { formats = "assert" }: ValidatorOptions,
): Compiler {
  const names = new Map<string, string>();
  const addNames = (schema: Schema, suffix: string): void => {
    for (const variant of [schema.response, schema.request])
      names.set(variant.key, `${variant.name}${suffix}`);
  };
  for (const schema of api.schemas.components().values()) addNames(schema, "");
  // In forms, binary strings are files. Their schemas compile to functions of their own, from a graph that only forms need.
  if (hasForms(api))
    for (const schema of api.schemas.formSchemas.components().values()) addNames(schema, "Form");
  // Replaces names of components that a message uses for one of its parts.
  for (const [key, name] of messages.flatMap(nameFunctions)) names.set(key, name);
  return new Compiler({ names, formats: new Map(formats === "assert" ? Object.entries(FORMATS) : []) });
}

function hasForms({ operations }: Api): boolean {
  const mediaTypes = operations.flatMap(({ body }) => body?.mediaTypes ?? []);
  return mediaTypes.some(({ kind }) => kind === "form" || kind === "multipart");
}
