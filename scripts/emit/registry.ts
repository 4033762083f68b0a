import { DiagnosticError } from "../diagnostic.js";
import { requireKnownOptions } from "../require-options.js";
import type { Emitter } from "./emitter.js";
import type { ValidatorOptions } from "./validators/formats.js";

// Emitters import their code when they run, because a run without changes does not need it.

/** Creates the emitter of types.ts: the types of the document under openapi-typescript's names. */
export function types(): Emitter {
  return createEmitter("types", async (api) => (await import("./types/types.js")).emitTypes(api));
}

/** Creates the emitter of routes.ts: requests, responses, handler interfaces and `registerRoutes` for a server. */
export function routes(): Emitter {
  const emit: Emitter["emit"] = async (api, context) =>
    (await import("./routes/routes.js")).emitRoutes(api, context);
  return { ...createEmitter("routes", emit), imports: ["types.ts"] };
}

/** Creates the emitter of client.ts and operations.ts: a function for each operation, and `createClient`. */
export function client(): Emitter {
  const emit: Emitter["emit"] = async (api, context) =>
    (await import("./client/client.js")).emitClient(api, context);
  return { ...createEmitter("client", emit), imports: ["types.ts"] };
}

/** Creates the emitter of validators.js: compiled checks of requests. */
export function validators(options: ValidatorOptions = {}): Emitter {
  requireValidatorOptions("validators()", options);
  const emit: Emitter["emit"] = async (api) =>
    (await import("./validators/emit-validators.js")).emitValidators(api, options);
  return createEmitter("validators", emit, options);
}

/** Creates the emitter of response-validators.js: compiled checks of responses, for tests and development. */
export function responseValidators(options: ValidatorOptions = {}): Emitter {
  requireValidatorOptions("responseValidators()", options);
  const emit: Emitter["emit"] = async (api) =>
    (await import("./validators/emit-validators.js")).emitResponseValidators(api, options);
  return createEmitter("response-validators", emit, options);
}

/** Creates the emitter of openapi.json: the bundled document, with sorted keys. */
export function openapiJson(): Emitter {
  return createEmitter("openapi-json", ({ document }) => ({
    files: [{ path: "openapi.json", content: `${JSON.stringify(document, null, 2)}\n` }],
  }));
}

/** Creates the emitters of a run that does not specify any. */
export function defaultEmitters(options: ValidatorOptions = {}): Emitter[] {
  requireValidatorOptions("defaultEmitters()", options);
  return [types(), routes(), client(), validators(options), openapiJson()];
}

/** Creates a built-in emitter. Its version depends on its options alone, because the manifest has a hash of its sources. */
function createEmitter(
  name: string,
  emit: Emitter["emit"],
  { formats = "assert" }: ValidatorOptions = {},
): Emitter {
  const version = formats === "assert" ? "built-in" : `built-in, formats ${formats}`;
  return { name, version, emit };
}

/** @throws DiagnosticError for an unknown option, or another value of `formats` */
function requireValidatorOptions(caller: string, options: ValidatorOptions): void {
  requireKnownOptions(caller, options, ["formats"]);
  const { formats } = options;
  if (formats !== undefined && formats !== "assert" && formats !== "annotate")
    throw new DiagnosticError(
      `The option \`formats\` of ${caller} must be assert or annotate, not ${JSON.stringify(formats)}.`,
    );
}
