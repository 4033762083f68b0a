import { compareText } from "./text.js";

/** Location in a source file. Lines and columns count from 1, as in editors. */
export interface Position {
  /** Absolute path of the file. */
  file: string;
  line: number;
  col: number;
  /** JSON pointer inside that file, e.g. `/paths/~1v1~1pages/post`; empty for the whole file. */
  pointer: string;
}

/** An error or a warning about a document, hand-written adapters or the arguments. */
export interface Diagnostic {
  severity: "error" | "warning";
  /** The problem and its remedy, in one or two sentences. */
  message: string;
  /** Location of the cause; absent for problems without one, such as a wrong argument. */
  position?: Position;
}

/** A problem in the bundled document, located by a JSON pointer: positions change with every edit before them. */
export interface Problem {
  readonly severity: "error" | "warning";
  readonly pointer: string;
  readonly message: string;
}

/** Stops the pipeline with all diagnostics found so far. The command prints them and exits with 2. */
export class DiagnosticError extends Error {
  readonly diagnostics: Diagnostic[];

  /** @param reported diagnostics, or the message of an error at the position */
  constructor(reported: Diagnostic[] | string, position?: Position) {
    const diagnostics: Diagnostic[] =
      typeof reported === "string"
        ? [{ severity: "error", message: reported, ...(position ? { position } : {}) }]
        : reported;
    super(diagnostics.map(({ message }) => message).join("\n"));
    this.name = "DiagnosticError";
    this.diagnostics = diagnostics;
  }
}

export function createFileDiagnostic(
  severity: Diagnostic["severity"],
  file: string,
  message: string,
): Diagnostic {
  return { severity, message, position: { file, line: 1, col: 1, pointer: "" } };
}

export function hasErrors(problems: readonly Pick<Diagnostic, "severity">[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

function compareDiagnostics(one: Diagnostic, other: Diagnostic): number {
  return (
    compareText(one.position?.file ?? "", other.position?.file ?? "") ||
    (one.position?.line ?? 0) - (other.position?.line ?? 0) ||
    (one.position?.col ?? 0) - (other.position?.col ?? 0) ||
    compareText(one.message, other.message)
  );
}

/** Locates problems in the source files, and sorts them by position. */
export function locateProblems(
  problems: readonly Problem[],
  locate: (pointer: string) => Position,
): Diagnostic[] {
  return sortDiagnostics(
    problems.map(({ severity, message, pointer }) => ({ severity, message, position: locate(pointer) })),
  );
}

/** Sorts diagnostics by position. Drops repeated messages at a position, and warnings about a node that has an error. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = new Map<string, Diagnostic>();
  // A pointer is empty for problems of the text and of the whole file, which can have several causes.
  const getNode = ({ position }: Diagnostic): string | undefined =>
    position && position.pointer !== "" ? `${position.file}#${position.pointer}` : undefined;
  const wrongNodes = new Set(diagnostics.filter(({ severity }) => severity === "error").map(getNode));
  wrongNodes.delete(undefined);
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === "warning" && wrongNodes.has(getNode(diagnostic))) continue;
    const key = JSON.stringify([diagnostic.position, diagnostic.message]);
    if (diagnostic.severity === "error" || !unique.has(key)) unique.set(key, diagnostic);
  }
  return [...unique.values()].sort(compareDiagnostics);
}
