import type { Api, Emission } from "../model/model.js";

/** Makes one artifact of an API. It reads and writes no file, and gives the same for the same API. */
export type Emitter = (api: Api) => Emission;

/** Loads each emitter by its name, in the order of what they give. Some load a compiler: only who needs one pays. */
export const EMITTERS = {
  types: async () => (await import("./types.js")).emitTypes,
  routes: async () => (await import("./routes.js")).emitRoutes,
  client: async () => (await import("./client.js")).emitClient,
  validators: async () => (await import("./validators.js")).emitValidators,
  specJson: async () => (await import("./spec-json.js")).emitSpecJson,
} satisfies Record<string, () => Promise<Emitter>>;

export type EmitterName = keyof typeof EMITTERS;
export type Emissions = Map<EmitterName, Emission>;

/** What each of some emitters gives. */
export async function emitSome(names: readonly EmitterName[], api: Api): Promise<Emissions> {
  const emissions: Emissions = new Map();
  for (const name of names) {
    const emitter = await EMITTERS[name]();
    emissions.set(name, emitter(api));
  }
  return emissions;
}

/** Joins what the emitters gave, in an order that does not depend on when they were done. */
export function join(emissions: Emissions): Emission {
  // The cast: these are the keys of the object above.
  const ordered = (Object.keys(EMITTERS) as EmitterName[]).flatMap((name) => emissions.get(name) ?? []);
  return {
    files: ordered.flatMap(({ files }) => files),
    problems: ordered.flatMap(({ problems }) => problems),
  };
}
