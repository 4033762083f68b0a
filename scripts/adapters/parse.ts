import path from "node:path";
import type ts from "typescript";
import { compiler } from "../compiler.js";

/** A parsed text, or where its first syntax error is. */
export interface ParsedText {
  tree: ts.SourceFile;
  syntaxError: { start: number; message: string } | undefined;
}

const OPTIONS: ts.CompilerOptions = { noResolve: true, noLib: true, types: [] };

/**
 * Parses texts, and nothing but them: in memory, no imports followed, no library loaded, no types checked.
 * The results are in the order of the texts.
 */
export function parseTexts(texts: { file: string; text: string }[]): ParsedText[] {
  const trees = new Map(
    texts.map(({ file, text }, index) => {
      // A path of our own: names may repeat.
      const name = `/${index}/source${path.extname(file)}`;
      return [name, compiler.createSourceFile(name, text, compiler.ScriptTarget.Latest, true)];
    }),
  );
  const program = compiler.createProgram([...trees.keys()], OPTIONS, hostOf(trees));
  return [...trees.values()].map((tree) => {
    const [first] = [...program.getSyntacticDiagnostics(tree)].sort((one, other) => one.start - other.start);
    if (!first) return { tree, syntaxError: undefined };
    const message = compiler.flattenDiagnosticMessageText(first.messageText, "\n");
    return { tree, syntaxError: { start: first.start, message } };
  });
}

/** A file system that has nothing but the trees. */
function hostOf(trees: ReadonlyMap<string, ts.SourceFile>): ts.CompilerHost {
  return {
    getSourceFile: (name) => trees.get(name),
    fileExists: (name) => trees.has(name),
    readFile: (name) => trees.get(name)?.text,
    getDefaultLibFileName: () => "",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => {},
  };
}
