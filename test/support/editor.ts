import { createHash } from "node:crypto";
import path from "node:path";
import ts from "typescript";
import { PROJECT } from "./api-document.js";

/** The output of an editor for a file. */
export interface EditorView {
  /** Hover texts of the names that `/*^*\/` precedes, in order, on one line each. */
  hovers: string[];
  /** The doc comments that the hovers show below these texts. */
  docs: string[];
  /** First lines of the compiler's messages. */
  messages: string[];
}

/** Parsed libraries, shared by all views of a test file. */
const registry = ts.createDocumentRegistry(true, PROJECT);

/**
 * Opens code in TypeScript's language service, with the settings of this project.
 *
 * @param name path of the file below the project; the file does not exist
 */
export function openInEditor(name: string, code: string): EditorView {
  const file = path.join(PROJECT, name);
  const { config } = ts.readConfigFile(path.join(PROJECT, "tsconfig.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, PROJECT);
  const options = { ...parsed.options, noUnusedLocals: false };
  const readFile = (each: string): string | undefined => (each === file ? code : ts.sys.readFile(each));
  const service = ts.createLanguageService(
    {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [file],
      // The registry caches files by version.
      getScriptVersion: (each) => (each === file ? createHash("sha256").update(code).digest("hex") : "1"),
      getScriptSnapshot: (each) => {
        const text = readFile(each);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => PROJECT,
      getDefaultLibFileName: (each) => ts.getDefaultLibFilePath(each),
      fileExists: (each) => each === file || ts.sys.fileExists(each),
      readFile,
    },
    registry,
  );
  const infos = [...code.matchAll(/\/\*\^\*\//g)].map((match) =>
    service.getQuickInfoAtPosition(file, match.index + match[0].length),
  );
  const hovers = infos.map((info) => ts.displayPartsToString(info?.displayParts).replace(/\s+/g, " "));
  const docs = infos.map((info) => ts.displayPartsToString(info?.documentation));
  const messages = service
    .getSemanticDiagnostics(file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  return { hovers, docs, messages };
}
