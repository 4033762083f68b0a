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

  /**
   * Finds the adapters in files. Parsing a file again invalidates all nodes of its earlier contents.
   *
   * @returns the files, where a file with a syntax error has a `problem`; the adapters; and in `opaque` the interfaces
   *   that are implemented by a value with unknown members
   */
  parse(files: readonly AdapterFile[]): {
    files: AdapterFile[];
    adapters: Adapter[];
    opaque: InterfaceReference[];
  } {
    const sources = files.map((file) => ({
      file,
      source: this.#project.createSourceFile(file.file, file.text, { overwrite: true }),
    }));
    const parsed = sources.map(({ file, source }) => {
      const problem = file.problem ?? this.#findSyntaxError(source);
      if (problem) return { file: { ...file, problem }, adapters: [], opaque: [] };
      const implementations = findImplementations(source, this.interfaces);
      const opaque = implementations.flatMap(({ reference, body }) => (body ? [] : [reference]));
      return { file, adapters: createAdapters(file, implementations), opaque };
    });
    return {
      files: parsed.map(({ file }) => file),
      adapters: parsed.flatMap(({ adapters }) => adapters),
      opaque: parsed.flatMap(({ opaque }) => opaque),
    };
  }

  #findSyntaxError(source: SourceFile): Diagnostic | undefined {
    const errors = this.#project.getProgram().getSyntacticDiagnostics(source);
    const [first] = errors.sort((one, other) => one.getStart() - other.getStart());
    if (!first) return undefined;
    const text = ts.flattenDiagnosticMessageText(first.compilerObject.messageText, " ");
    return createWarning(source, `Syntax error: ${text} This file is left alone.`, first.getStart());
  }
}

function createAdapters(file: AdapterFile, found: readonly Implementation[]): Adapter[] {
  return [...groupBy(found, ({ body }) => body)].flatMap(([body, implementations]) => {
    if (!body) return [];
    const references = new Map<string, InterfaceReference>();
    for (const { reference } of implementations)
      if (!references.has(reference.name)) references.set(reference.name, reference);
    return [{ file, body, references: [...references.values()], ...listMembers(body) }];
  });
}

/** Creates a warning at a node, or at an offset of its file. */
export function createWarning(node: Node, message: string, offset = node.getStart()): Diagnostic {
  const source = node.getSourceFile();
  const { line, column } = source.getLineAndColumnAtPos(offset);
  return {
    severity: "warning",
    message,
    position: { file: source.getFilePath(), line, col: column, pointer: "" },
  };
}
