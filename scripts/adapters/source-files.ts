import { type Node, Project, type SourceFile, ts } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import type { AdapterFile } from "./folder.js";
import { findImplementations, type Implementation, type WantedInterfaces } from "./implementations.js";
import type { InterfaceReference } from "./interfaces.js";
import { type Members, membersOf } from "./members.js";

/** An implementation with its members and the file that contains it. */
export interface Adapter extends Implementation, Members {
  file: AdapterFile;
}

/** Parses adapters in memory: reads no other file, follows no imports and checks no types. */
export class SourceFiles {
  readonly #project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { noResolve: true, noLib: true, types: [], target: ts.ScriptTarget.Latest },
  });

  /**
   * Finds the implementations in some files. `opaque` are interfaces whose value has unknown members. Files with syntax
   * errors are reported and returned as skipped.
   */
  analyze(
    files: readonly AdapterFile[],
    wantedIn: (file: string) => WantedInterfaces,
  ): {
    adapters: Adapter[];
    opaque: InterfaceReference[];
    skipped: AdapterFile[];
    diagnostics: Diagnostic[];
  } {
    const sources = files.map((file) => ({
      file,
      source: this.#project.createSourceFile(file.file, file.text),
    }));
    const result = {
      adapters: [] as Adapter[],
      opaque: [] as InterfaceReference[],
      skipped: [] as AdapterFile[],
      diagnostics: [] as Diagnostic[],
    };
    for (const { file, source } of sources) {
      const error = this.syntaxError(source);
      if (error) {
        result.skipped.push(file);
        result.diagnostics.push(error);
        continue;
      }
      const { implementations, opaque } = findImplementations(source, wantedIn(file.file));
      result.opaque.push(...opaque);
      for (const found of implementations) result.adapters.push({ ...found, ...membersOf(found.body), file });
    }
    return result;
  }

  /** Parses new content of a file, which invalidates all nodes of the old content. */
  replace(file: string, text: string): SourceFile {
    return this.#project.createSourceFile(file, text, { overwrite: true });
  }

  /** The first syntax error of a file. */
  syntaxError(source: SourceFile): Diagnostic | undefined {
    const errors = this.#project.getProgram().getSyntacticDiagnostics(source);
    const [first] = errors.sort((one, other) => one.getStart() - other.getStart());
    if (!first) return undefined;
    const message = `Syntax error: ${ts.flattenDiagnosticMessageText(first.compilerObject.messageText, " ")} This file is left alone.`;
    return warningAt(source, message, first.getStart());
  }
}

/** A warning at a node, or at an offset of its file. */
export function warningAt(node: Node, message: string, offset = node.getStart()): Diagnostic {
  const source = node.getSourceFile();
  const { line, column } = source.getLineAndColumnAtPos(offset);
  return {
    severity: "warning",
    message,
    position: { file: source.getFilePath(), line, col: column, pointer: "" },
  };
}

/** Groups items by a key, in the order of first appearance. (`Map.groupBy` requires Node 21.) */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
