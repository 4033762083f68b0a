import type { Diagnostic } from "../diagnostic.js";

/** A hand-written file with stubs for its missing handlers, or a new file. */
export interface AdapterEdit {
  /** Absolute path. */
  file: string;
  /** The whole file after the edit. */
  content: string;
  /** Names of the operations that receive a stub, in the order of the file; empty where only groups are added. */
  added: string[];
  created: boolean;
  /** The whole file before the edit; a file that has changed since is not overwritten. */
  before?: string;
}

/** Edits sorted by file, and diagnostics sorted by file and position. */
export interface AdapterReport {
  edits: AdapterEdit[];
  diagnostics: Diagnostic[];
}

/** Creates a diagnostic about a whole file. */
export function diagnoseFile(severity: Diagnostic["severity"], file: string, message: string): Diagnostic {
  return { severity, message, position: { file, line: 1, col: 1, pointer: "" } };
}
