import path from "node:path";
import { Project, type ts } from "ts-morph";

/** A parsed text, or where its first syntax error is. */
export interface ParsedText {
  tree: ts.SourceFile;
  syntaxError: { start: number; message: string } | undefined;
}

/**
 * Parses texts, and nothing but them: in memory, no imports followed, no library loaded, no types checked.
 * The results are in the order of the texts.
 */
export function parseTexts(texts: { file: string; text: string }[]): ParsedText[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noResolve: true, noLib: true, types: [] },
  });
  const sourceFiles = texts.map(({ file, text }, index) =>
    // A path of our own: the real one means nothing to the file system in memory, and names may repeat.
    project.createSourceFile(`/${index}/source${path.extname(file)}`, text),
  );
  const program = project.getProgram();
  return sourceFiles.map((sourceFile) => {
    const [first] = program
      .getSyntacticDiagnostics(sourceFile)
      .sort((one, other) => one.getStart() - other.getStart());
    if (!first) return { tree: sourceFile.compilerNode, syntaxError: undefined };
    const message = first.getMessageText();
    return {
      tree: sourceFile.compilerNode,
      syntaxError: {
        start: first.getStart(),
        message: typeof message === "string" ? message : message.getMessageText(),
      },
    };
  });
}
