import type { Diagnostic } from "../diagnostic.js";
import { createWarning } from "./adapter.js";
import type { AdapterEdit, AdapterFile } from "./files.js";
import { placeImports, placeMembers } from "./insert.js";
import type { ParsedFile } from "./parse.js";

/**
 * Adds the planned members to the adapters in files. The results are parsed again: a file in which a stub did not become a
 * handler is left alone, and a diagnostic is returned instead of an edit.
 */
export function editFiles(
  files: readonly ParsedFile[],
  parse: (files: readonly AdapterFile[]) => ParsedFile[],
): (AdapterEdit | Diagnostic)[] {
  if (!files.some(({ adapters }) => adapters.some(({ added }) => added.length > 0))) return [];
  const results = parse(files.map((file) => ({ ...file, text: insertMembers(file) })));
  return files.flatMap(({ file, text, adapters }, index): (AdapterEdit | Diagnostic)[] => {
    const result = results[index];
    const body = adapters.find(({ added }) => added.length > 0)?.body;
    if (!result || !body) return [];
    const isAdded = adapters.every(({ added }, at) =>
      added.every(
        ({ name, exportName }) =>
          result.adapters[at]?.members.has(name) &&
          (exportName === undefined || result.source.getLocal(exportName)),
      ),
    );
    const message = "Handlers are missing and could not be added here. Add them by hand.";
    if (!isAdded) return [createWarning(body, message, body.getEnd() - 1)];
    const stubs = adapters.flatMap(({ added }) => added.filter(({ exportName }) => exportName === undefined));
    return [
      {
        file,
        content: result.text,
        addedHandlers: stubs.map(({ name }) => name),
        created: false,
        previousContent: text,
      },
    ];
  });
}

/** Inserts the planned members. Spliced into the text, because ts-morph's `insertText` normalizes line ends. */
function insertMembers({ text: original, source, adapters }: ParsedFile): string {
  const insertions = adapters.flatMap(({ body, added }) => (body ? placeMembers(body, added) : []));
  const registrations = adapters.flatMap(({ added }) =>
    added.filter(({ exportName }) => exportName !== undefined),
  );
  insertions.push(...placeImports(source, registrations));
  // The source has no byte order mark.
  const mark = original.length - source.getFullText().length;
  return insertions
    .sort((one, other) => one.at - other.at)
    .reduceRight(
      (text, { at, text: inserted }) => text.slice(0, at + mark) + inserted + text.slice(at + mark),
      original,
    );
}
