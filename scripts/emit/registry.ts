import type { Emitter } from "./emitter.js";
import type { ValidatorOptions } from "./validators/formats.js";

/** Version of the built-in emitters. Constant, because the manifest has a hash of their sources. */
const BUILT_IN_VERSION = "built-in";

// Emitters import their code when they run, because a run without changes does not need it.

/** types.ts: the types of the document under openapi-typescript's names. */
export function types(): Emitter {
  return {
    name: "types",
    version: BUILT_IN_VERSION,
    emit: async (api) => (await import("./types/types.js")).emitTypes(api),
  };
}

/** routes.ts: requests, responses, handler interfaces and `registerRoutes` for a server. */
export function routes(): Emitter {
  return {
    name: "routes",
    version: BUILT_IN_VERSION,
    emit: async (api, context) => (await import("./routes/routes.js")).emitRoutes(api, context),
  };
}

/** client.ts and operations.ts: a function for each operation, and `createClient`. */
export function client(): Emitter {
  return {
    name: "client",
    version: BUILT_IN_VERSION,
    emit: async (api, context) => (await import("./client/client.js")).emitClient(api, context),
  };
}

/** validators.js: compiled checks of requests. */
export function validators(options: ValidatorOptions = {}): Emitter {
  return {
    name: "validators",
    version: versionFor(options),
    emit: async (api) => (await import("./validators/request-validators.js")).emitValidators(api, options),
  };
}

/** response-validators.js: compiled checks of responses, for tests and development. */
export function responseValidators(options: ValidatorOptions = {}): Emitter {
  return {
    name: "response-validators",
    version: versionFor(options),
    emit: async (api) =>
      (await import("./validators/response-validators.js")).emitResponseValidators(api, options),
  };
}

/** openapi.json: the bundled document. */
export function openapiJson(): Emitter {
  return {
    name: "openapi-json",
    version: BUILT_IN_VERSION,
    emit: async (api) => (await import("./openapi-json/openapi-json.js")).emitOpenapiJson(api),
  };
}

/** The emitters of a run that does not specify any. */
export function defaultEmitters(options: ValidatorOptions = {}): Emitter[] {
  return [types(), routes(), client(), validators(options), openapiJson()];
}

function versionFor({ formats = "assert" }: ValidatorOptions): string {
  return formats === "assert" ? BUILT_IN_VERSION : `${BUILT_IN_VERSION}, formats ${formats}`;
}
