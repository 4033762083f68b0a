import { parseArgs } from "node:util";
import { DiagnosticError } from "../../diagnostic.js";
import { type Change, compareImpacts, type Impact } from "./change.js";
import { chooseBump, createJsonReport, formatTextReport } from "./report.js";
import { resolveDocument, type DocumentFile } from "./revision.js";
import { runCommand } from "../run-command.js";

const HELP = `Lists the changes between two versions of an OpenAPI document, rated by semantic versioning.

  npm run spec:diff -- OLD NEW

OLD and NEW are files, or REVISION:PATH in the git repository, such as main:spec/openapi.yaml.

  --json            print JSON: {"bump", "summary", "changes"}
  --fail-on LEVEL   exit with 1 if a change is rated LEVEL (patch, minor or major) or higher

The last line is the bump: major, minor, patch or none.
Exit codes: 0 success; 1 changes at or above --fail-on; 2 invalid document or arguments.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      "fail-on": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [oldName, newName, ...extra] = positionals;
  if (oldName === undefined || newName === undefined || extra.length > 0)
    throw new DiagnosticError(
      `expected two documents, got ${positionals.length}: npm run spec:diff -- OLD NEW`,
    );
  const failLevel = values["fail-on"];
  if (failLevel !== undefined && !isFailLevel(failLevel))
    throw new DiagnosticError(`--fail-on takes patch, minor or major, not ${JSON.stringify(failLevel)}`);

  // Collected for cleanup, even if the second document cannot be resolved.
  const documents: DocumentFile[] = [];
  try {
    const oldDocument = resolveDocument(oldName);
    documents.push(oldDocument);
    const newDocument = resolveDocument(newName);
    documents.push(newDocument);
    const changes = await compare(oldDocument, newDocument);
    const displayNames = {
      oldDocument: oldDocument.toDisplayName,
      newDocument: newDocument.toDisplayName,
    };
    console.log(
      values.json
        ? JSON.stringify(createJsonReport(changes, displayNames), null, 2)
        : formatTextReport(changes, displayNames),
    );
    return failLevel !== undefined && compareImpacts(chooseBump(changes), failLevel) >= 0 ? 1 : 0;
  } finally {
    for (const { cleanUp } of documents) cleanUp();
  }
}

function isFailLevel(text: string): text is Exclude<Impact, "none"> {
  return text === "patch" || text === "minor" || text === "major";
}

/** Compares two documents. Errors in a temporary checkout are reported with the display names of its files. */
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

await runCommand(run);
