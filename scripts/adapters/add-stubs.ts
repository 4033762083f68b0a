import { Node } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";
import { placeImports } from "./all-handlers.js";
import type { AdapterEdit, HandledOperation, Registration } from "./handlers.js";
import { findImplementations, type WantedInterfaces } from "./implementations.js";
import { placeStubs } from "./insert.js";
import type { InterfaceReference } from "./interfaces.js";
import { membersOf } from "./members.js";
import { type Adapter, groupBy, type SourceFiles, warningAt } from "./source-files.js";
import { stubLines, type StubTyping } from "./stub.js";

/** The operations or groups of an interface that an implementation has no member for. */
export interface Addition {
  adapter: Adapter;
  reference: InterfaceReference;
  missing: (HandledOperation | Registration)[];
}

/**
 * Adds stubs to one file. The result is parsed again: if a stub did not become a handler, the file is left alone and a
 * diagnostic is returned instead of an edit.
 *
 * @param additions all additions to the file, at least one
 */
export function addStubs(
  files: SourceFiles,
  additions: readonly Addition[],
  { groupsIn }: WantedInterfaces,
): AdapterEdit | Diagnostic {
  const sorted = [...additions].sort((one, other) => one.adapter.body.getPos() - other.adapter.body.getPos());
  const [{ adapter }] = sorted as [Addition];
  const { file, body } = adapter;
  const failure = warningAt(
    body,
    "Handlers are missing and could not be added here. Add them by hand.",
    body.getEnd() - 1,
  );
  // One class may implement several interfaces. All positions are computed before the first edit.
  const insertions = [...groupBy(sorted, (addition) => addition.adapter.body)].flatMap(([target, parts]) =>
    placeStubs(
      target,
      parts.flatMap((part) =>
        part.missing.map((one) =>
          "value" in one ? [`${one.name}: ${one.value}`] : stubLines(one, typingOf(part)),
        ),
      ),
    ),
  );
  const missing = sorted.flatMap((addition) => addition.missing);
  const registrations = missing.filter((one) => "value" in one);
  insertions.push(...placeImports(body.getSourceFile(), registrations));
  const added = sorted.map(({ reference, missing }) => ({
    interfaceName: reference.name,
    names: missing.map(({ name }) => name),
  }));
  // Spliced, because ts-morph's `insertText` normalizes line ends.
  let content = file.text;
  for (const { at, text } of insertions.sort((one, other) => other.at - one.at))
    content = content.slice(0, at) + text + content.slice(at);
  const source = files.replace(file.file, content);

  const isHandled = added.every(({ interfaceName, names }) => {
    const isWanted = ({ name }: InterfaceReference): boolean => name === interfaceName;
    return findImplementations(source, { isWanted, groupsIn }).implementations.some((found) => {
      const members = new Set(membersOf(found.body).members.map(({ name }) => name));
      return found.references.some(isWanted) && names.every((name) => members.has(name));
    });
  });
  const isImported = registrations.every(({ exported }) => source.getLocal(exported));
  if (!isHandled || !isImported || files.syntaxError(source)) return failure;
  return {
    file: file.file,
    content: file.mark + content,
    added: missing.flatMap((one) => ("value" in one ? [] : [one.name])),
    created: false,
    before: file.mark + file.text,
  };
}

function typingOf({ adapter, reference }: Addition): StubTyping {
  if (Node.isObjectLiteralExpression(adapter.body))
    return { kind: adapter.contextual ? "contextual" : "none" };
  const text = reference.node.getText().replace(/\s+/g, " ");
  // On one line, a line comment in the annotation would hide the rest.
  return /\/[/*]/.test(text) ? { kind: "none" } : { kind: "interface", text };
}
