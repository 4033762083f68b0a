import type { Diagnostic } from "../diagnostic.js";

/** One hand-written file with its missing handlers added, or a new one. */
export interface AdapterEdit {
  /** Absolute path. */
  file: string;
  /** The whole file after the edit, with its byte order mark where it has one. */
  content: string;
  /** Names of the operations that got a stub, in the order of the file. */
  added: string[];
  created: boolean;
  /** What the file held when the edit was planned. Checked before writing: nobody's save is overwritten. */
  before?: string;
}

/** What the adapters need, sorted by file, and what is odd about them, sorted by file and position. */
export interface AdapterReport {
  edits: AdapterEdit[];
  diagnostics: Diagnostic[];
}
