import { type Node, Project, type SourceFile, ts } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import { groupBy } from "../maps.js";
import type { OperationGroup } from "../model/model.js";
import type { AdapterFile } from "./files.js";
import {
  findImplementations,
  findOpaqueElement,
  type Implementation,
  type ImplementationBody,
  listMembers,
  type Member,
} from "./implementations.js";
import { InterfaceFinder, type InterfaceReference } from "./interfaces.js";

/** An implementation of one or more generated interfaces. */
export interface Adapter {
  references: InterfaceReference[];
  /** The object literal or class; undefined for a value whose members are unknown. */
  body: ImplementationBody | undefined;
  members: Member[];
  /** The node that may add members with unknown names, if there is one. */
  opaqueNode: Node | undefined;
}

/** An adapter file and its adapters. */
export interface ParsedAdapterFile {
  /** The same file, with a `problem` if it has a syntax error. */
  file: AdapterFile;
  adapters: Adapter[];
}

/** Parses adapters in memory. Does not read other files, follow imports or check types. */
export class AdapterParser {
  readonly #interfaces: InterfaceFinder;
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

  /** @param routesModule path of the generated routes */
  constructor(
    readonly groups: readonly OperationGroup[],
    routesModule: string,
  ) {
    this.#interfaces = new InterfaceFinder(groups, routesModule);
  }

  /** Finds the adapters in files. Parsing a file again invalidates all nodes of its previous content. */
  parse(files: readonly AdapterFile[]): ParsedAdapterFile[] {
    // All files are added first, because each change of the project discards the symbols of all files.
    const sources = files.map((file) => ({
      file,
      source: this.#project.createSourceFile(file.file, file.text, { overwrite: true }),
    }));
    return sources.map(({ file, source }) => {
      const problem = file.problem ?? this.#findSyntaxError(source);
      if (problem) return { file: { ...file, problem }, adapters: [] };
      const implementations = findImplementations(source, this.#interfaces, this.groups);
      return { file, adapters: createAdapters(implementations) };
    });
  }

  #findSyntaxError(source: SourceFile): Diagnostic | undefined {
    const errors = this.#project.getProgram().getSyntacticDiagnostics(source);
    const [first] = errors.sort((one, other) => one.getStart() - other.getStart());
    if (!first) return undefined;
    const text = ts.flattenDiagnosticMessageText(first.compilerObject.messageText, " ");
    return createWarning(source, `Syntax error: ${text} This file is left alone.`, first.getStart());
  }
}

/** Creates an adapter per body, because one object or class can implement several interfaces. */
function createAdapters(implementations: readonly Implementation[]): Adapter[] {
  const byNode = groupBy(implementations, ({ body, reference }) => body ?? reference.node);
  return [...byNode.values()].map((sameNode) => {
    const references = new Map(sameNode.map(({ reference }) => [reference.name, reference]));
    const body = sameNode[0]?.body;
    return {
      references: [...references.values()],
      body,
      members: body ? listMembers(body) : [],
      opaqueNode: body ? findOpaqueElement(body) : sameNode[0]?.reference.node,
    };
  });
}

/** Creates a warning at the start of a node, or at an offset in its file. */
export function createWarning(node: Node, message: string, offset = node.getStart()): Diagnostic {
  const source = node.getSourceFile();
  const { line, column } = source.getLineAndColumnAtPos(offset);
  const position = { file: source.getFilePath(), line, col: column, pointer: "" };
  return { severity: "warning", message, position };
}
