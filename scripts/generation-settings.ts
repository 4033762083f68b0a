import type { Emitter } from "./emit/emitter.js";

/** The input and the targets of a generation. */
export interface GenerationSettings {
  /** Path of the root file of the OpenAPI document. */
  spec: string;
  /** Output folder. */
  out: string;
  /** Folder that references of the document may not lead out of; the folder of the document by default. */
  root?: string | undefined;
  /** Folder of the hand-written adapters; undefined to leave adapters alone. */
  adapters?: string | undefined;
  /** The artifacts to emit; those of `defaultEmitters()` by default. */
  emitters?: readonly Emitter[] | undefined;
}
