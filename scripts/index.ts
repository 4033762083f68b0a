import path from "node:path";
import { type Diagnostic, DiagnosticError } from "./diagnostic.js";
import { requireEmitters } from "./emit/run-emitters.js";
import { planChanges } from "./generation.js";
import type { GenerationSettings } from "./generation-settings.js";
import { refuseUrl, requireKnownOptions } from "./require-options.js";

export {
  client,
  defaultEmitters,
  openapiJson,
  responseValidators,
  routes,
  types,
  validators,
} from "./emit/registry.js";
export type { EmitContext, Emission, Emitter, Runtime } from "./emit/emitter.js";
export type { GeneratedFile } from "./emit/generated-file.js";
export { nameTypes, type OperationTypeNames, type TypeNames } from "./emit/common/type-names.js";
export type {
  Api,
  BodyField,
  Callback,
  Components,
  Example,
  BaseOperation,
  HttpMethod,
  MediaKind,
  MediaType,
  Operation,
  OperationGroup,
  Parameter,
  RequestBody,
  Response,
  ResponseContent,
  ResponseHeader,
  SecurityAlternative,
  SecurityScheme,
  Server,
  StreamItem,
} from "./model/model.js";
export type { JsonObject, JsonValue } from "./json.js";
export type { SchemaGraph } from "./model/schema/graph.js";
export type { Direction, Discriminator, Schema, Subschema } from "./model/schema/schema.js";
export { type Diagnostic, DiagnosticError, type Position, type Problem } from "./diagnostic.js";
export { formatDiagnostic } from "./print-diagnostics.js";

export interface GenerateOptions extends GenerationSettings {
  /** Compare only: report what would change and write nothing. */
  check?: boolean | undefined;
}

/** Files that a generation has changed, or would change with `check`. All paths are absolute. */
export interface GenerateResult {
  added: string[];
  changed: string[];
  removed: string[];
  /** Hand-written adapters that received stubs, with the names of the new handlers. */
  adapters: { file: string; handlers: string[]; created: boolean }[];
  /** Warnings, and syntax errors of adapters: these get no stubs, and the command exits with 2, but everything else is written. */
  diagnostics: Diagnostic[];
}

/** The names of all options. */
const OPTIONS: Record<keyof GenerateOptions, true> = {
  spec: true,
  out: true,
  root: true,
  adapters: true,
  emitters: true,
  check: true,
};

/**
 * Generates types, routes, a client and validators from an OpenAPI document. The output was up to date if `added`, `changed`,
 * `removed` and `adapters` of the result are empty.
 *
 * @throws DiagnosticError with every error of the document and its location, or for a wrong option; nothing is written then
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  requireKnownOptions("generate()", options, Object.keys(OPTIONS));
  for (const name of ["spec", "out"] as const) {
    // Undefined in JavaScript, for example if an environment variable is not set.
    const value: unknown = options[name];
    if (value === undefined || value === "")
      throw new DiagnosticError(`\`${name}\` is missing. Give it a path.`);
    if (typeof value !== "string") throw new DiagnosticError(`\`${name}\` must be a string. Give it a path.`);
  }
  refuseUrl("`spec`", options.spec);
  if (options.emitters !== undefined) requireEmitters(options.emitters);
  const plan = await planChanges(options);
  if (!options.check) await plan.apply();
  const resolve = (file: string): string => path.resolve(options.out, file);
  return {
    added: plan.files.added.map(resolve),
    changed: plan.files.changed.map(resolve),
    removed: plan.files.stale.map(resolve),
    adapters: plan.adapters.edits.map(({ file, addedHandlers, created }) => ({
      file,
      handlers: addedHandlers,
      created,
    })),
    diagnostics: [...plan.warnings, ...plan.adapters.diagnostics],
  };
}
