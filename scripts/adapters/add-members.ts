import type { Diagnostic } from "../diagnostic.js";
import type { AdapterEdit, AdapterFile } from "./files.js";
import type { ImplementationBody } from "./implementations.js";
import { type NewMember, placeImports, placeMembers } from "./insert.js";
import { type AdapterParser, createWarning } from "./parser.js";

const BYTE_ORDER_MARK = "\uFEFF";

/** Members to add to an adapter. */
export interface Addition {
  body: ImplementationBody;
  members: NewMember[];
}

/**
 * Adds members to the adapters of one file. The result is parsed again: if a stub did not become a handler, the file is
 * left alone and a diagnostic is returned instead of an edit.
 */
export function addMembers(
  parser: AdapterParser,
  file: AdapterFile,
  first: Addition,
  ...others: readonly Addition[]
): AdapterEdit | Diagnostic {
  const additions = [first, ...others];
  const source = first.body.getSourceFile();
  const message = "Handlers are missing and could not be added here. Add them by hand.";
  // Created first, because parsing the file again makes its nodes invalid.
  const failure = createWarning(first.body, message, first.body.getEnd() - 1);
  const added = additions.flatMap(({ members }) => members);
  const registrations = added.filter(({ exportName }) => exportName !== undefined);
  const insertions = additions.flatMap(({ body, members }) => placeMembers(body, members));
  insertions.push(...placeImports(source, registrations));
  // Spliced from the end, because ts-morph's `insertText` normalizes line ends.
  let text = source.getFullText();
  for (const { at, text: inserted } of insertions.sort((one, other) => one.at - other.at).reverse())
    text = text.slice(0, at) + inserted + text.slice(at);

  const adapters = parser.parse([{ ...file, text }]).flatMap((parsed) => parsed.adapters);
  const isAdded = additions.every(({ members }) =>
    adapters.some((adapter) => {
      const names = new Set(adapter.members.map(({ name }) => name));
      return members.every(({ name }) => names.has(name));
    }),
  );
  const newSource = adapters[0]?.body?.getSourceFile();
  if (!isAdded || !registrations.every(({ exportName = "" }) => newSource?.getLocal(exportName)))
    return failure;
  return {
    file: file.file,
    // The source has no byte order mark.
    content: (file.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "") + text,
    addedHandlers: added.filter(({ exportName }) => exportName === undefined).map(({ name }) => name),
    created: false,
    previousContent: file.text,
  };
}
