import { parseArgs } from "node:util";
import { DiagnosticError } from "../diagnostic.js";
import { type Change, IMPACTS } from "./change.js";
import { chooseVersionStep, createJsonReport, formatTextReport } from "./report.js";
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
  const [oldName, newName, ...more] = positionals;
  if (oldName === undefined || newName === undefined || more.length > 0)
    throw new DiagnosticError(
      `expected two documents, got ${positionals.length}: npm run spec:diff -- OLD NEW`,
    );
  const level = IMPACTS.findIndex((impact) => impact !== "none" && impact === values["fail-on"]);
  if (values["fail-on"] !== undefined && level === -1)
    throw new DiagnosticError(
      `--fail-on takes patch, minor or major, not ${JSON.stringify(values["fail-on"])}`,
    );

  const documents: DocumentFile[] = [];
  try {
    const base = resolveDocument(oldName);
    documents.push(base);
    const revision = resolveDocument(newName);
    documents.push(revision);
    const changes = await compare(base, revision);
    const displayNames = { base: base.displayName, revision: revision.displayName };
    console.log(
      values.json
        ? JSON.stringify(createJsonReport(changes, displayNames), null, 2)
        : formatTextReport(changes, displayNames),
    );
    return level !== -1 && IMPACTS.indexOf(chooseVersionStep(changes)) >= level ? 1 : 0;
  } finally {
    for (const { cleanUp } of documents) cleanUp();
  }
}

/** Compares two documents. Errors in a temporary checkout are reported with the display names of its files. */
async function compare(base: DocumentFile, revision: DocumentFile): Promise<Change[]> {
  // Imported lazily, so that errors in the arguments are reported without delay.
  const { compareDocuments } = await import("./compare.js");
  try {
    return await compareDocuments(base.file, revision.file);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw new DiagnosticError(
      error.diagnostics.map(({ position, ...rest }) => ({
        ...rest,
        ...(position && {
          position: { ...position, file: base.displayName(revision.displayName(position.file)) },
        }),
      })),
    );
  }
}

await runCommand(run);
