import type { Api, Emission } from "../model/model.js";

/**
 * Generates one artifact of an API. An emitter does no I/O, and returns the same files for the same API. Built-in and
 * user-defined emitters implement this interface, and no other code depends on a particular emitter.
 */
export interface Emitter {
  /** Unique among the emitters of a run, e.g. `client`. */
  readonly name: string;
  /**
   * Must change whenever the emitter's output for the same API changes. If every emitter of a run has a version,
   * unchanged documents are not compiled again.
   */
  readonly version?: string;
  emit(api: Api, context: EmitContext): Emission | Promise<Emission>;
}

/** Properties of the environment in which the generated code runs. */
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

/**
 * Runs emitters one after the other.
 *
 * @throws Error when two emitters have the same name or emit the same file
 */
export async function runEmitters(
  emitters: readonly Emitter[],
  api: Api,
  context: EmitContext,
): Promise<Emission> {
  const names = emitters.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`Two emitters have the name ${duplicate}.`);
  const combined: Emission = { files: [], problems: [] };
  const owners = new Map<string, string>();
  for (const emitter of emitters) {
    const { files, problems } = await emitter.emit(api, context);
    for (const { path } of files) {
      const owner = owners.get(path);
      if (owner !== undefined)
        throw new Error(`The emitters ${owner} and ${emitter.name} both emit ${path}.`);
      owners.set(path, emitter.name);
    }
    combined.files.push(...files);
    combined.problems.push(...problems);
  }
  return combined;
}
