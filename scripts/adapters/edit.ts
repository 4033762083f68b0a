import type ts from "typescript";
import { compiler } from "../compiler.js";
import type { Diagnostic } from "../diagnostic.js";
import type { HandledOperation } from "./groups.js";
import type { AdapterEdit } from "./report.js";
import { findImplementations, type Wanted } from "./find.js";
import { groupBy } from "./group-by.js";
import { applySplices, insertStubs } from "./insert.js";
import { membersOf } from "./members.js";
import { parseTexts } from "./parse.js";
import { placeOf } from "./place.js";
import type { Located, WantedInFolder } from "./locate.js";
import type { InterfaceReference } from "./references.js";
import { stubLines, type StubTyping } from "./stub.js";

/** The operations of one interface that an implementation has no handler for. */
export interface Addition {
  implementation: Located;
  reference: InterfaceReference;
  operations: HandledOperation[];
}

/**
 * Adds the stubs, one edit per file. Each result is read again before it counts as an edit: should a stub
 * not have become a handler, the file stays as it is and the reader is told.
 */
export function editFiles(
  additions: Addition[],
  groupsIn: WantedInFolder["groupsIn"],
): { edits: AdapterEdit[]; diagnostics: Diagnostic[] } {
  const byFile = groupBy(additions, ({ implementation }) => implementation.source.file);
  const drafts = [...byFile].map(([file, inFile]) => ({ file, inFile, text: draftText(inFile) }));
  const edits: AdapterEdit[] = [];
  const diagnostics: Diagnostic[] = [];
  // Only the drafts are parsed here: nothing to do when all handlers are there.
  const parsed = drafts.length > 0 ? parseTexts(drafts) : [];
  drafts.forEach(({ file, inFile, text }, index) => {
    const result = parsed[index];
    const [first] = inFile;
    if (!result || !first) return;
    const { source, tree, body } = first.implementation;
    if (
      result.syntaxError ||
      !inFile.every((addition) => isHandled(result.tree, addition, (one) => groupsIn(one, file)))
    ) {
      const position = placeOf(file, tree, body.getEnd() - 1);
      const message = "handlers are missing and could not be added here; add them by hand";
      diagnostics.push({ severity: "warning", message, position });
      return;
    }
    edits.push({
      file,
      content: source.mark + text,
      added: sorted(inFile).flatMap(({ operations }) => operations.map(({ name }) => name)),
      created: false,
      before: source.mark + source.text,
    });
  });
  return { edits, diagnostics };
}

function draftText(inFile: Addition[]): string {
  const text = inFile[0]?.implementation.source.text ?? "";
  // One class may implement several interfaces: its stubs go in together.
  const byBody = groupBy(sorted(inFile), ({ implementation }) => implementation.body);
  const splices = [...byBody].flatMap(([body, parts]) => {
    const stubs = parts.flatMap((part) => part.operations.map((one) => stubLines(one, typingFor(part))));
    return insertStubs(text, body, stubs);
  });
  return applySplices(text, splices);
}

function sorted(inFile: Addition[]): Addition[] {
  return [...inFile].sort((one, other) => one.implementation.body.pos - other.implementation.body.pos);
}

function typingFor({ implementation, reference }: Addition): StubTyping {
  if (compiler.isObjectLiteralExpression(implementation.body)) {
    return implementation.contextual ? { kind: "contextual" } : { kind: "none" };
  }
  const text = reference.node.getText().replace(/\s+/g, " ");
  // A line comment inside would swallow the rest of the line that we make of it.
  return text.includes("//") || text.includes("/*") ? { kind: "none" } : { kind: "interface", text };
}

function isHandled(
  tree: ts.SourceFile,
  { reference, operations }: Addition,
  groupsIn: Wanted["groupsIn"],
): boolean {
  const { implementations } = findImplementations(tree, {
    isWanted: ({ name }) => name === reference.name,
    groupsIn,
  });
  return implementations.some(({ body }) => {
    const names = new Set(membersOf(body).members.map(({ name }) => name));
    return operations.every(({ name }) => names.has(name));
  });
}
