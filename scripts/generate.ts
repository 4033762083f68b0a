import { realpathSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type AdapterReport, applyAdapterEdits, planAdapters } from "./adapters/adapters.js";
import { handlerGroups } from "./adapters/groups.js";
import { isSettled, settle, settledKey } from "./adapters/settled.js";
import { type Diagnostic, DiagnosticError, formatDiagnostic } from "./diagnostic.js";
import type { Api, OperationGroup } from "./model/model.js";
import { generate, generatedGroups, type GenerateOptions } from "./pipeline.js";
import { startThreads, type Threads } from "./threads/threads.js";
import { FileWatcher } from "./watch.js";
import { generatorHash } from "./write/generator-hash.js";
import { sha256 } from "./write/hash.js";
import { isUpToDate } from "./write/manifest.js";
import { applyWrites, planWrites, type WritePlan } from "./write/output.js";

/** How this program was called, for what it says to the user. */
const CALLED = import.meta.url.endsWith(".ts") ? "npm run generate --" : "npx page-service generate";

const HELP = `Generates types, routes, client, validators and openapi.json from an OpenAPI 3.0, 3.1 or 3.2 document.
Bodies are JSON, text, forms, multipart with files, bytes and event streams.

  ${CALLED} --spec FILE --out DIR
      --adapters DIR   add a stub there for each operation that has no handler yet
      --check          write nothing; say what is out of step
      --response-validators
                       make response-validators.js too, to check responses in tests and development
      --watch          generate again whenever the document, its lint rules or an adapter is saved; Ctrl-C ends it

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
  watch: boolean;
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
      watch: { type: "boolean", default: false },
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
  if (values.check && values.watch) {
    throw new DiagnosticError([
      {
        severity: "error",
        message: "--check and --watch exclude each other: one only looks, the other writes",
      },
    ]);
  }
  const own = args.filter((argument) => argument !== "--check");
  return {
    spec: path.resolve(spec ?? "spec/openapi.yaml"),
    out: path.resolve(out ?? "generated"),
    adapters: values.adapters ?? (spec === undefined ? "src/adapters" : undefined),
    check: values.check,
    responseValidators: values["response-validators"],
    watch: values.watch,
    command: [CALLED, ...own].join(" ").replace(/ --$/, ""),
  };
}

/** Hash of the generator and of what it is to make: what was made with another choice of files is not up to date. */
async function hashOf({ responseValidators }: Options): Promise<string> {
  const sources = await generatorHash();
  return responseValidators ? sha256(`${sources} response validators`) : sources;
}

/** What is to be done when nothing is known of the last run but what it left. */
async function findWork(options: Options): Promise<Work> {
  const { spec, out, adapters } = options;
  const generator = await hashOf(options);
  if (await isUpToDate(out, generator, spec)) {
    const report =
      adapters === undefined ? NO_EDITS : await recheckAdapters(path.resolve(adapters), out, generator);
    return { plan: NOTHING, write: async () => {}, adapters: report, warnings: [] };
  }
  const threads = startThreads();
  try {
    return await makeWork(options, generator, threads);
  } finally {
    await threads.close();
  }
}

async function makeWork(
  options: Options,
  generator: string,
  threads: Threads,
  onFile?: (file: string) => void,
): Promise<Work> {
  const { spec, out, adapters, responseValidators } = options;
  let planned = Promise.resolve(NO_EDITS);
  const onApi = ({ groups }: Api): void => {
    if (adapters === undefined) return;
    planned = threads.planAdapters(...adapterTask(groups, path.resolve(adapters), out));
    // What is wrong with the document is reported first; this must not be taken for unhandled.
    planned.catch(() => {});
  };
  const how: GenerateOptions = { threads, responseValidators, onApi, ...(onFile ? { onFile } : {}) };
  const { files, warnings } = await generate(spec, out, generator, how);
  const plan = await planWrites(out, files);
  return { plan, write: () => applyWrites(out, files, plan), adapters: await planned, warnings };
}

function adapterTask(
  groups: OperationGroup[],
  adapters: string,
  out: string,
): Parameters<typeof planAdapters> {
  return [handlerGroups(groups), adapters, path.join(out, "routes.ts")];
}

/** The adapters may have changed while the document did not; those that have not since the last run are not parsed. */
async function recheckAdapters(adapters: string, out: string, generator: string): Promise<AdapterReport> {
  const key = await settledKey(adapters, generator, out);
  if (await isSettled(key)) return NO_EDITS;
  const report = await planAdapters(...adapterTask(await generatedGroups(out), adapters, out));
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
  if (options.watch) return watch(options);
  const started = performance.now();
  const work = await findWork(options);
  if (!options.check) return carryOut(work, options, started);

  printDiagnostics([...work.warnings, ...work.adapters.diagnostics]);
  const changes = describe(work, options.out);
  if (changes.length > 0) {
    console.error([`Out of step with ${nameOf(options)}:`, ...changes, `Run: ${options.command}`].join("\n"));
    return 1;
  }
  // A handler without an operation is drift as well, but only its author can say what becomes of it.
  if (work.adapters.diagnostics.length > 0) return 1;
  console.log(`In step with ${nameOf(options)}.`);
  return 0;
}

/**
 * Writes what there is to write and says so.
 *
 * @param onWritten is called between the two: what changes after something was said is somebody else's doing
 */
async function carryOut(
  work: Work,
  options: Options,
  started: number,
  onWritten = (): void => {},
): Promise<number> {
  printDiagnostics([...work.warnings, ...work.adapters.diagnostics]);
  await work.write();
  await applyAdapterEdits(work.adapters.edits);
  onWritten();
  const changes = describe(work, options.out);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    changes.length > 0
      ? [`Generated from ${nameOf(options)} in ${seconds} s:`, ...changes].join("\n")
      : `Nothing to do: in step with ${nameOf(options)}.`,
  );
  return work.adapters.diagnostics.some(({ severity }) => severity === "error") ? 2 : 0;
}

/** Says what nobody has foreseen. A stack trace would tell a user nothing, and quotes the document as it is. */
function internalError(error: unknown): string {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `The generator failed on this document (${reason}). Report it with the document; DEBUG=1 shows where.`;
}

/** Generates after each save until the user ends it; an error is said and waited out. */
async function watch(options: Options): Promise<number> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const generator = await hashOf(options);
  const watcher = new FileWatcher();
  const onFile = (file: string): void => watcher.add(file);
  onFile(options.spec);
  if (options.adapters !== undefined) onFile(path.resolve(options.adapters));
  let threads = startThreads();
  console.log(`Watching ${nameOf(options)} and the files that it refers to; Ctrl-C ends it.`);
  try {
    do {
      const started = performance.now();
      try {
        const work = await makeWork(options, generator, threads, onFile);
        // What is half done when the user ends it is left undone.
        if (stop.signal.aborted) break;
        await carryOut(work, options, started, () => {
          // Our own stubs are no reason to generate again.
          if (work.adapters.edits.length > 0 && options.adapters)
            watcher.accept(path.resolve(options.adapters));
        });
      } catch (error) {
        printError(error);
        console.error("Nothing is written. Waiting for the next save.");
        if (!(error instanceof DiagnosticError)) {
          // Whatever state the threads may be in: the next run gets new ones.
          await threads.close();
          threads = startThreads();
        }
      }
      const changed = await watcher.nextChange(stop.signal);
      if (changed.length > 0) {
        console.log(`\nChanged: ${changed.map((file) => path.relative(process.cwd(), file)).join(", ")}`);
      }
    } while (!stop.signal.aborted);
  } finally {
    await threads.close();
  }
  return 0;
}

function nameOf({ spec }: Options): string {
  return path.relative(process.cwd(), spec);
}

function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) console.error(formatDiagnostic(diagnostic));
}

function printError(error: unknown): void {
  if (error instanceof DiagnosticError) {
    printDiagnostics(error.diagnostics);
  } else if (error instanceof Error && "code" in error) {
    // The arguments, or the file system: the message says which, and the stack trace nothing more.
    printDiagnostics([{ severity: "error", message: error.message }]);
  } else {
    printDiagnostics([{ severity: "error", message: internalError(error) }]);
    if (process.env["DEBUG"]) console.error(error);
  }
}

/**
 * The command: does what the arguments ask for and says what came of it.
 * @returns the exit code: 0 done, or in step; 1 out of step; 2 anything else
 */
export async function generateCommand(args: string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    printError(error);
    return 2;
  }
}

// `page-service generate` imports this module instead.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename) {
  process.exitCode = await generateCommand(process.argv.slice(2));
}
