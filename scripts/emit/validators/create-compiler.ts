import type { Api, MediaType } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { Compiler } from "./compiler/compiler.js";
import { FORMATS, type ValidatorOptions } from "./formats.js";
import type { NamedKey } from "./function-names.js";

/** Kinds of bodies that are parsed before a handler gets them. */
const PARSED_KINDS = new Set<MediaType["kind"]>(["json", "form", "multipart"]);

/**
 * Finds the schema for the validation of a parsed body; undefined for a body that handlers receive as text or bytes. In a
 * form or multipart body, the schemas of files allow any value.
 */
export function findParsedBodySchema(api: Api, { kind, schema }: MediaType): Schema | undefined {
  if (!schema || !PARSED_KINDS.has(kind)) return undefined;
  return kind === "json" ? schema : api.schemas.findWithFiles(schema);
}

/**
 * Creates a compiler that names its functions after the schemas of the document.
 *
 * @param functionNames further names, such as those for the parameters of an operation
 */
export function createCompiler(
  api: Api,
  functionNames: Iterable<NamedKey>,
  { formats = "assert" }: ValidatorOptions,
): Compiler {
  const names = new Map<string, string>();
  const add = (schema: Schema, suffix: string): void => {
    for (const form of [schema.response, schema.request]) names.set(form.key, `${form.name}${suffix}`);
  };
  for (const schema of api.schemas.components().values()) add(schema, "");
  // The graph with files is created only for documents with forms.
  if (hasForms(api)) for (const schema of api.schemas.withFiles.components().values()) add(schema, "Form");
  for (const [key, name] of functionNames) names.set(key, name);
  return new Compiler({ names, formats: new Map(formats === "assert" ? Object.entries(FORMATS) : []) });
}

function hasForms({ operations }: Api): boolean {
  const mediaTypes = operations.flatMap(({ body }) => body?.mediaTypes ?? []);
  return mediaTypes.some(({ kind }) => kind === "form" || kind === "multipart");
}
