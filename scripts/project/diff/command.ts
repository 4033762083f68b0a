import { parseArgs } from "node:util";
import { DiagnosticError } from "../../diagnostic.js";
import type { Change } from "./change.js";
import { formatReport } from "./report.js";
import { resolveDocument, type DocumentFile } from "./revision.js";
import { runCommand } from "../run-command.js";

const HELP = `Lists the changes between two versions of an OpenAPI document, rated by semantic versioning.

  npm run spec:diff -- OLD NEW

OLD and NEW are files, or REVISION:PATH in the git repository, such as main:spec/openapi.yaml.

The last line is the required version bump: major, minor, patch or none.
Exit codes: 0 success; 2 invalid document or arguments.
`;

async function run(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [oldName, newName, ...extra] = positionals;
  if (oldName === undefined || newName === undefined || extra.length > 0)
    throw new DiagnosticError(
      `expected two documents, got ${positionals.length}: npm run spec:diff -- OLD NEW`,
    );
  const oldDocument = resolveDocument(oldName);
  const newDocument = resolveDocument(newName);
  console.log(formatReport(await compare(oldDocument, newDocument), oldDocument, newDocument));
  return 0;
}

/** Compares two documents. Errors in a temporary checkout are reported with display names such as `main:spec/openapi.yaml`. */
async function compare(oldDocument: DocumentFile, newDocument: DocumentFile): Promise<Change[]> {
  // Imported lazily, so that errors in the arguments are reported without delay.
  const { compareDocuments } = await import("./compare.js");
  try {
    return await compareDocuments(oldDocument.file, newDocument.file);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw new DiagnosticError(
      error.diagnostics.map(({ position, ...diagnostic }) => {
        if (!position) return diagnostic;
        // Each function leaves the files of the other document unchanged.
        const file = oldDocument.toDisplayName(newDocument.toDisplayName(position.file));
        return { ...diagnostic, position: { ...position, file } };
      }),
    );
  }
}

await runCommand(HELP, run);
