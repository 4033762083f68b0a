import { parseArgs } from "node:util";
import { DiagnosticError } from "../diagnostic.js";
import { type Change, IMPACTS } from "./change.js";
import { bumpOf, jsonReport, textReport } from "./report.js";
import { findDocument, type GivenDocument } from "./revision.js";
import { runCommand } from "../run-command.js";

const HELP = `Tells what changed between two versions of an OpenAPI document, rated by semantic versioning.

  npm run spec:diff -- OLD NEW

OLD and NEW are files, or REVISION:PATH of the git repository, as in main:spec/openapi.yaml.

  --json            for programs: {"bump", "summary", "changes"}
  --fail-on LEVEL   exit code 1 when the changes are patch, minor or major, or more

The last line is the bump: major, minor, patch or none.
Exit codes: 0 compared; 1 what --fail-on asks for; 2 a document or the arguments are wrong.
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
    throw mistake(`two documents are compared, ${positionals.length} given: npm run spec:diff -- OLD NEW`);
  const level = IMPACTS.findIndex((impact) => impact !== "none" && impact === values["fail-on"]);
  if (values["fail-on"] !== undefined && level === -1)
    throw mistake(`--fail-on takes patch, minor or major, not ${JSON.stringify(values["fail-on"])}`);

  const given: GivenDocument[] = [];
  try {
    const base = findDocument(oldName);
    given.push(base);
    const revision = findDocument(newName);
    given.push(revision);
    const changes = await compare(base, revision);
    const shown = { base: base.show, revision: revision.show };
    console.log(
      values.json ? JSON.stringify(jsonReport(changes, shown), null, 2) : textReport(changes, shown),
    );
    return level !== -1 && IMPACTS.indexOf(bumpOf(changes)) >= level ? 1 : 0;
  } finally {
    for (const { remove } of given) remove();
  }
}

/** Problems of a document that was checked out for the time being are told of the revision that it is from. */
async function compare(base: GivenDocument, revision: GivenDocument): Promise<Change[]> {
  // Loaded here: it takes a while, which a mistake in the arguments need not wait for.
  const { compareDocuments } = await import("./compare.js");
  try {
    return await compareDocuments(base.file, revision.file);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw new DiagnosticError(
      error.diagnostics.map(({ position, ...rest }) => ({
        ...rest,
        ...(position && { position: { ...position, file: base.show(revision.show(position.file)) } }),
      })),
    );
  }
}

function mistake(message: string): DiagnosticError {
  return new DiagnosticError([{ severity: "error", message }]);
}

await runCommand(run);
