import type { Api, Emission } from "../model/model.js";
import { emitClient } from "./client.js";
import { emitRoutes } from "./routes.js";
import { emitSpecJson } from "./spec-json.js";
import { emitTypes } from "./types.js";
import { emitValidators } from "./validators.js";

const EMITTERS = [emitTypes, emitRoutes, emitClient, emitValidators, emitSpecJson];

/** Every artifact of an API, and what cannot be emitted faithfully. */
export function emit(api: Api): Emission {
  const emissions = EMITTERS.map((emitter) => emitter(api));
  return {
    files: emissions.flatMap(({ files }) => files),
    problems: emissions.flatMap(({ problems }) => problems),
  };
}
