import { format, type Options } from "prettier";
import type { GeneratedFile } from "../model/model.js";

/**
 * The project's `.prettierrc.json`, in code: what stands in the output folder or above it must not change
 * what is generated. Every option that could matter is in Prettier's defaults, which its pinned version fixes.
 */
const OPTIONS: Options = { printWidth: 110, embeddedLanguageFormatting: "off", endOfLine: "lf" };

/** Longer texts are left as their emitter lays them out: nobody reads them through, and they take Prettier most of a run. */
const LONGEST = 1_000_000;

const PARSERS: Record<string, string> = { ".ts": "typescript", ".js": "babel" };

/**
 * Formats generated code. Other files, JSON among them, come back as they are: `JSON.stringify` has laid them out.
 * @throws Error naming the file, if its text does not parse: a mistake of the emitter
 */
export async function formatFiles(files: GeneratedFile[]): Promise<GeneratedFile[]> {
  return Promise.all(files.map(formatFile));
}

async function formatFile(file: GeneratedFile): Promise<GeneratedFile> {
  const parser = PARSERS[/\.[a-z]+$/.exec(file.path)?.[0] ?? ""];
  if (parser === undefined || file.content.length > LONGEST) return file;
  try {
    return { path: file.path, content: await format(file.content, { ...OPTIONS, parser }) };
  } catch (error) {
    throw new Error(`${file.path} was generated with a syntax error. Report it with the document.`, {
      cause: error,
    });
  }
}
