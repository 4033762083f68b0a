import { realpathSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type AdapterReport, applyAdapterEdits, planAdapters } from "./adapters/adapters.js";
import { isSettled, settle, settledKey } from "./adapters/settled.js";
import { type Diagnostic, DiagnosticError, formatDiagnostic } from "./diagnostic.js";
import { startEmitting } from "./emit/threads.js";
import type { OperationGroup } from "./model/model.js";
import { generate, generatedGroups } from "./pipeline.js";
import { generatorHash } from "./write/generator-hash.js";
import { sha256 } from "./write/hash.js";
import { isUpToDate } from "./write/manifest.js";
import { applyWrites, planWrites, type WritePlan } from "./write/output.js";

/** How this program was called, for what it says to the user. */
const CALLED = import.meta.url.endsWith(".ts") ? "npm run generate --" : "npx page-service generate";

const HELP = `Generates types, routes, client, validators and openapi.json from an OpenAPI 3.0 or 3.1 document.

  ${CALLED} --spec FILE --out DIR
      --adapters DIR   add a stub there for each operation that has no handler yet
      --check          write nothing; say what is out of step
      --response-validators
                       make response-validators.js too, to check responses in tests and development

Without --spec and --out: spec/openapi.yaml to generated/, stubs into src/adapters/.

Exit codes: 0 done, or in step; 1 out of step (--check); 2 the document or the arguments are wrong.
`;

interface Options {
  spec: string;
  out: string;
  /** Folder of the hand-written adapters; undefined for a document that has none. */
  adapters: string | undefined;
  check: boolean;
  /** Whether response-validators.js is made. */
  responseValidators: boolean;
  /** The command that brings everything in step. */
  command: string;
}

/** What there is to do: files of the output folder, and hand-written adapters. */
interface Work {
  plan: WritePlan;
  write(): Promise<void>;
  adapters: AdapterReport;
  warnings: Diagnostic[];
}

const NO_EDITS: AdapterReport = { edits: [], diagnostics: [] };
const NOTHING: WritePlan = { added: [], changed: [], unchanged: [], stale: [] };

function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      check: { type: "boolean", default: false },
      spec: { type: "string" },
      out: { type: "string" },
      adapters: { type: "string" },
      "response-validators": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const { spec, out } = values;
  if ((spec === undefined) !== (out === undefined)) {
    throw new DiagnosticError([
      { severity: "error", message: "--spec and --out go together: give both or neither" },
    ]);
  }
  const own = args.filter((argument) => argument !== "--check");
  return {
    spec: path.resolve(spec ?? "spec/openapi.yaml"),
    out: path.resolve(out ?? "generated"),
    adapters: values.adapters ?? (spec === undefined ? "src/adapters" : undefined),
    check: values.check,
    responseValidators: values["response-validators"],
    command: [CALLED, ...own].join(" ").replace(/ --$/, ""),
  };
}

async function findWork({ spec, out, adapters, responseValidators }: Options): Promise<Work> {
  const sources = await generatorHash();
  // What was made with another choice of files is not up to date.
  const generator = responseValidators ? sha256(`${sources} response validators`) : sources;
  if (await isUpToDate(out, generator, spec)) {
    const report =
      adapters === undefined ? NO_EDITS : await recheckAdapters(path.resolve(adapters), out, generator);
    return { plan: NOTHING, write: async () => {}, adapters: report, warnings: [] };
  }
  const emitting = startEmitting();
  try {
    const { api, files, warnings } = await generate(spec, out, generator, { emitting, responseValidators });
    const plan = await planWrites(out, files);
    const report = adapters === undefined ? NO_EDITS : await planFor(api.groups, path.resolve(adapters), out);
    return { plan, write: () => applyWrites(out, files, plan), adapters: report, warnings };
  } finally {
    await emitting.close();
  }
}

function planFor(groups: OperationGroup[], adapters: string, out: string): Promise<AdapterReport> {
  return planAdapters(groups, adapters, path.join(out, "routes.ts"));
}

/** The adapters may have changed while the document did not; those that have not since the last run are not parsed. */
async function recheckAdapters(adapters: string, out: string, generator: string): Promise<AdapterReport> {
  const key = await settledKey(adapters, generator, out);
  if (await isSettled(key)) return NO_EDITS;
  const report = await planFor(await generatedGroups(out), adapters, out);
  if (report.edits.length === 0 && report.diagnostics.length === 0) await settle(key);
  return report;
}

/** One line for each file that is, or would be, written. */
function describe({ plan, adapters }: Work, out: string): string[] {
  const show = (file: string): string => path.relative(process.cwd(), path.join(out, file));
  return [
    ...plan.added.map((file) => `  added    ${show(file)}`),
    ...plan.changed.map((file) => `  changed  ${show(file)}`),
    ...plan.stale.map((file) => `  removed  ${show(file)}`),
    ...adapters.edits.map(({ file, added, created }) => {
      const handlers = `${added.length === 1 ? "handler" : "handlers"} ${added.join(", ")}`;
      return `  ${created ? "added  " : "changed"}  ${path.relative(process.cwd(), file)}: ${handlers}, to be filled in (until then 501)`;
    }),
  ];
}

async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    console.log(HELP);
    return 0;
  }
  const started = performance.now();
  const work = await findWork(options);
  const diagnostics = [...work.warnings, ...work.adapters.diagnostics];
  for (const diagnostic of diagnostics) console.error(formatDiagnostic(diagnostic));
  const changes = describe(work, options.out);
  const spec = path.relative(process.cwd(), options.spec);

  if (options.check) {
    if (changes.length > 0) {
      console.error([`Out of step with ${spec}:`, ...changes, `Run: ${options.command}`].join("\n"));
      return 1;
    }
    // A handler without an operation is drift as well, but only its author can say what becomes of it.
    if (work.adapters.diagnostics.length > 0) return 1;
    console.log(`In step with ${spec}.`);
    return 0;
  }
  await work.write();
  await applyAdapterEdits(work.adapters.edits);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    changes.length > 0
      ? [`Generated from ${spec} in ${seconds} s:`, ...changes].join("\n")
      : `Nothing to do: in step with ${spec}.`,
  );
  return work.adapters.diagnostics.some(({ severity }) => severity === "error") ? 2 : 0;
}

/** Says what nobody has foreseen. A stack trace would tell a user nothing, and quotes the document as it is. */
function internalError(error: unknown): string {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `The generator failed on this document (${reason}). Report it with the document; DEBUG=1 shows where.`;
}

/**
 * The command: does what the arguments ask for and says what came of it.
 * @returns the exit code: 0 done, or in step; 1 out of step; 2 anything else
 */
export async function generateCommand(args: string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    if (error instanceof DiagnosticError) {
      for (const diagnostic of error.diagnostics) console.error(formatDiagnostic(diagnostic));
    } else if (error instanceof Error && "code" in error) {
      // The arguments, or the file system: the message says which, and the stack trace nothing more.
      console.error(formatDiagnostic({ severity: "error", message: error.message }));
    } else {
      console.error(formatDiagnostic({ severity: "error", message: internalError(error) }));
      if (process.env["DEBUG"]) console.error(error);
    }
    return 2;
  }
}

// `page-service generate` imports this module instead.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  process.exitCode = await generateCommand(process.argv.slice(2));
}
