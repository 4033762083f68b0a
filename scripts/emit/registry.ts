import type { Emitter } from "./emitter.js";
import type { ValidatorOptions } from "./validators/formats.js";

// Each emitter imports its code when it runs: a run that finds everything up to date needs none of it. The version is
// constant, because the hash of the toolkit's sources is compared anyway.
const version = "built-in";

/** types.ts: the types of the document under openapi-typescript's names. */
export function types(): Emitter {
  return { name: "types", version, emit: async (api) => (await import("./types/types.js")).emitTypes(api) };
}

/** routes.ts: requests, responses, handler interfaces and `registerRoutes` for a server. */
export function routes(): Emitter {
  return {
    name: "routes",
    version,
    emit: async (api, context) => (await import("./routes/routes.js")).emitRoutes(api, context),
  };
}

/** client.ts and operations.ts: a function for each operation, and `createClient`. */
export function client(): Emitter {
  return {
    name: "client",
    version,
    emit: async (api, context) => (await import("./client/client.js")).emitClient(api, context),
  };
}

/** validators.js: compiled checks of requests. */
export function validators(options: ValidatorOptions = {}): Emitter {
  return {
    name: "validators",
    version: versionWith(options),
    emit: async (api) => (await import("./validators/validators.js")).emitValidators(api, options),
  };
}

/** response-validators.js: compiled checks of responses, for tests and development. */
export function responseValidators(options: ValidatorOptions = {}): Emitter {
  return {
    name: "response-validators",
    version: versionWith(options),
    emit: async (api) => (await import("./validators/responses.js")).emitResponseValidators(api, options),
  };
}

/** openapi.json: the bundled document. */
export function openapiJson(): Emitter {
  return {
    name: "openapi-json",
    version,
    emit: async (api) => (await import("./openapi-json/openapi-json.js")).emitOpenapiJson(api),
  };
}

/** The emitters that run unless others are named. */
export function defaultEmitters(options: ValidatorOptions = {}): Emitter[] {
  return [types(), routes(), client(), validators(options), openapiJson()];
}

function versionWith({ formats = "assert" }: ValidatorOptions): string {
  return formats === "assert" ? version : `${version}, formats ${formats}`;
}
