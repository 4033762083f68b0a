import type { EmitContext, Emission } from "../../../scripts/emit/emitter.js";
import { runEmitters } from "../../../scripts/emit/run-emitters.js";
import { defaultEmitters } from "../../../scripts/emit/registry.js";
import type { Api } from "../../../scripts/model/model.js";

/** The runtimes with the import specifiers of a project that has installed openapi-compiler. */
export const CONTEXT: EmitContext = {
  runtime: { http: "openapi-compiler/http", fetch: "openapi-compiler/fetch" },
};

/** Runs the built-in emitters. */
export function emit(api: Api, context = CONTEXT): Promise<Required<Emission>> {
  return runEmitters(defaultEmitters(), api, context);
}
