import type { Position } from "../diagnostic.js";
import type { Api, GeneratedFile } from "../model/model.js";
import { emitClient } from "./client.js";
import { emitRoutes } from "./routes.js";
import { emitSpecJson } from "./spec-json.js";
import { emitTypes } from "./types.js";
import { emitValidators } from "./validators.js";

/**
 * Every artifact of an API.
 *
 * @param locate gives the place in the sources for a pointer into the document
 * @throws DiagnosticError when part of the document cannot be emitted faithfully
 */
export function emit(api: Api, locate: (pointer: string) => Position): GeneratedFile[] {
  return [
    ...emitTypes(api),
    ...emitRoutes(api),
    ...emitClient(api),
    ...emitValidators(api, locate),
    ...emitSpecJson(api),
  ];
}
