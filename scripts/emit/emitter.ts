import type { Api, Emission } from "../model/model.js";

/**
 * Makes one artifact of an API. An emitter reads and writes no files and returns the same for the same API. Built-in
 * emitters and those of users go through the same interface; nothing about an emitter is anywhere else.
 */
export interface Emitter {
  /** Unique among the emitters of a run, e.g. `client`. */
  readonly name: string;
  /**
   * Changes whenever the emitter would emit something else for the same API. If every emitter of a run has one, a
   * document that has not changed is not compiled again.
   */
  readonly version?: string;
  emit(api: Api, context: EmitContext): Emission | Promise<Emission>;
}

/** The environment that generated code will run in. */
export interface EmitContext {
  /** Module specifiers of the runtimes, for files directly in the output folder. */
  readonly runtime: Runtime;
}

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
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`Two emitters have the name ${repeated}.`);
  const all: Emission = { files: [], problems: [] };
  const owners = new Map<string, string>();
  for (const emitter of emitters) {
    const { files, problems } = await emitter.emit(api, context);
    for (const { path } of files) {
      const owner = owners.get(path);
      if (owner !== undefined)
        throw new Error(`The emitters ${owner} and ${emitter.name} both emit ${path}.`);
      owners.set(path, emitter.name);
    }
    all.files.push(...files);
    all.problems.push(...problems);
  }
  return all;
}
