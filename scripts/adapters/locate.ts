import type ts from "typescript";
import type { Diagnostic } from "../diagnostic.js";
import { findImplementations, type Implementation } from "./find.js";
import { membersOf, type Members } from "./members.js";
import { parseTexts } from "./parse.js";
import { placeOf } from "./place.js";
import type { InterfaceReference } from "./references.js";
import type { AdapterSource, SkippedSource } from "./sources.js";

/** Something found in one of the adapter files. */
export interface InSource {
  source: AdapterSource;
  tree: ts.SourceFile;
}

/** An implementation with the file it is in and the members it has. */
export interface Located extends Implementation, Members, InSource {}

/** What the files hold. */
export interface Survey {
  implementations: Located[];
  /** Annotated values whose handlers cannot be seen. */
  opaque: (InterfaceReference & InSource)[];
  /** Files that do not parse. */
  skipped: SkippedSource[];
  diagnostics: Diagnostic[];
}

/** Which annotations count, by the file that they are in. */
export interface WantedInFolder {
  isWanted(reference: InterfaceReference, file: string): boolean;
  groupsIn(reference: InterfaceReference, file: string): ReadonlyMap<string, string> | undefined;
}

/** Parses the files and finds the implementations of the interfaces that are wanted. */
export function survey(sources: AdapterSource[], { isWanted, groupsIn }: WantedInFolder): Survey {
  const result: Survey = { implementations: [], opaque: [], skipped: [], diagnostics: [] };
  const parsed = parseTexts(sources);
  sources.forEach((source, index) => {
    const { tree, syntaxError } = parsed[index] ?? {};
    if (!tree) return;
    if (syntaxError) {
      const position = placeOf(source.file, tree, syntaxError.start);
      const message = `cannot be parsed, left alone: ${syntaxError.message}`;
      result.diagnostics.push({ severity: "warning", message, position });
      result.skipped.push({ file: source.file, text: source.text });
      return;
    }
    const found = findImplementations(tree, {
      isWanted: (reference) => isWanted(reference, source.file),
      groupsIn: (reference) => groupsIn(reference, source.file),
    });
    for (const implementation of found.implementations) {
      result.implementations.push({ ...implementation, ...membersOf(implementation.body), source, tree });
    }
    result.opaque.push(...found.opaque.map((reference) => ({ ...reference, source, tree })));
  });
  return result;
}
