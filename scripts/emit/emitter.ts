import type { Problem } from "../diagnostic.js";
import type { Api } from "../model/model.js";
import type { GeneratedFile } from "./generated-file.js";

/**
 * Generates one artifact of an API. An emitter does no I/O, and returns the same files for the same API. Built-in and
 * user-defined emitters implement this interface, and no other code depends on a particular emitter.
 */
export interface Emitter {
  /** Unique among the emitters of a run, e.g. `client`. */
  readonly name: string;
  /**
   * Must change whenever the emitter's output for the same API changes. If every emitter of a run has a version, unchanged
   * documents are not compiled again, and the emitters do not run.
   */
  readonly version?: string | undefined;
  /** Paths of the files of other emitters that its files import, e.g. `types.ts`. A run without these files fails. */
  readonly imports?: readonly string[] | undefined;
  emit(api: Api, context: EmitContext): Emission | Promise<Emission>;
}

/** The result of an emitter. If a problem is an error, no file of any emitter is written. */
export interface Emission {
  readonly files: readonly GeneratedFile[];
  readonly problems?: readonly Problem[] | undefined;
}

/** Properties of the environment of the generated code. */
export interface EmitContext {
  /** Module specifiers of the runtimes, for files directly in the output folder. */
  readonly runtime: Runtime;
}

/** Modules that generated code imports. */
export interface Runtime {
  /** Server runtime, e.g. `openapi-compiler/http`. */
  readonly http: string;
  /** Client runtime, e.g. `openapi-compiler/fetch`. */
  readonly fetch: string;
}
