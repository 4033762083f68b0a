import type { Diagnostic } from "../diagnostic.js";

/** A change to a hand-written file that adds stubs for its missing handlers, or a new file. */
export interface AdapterEdit {
  /** Absolute path. */
  file: string;
  /** The whole file after the edit. */
  content: string;
  /**
   * Names of the operations that receive a stub, in the order of the file. Empty if the edit only registers new adapters
   * in the `Handlers` object.
   */
  addedHandlers: string[];
  /** Whether the file is new. */
  created: boolean;
  /** The whole existing file before the edit. A file that changed since then is not overwritten. */
  previousContent?: string;
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
