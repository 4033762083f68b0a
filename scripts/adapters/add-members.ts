import type { Diagnostic } from "../diagnostic.js";
import { groupBy } from "../group-by.js";
import { type NewMember, placeMembers } from "./insert.js";
import { type Adapter, type AdapterParser, createWarning } from "./parser.js";
import { placeImports } from "./registration.js";
import type { AdapterEdit } from "./report.js";

/** The members that an adapter lacks of one of its interfaces. */
export interface Addition {
  adapter: Adapter;
  interfaceName: string;
  members: NewMember[];
}

/**
 * Adds members to one file. The result is parsed again: if a stub did not become a handler, the file is left alone and a
 * diagnostic is returned instead of an edit.
 *
 * @param additions all additions to the file, at least one
 */
export function addMembers(parser: AdapterParser, additions: readonly Addition[]): AdapterEdit | Diagnostic {
  const sorted = [...additions].sort((one, other) => one.adapter.body.getPos() - other.adapter.body.getPos());
  // The cast: there is at least one addition.
  const [{ adapter }] = sorted as [Addition];
  const { file, body } = adapter;
  const message = "Handlers are missing and could not be added here. Add them by hand.";
  // Before the nodes of the file become invalid.
  const failure = createWarning(body, message, body.getEnd() - 1);
  const added = sorted.flatMap(({ members }) => members);
  const registrations = added.filter(({ exportName }) => exportName !== undefined);
  // One class may implement several interfaces.
  const insertions = [...groupBy(sorted, (addition) => addition.adapter.body)].flatMap(([target, parts]) =>
    placeMembers(
      target,
      parts.flatMap(({ members }) => members),
    ),
  );
  insertions.push(...placeImports(body.getSourceFile(), registrations));
  // Spliced, because ts-morph's `insertText` normalizes line ends.
  let text = file.text;
  for (const { at, text: inserted } of insertions.sort((one, other) => other.at - one.at))
    text = text.slice(0, at) + inserted + text.slice(at);

  const { adapters } = parser.parse([{ ...file, text }]);
  const isAdded = sorted.every(({ interfaceName, members }) =>
    adapters.some((one) => {
      const names = new Set(one.members.map(({ name }) => name));
      return (
        one.references.some(({ name }) => name === interfaceName) &&
        members.every(({ name }) => names.has(name))
      );
    }),
  );
  const source = adapters[0]?.body.getSourceFile();
  if (!isAdded || !registrations.every(({ exportName = "" }) => source?.getLocal(exportName))) return failure;
  return {
    file: file.file,
    content: file.byteOrderMark + text,
    addedHandlers: added.filter((member) => !registrations.includes(member)).map(({ name }) => name),
    created: false,
    previousContent: file.byteOrderMark + file.text,
  };
}
