import type { Api, Emission } from "../model/model.js";
import { emitClient } from "./client.js";
import { join } from "./emitters.js";
import { emitRoutes } from "./routes.js";
import { emitSpecJson } from "./spec-json.js";
import { emitTypes } from "./types.js";
import { emitValidators } from "./validators.js";

/** Every artifact of an API, and what cannot be emitted faithfully; all made here and now, without threads. */
export function emit(api: Api): Emission {
  return join(
    new Map([
      ["types", emitTypes(api)],
      ["routes", emitRoutes(api)],
      ["client", emitClient(api)],
      ["validators", emitValidators(api)],
      ["specJson", emitSpecJson(api)],
    ]),
  );
}
