import { type Node, Project, type SourceFile, ts } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import { groupBy } from "../group-by.js";
import type { AdapterFile } from "./folder.js";
import { findImplementations, type Implementation, type ImplementationBody } from "./implementations.js";
import type { HandlerInterfaces, InterfaceReference } from "./interfaces.js";
import { listMembers, type Members } from "./members.js";

/** An object literal or a class, with the interfaces that it implements and the file that contains it. */
export interface Adapter extends Members {
  file: AdapterFile;
  body: ImplementationBody;
  references: InterfaceReference[];
}

/** The result of parsing files. */
interface ParsedAdapters {
  /** The same files, with a `problem` for each syntax error. */
  files: AdapterFile[];
  adapters: Adapter[];
  /** References to interfaces that are implemented by a value with unknown members. */
  opaqueReferences: InterfaceReference[];
}

/** Parses adapters in memory. Does not read other files, follow imports or check types. */
export class AdapterParser {
  readonly #project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: {
      strict: true,
      noResolve: true,
      noLib: true,
      types: [],
      target: ts.ScriptTarget.Latest,
    },
  });

  constructor(readonly interfaces: HandlerInterfaces) {}

  /** Finds the adapters in files. Parsing a file again invalidates all nodes of its previous content. */
  parse(files: readonly AdapterFile[]): ParsedAdapters {
    const sources = files.map((file) => ({
      file,
      source: this.#project.createSourceFile(file.file, file.text, { overwrite: true }),
    }));
    const parsed: ParsedAdapters = { files: [], adapters: [], opaqueReferences: [] };
    for (const { file, source } of sources) {
      const problem = file.problem ?? this.#findSyntaxError(source);
      parsed.files.push(problem ? { ...file, problem } : file);
      const implementations = problem ? [] : findImplementations(source, this.interfaces);
      parsed.adapters.push(...createAdapters(file, implementations));
      parsed.opaqueReferences.push(
        ...implementations.flatMap(({ reference, body }) => (body ? [] : [reference])),
      );
    }
    return parsed;
  }

  #findSyntaxError(source: SourceFile): Diagnostic | undefined {
    const errors = this.#project.getProgram().getSyntacticDiagnostics(source);
    const [first] = errors.sort((one, other) => one.getStart() - other.getStart());
    if (!first) return undefined;
    const text = ts.flattenDiagnosticMessageText(first.compilerObject.messageText, " ");
    return createWarning(source, `Syntax error: ${text} This file is left alone.`, first.getStart());
  }
}

/** Combines implementations with the same body: one object or class can implement several interfaces. */
function createAdapters(file: AdapterFile, implementations: readonly Implementation[]): Adapter[] {
  return [...groupBy(implementations, ({ body }) => body)].flatMap(([body, sameBody]) => {
    if (!body) return [];
    const references = new Map<string, InterfaceReference>();
    for (const { reference } of sameBody)
      if (!references.has(reference.name)) references.set(reference.name, reference);
    return [{ file, body, references: [...references.values()], ...listMembers(body) }];
  });
}

/** Creates a warning at the start of a node, or at an offset in its file. */
export function createWarning(node: Node, message: string, offset = node.getStart()): Diagnostic {
  const source = node.getSourceFile();
  const { line, column } = source.getLineAndColumnAtPos(offset);
  return {
    severity: "warning",
    message,
    position: { file: source.getFilePath(), line, col: column, pointer: "" },
  };
}
