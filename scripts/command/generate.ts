import { type CommandOptions, HELP, parseOptions } from "./options.js";
import {
  describeChanges,
  formatDocumentName,
  printError,
  printPlanDiagnostics,
  reportWritten,
} from "./report.js";
import { watch } from "./watch.js";
import { DiagnosticError, hasErrors } from "../diagnostic.js";
import { defaultEmitters, responseValidators } from "../emit/registry.js";
import { type GenerationPlan, planChanges } from "../generation.js";
import { readManifest } from "../write/manifest.js";

/**
 * Runs the command `generate`.
 * @returns the exit code: 0 done or up to date; 1 out of date with `--check`; 2 any failure
 */
export async function generateCommand(args: string[]): Promise<number> {
  try {
    const options = parseOptions(args);
    if (!options) {
      console.log(HELP);
      return 0;
    }
    await refuseUnknownEmitters(options.out);
    if (options.watch) {
      await watch(options);
      return 0;
    }
    const startMs = performance.now();
    const plan = await planChanges(options);
    printPlanDiagnostics(plan);
    if (options.check) return reportOutdatedFiles(plan, options);
    await plan.apply();
    return reportWritten(plan, options, startMs);
  } catch (error) {
    printError(error);
    return 2;
  }
}

/**
 * Refuses an output folder with files of emitters that only a program using the API has. The command would remove these files.
 *
 * @throws DiagnosticError
 */
async function refuseUnknownEmitters(out: string): Promise<void> {
  const known = new Set([...defaultEmitters(), responseValidators()].map(({ name }) => name));
  const others = ((await readManifest(out))?.emitters ?? []).filter((name) => !known.has(name));
  if (others.length > 0)
    throw new DiagnosticError(
      `${out} contains files that only a program can generate (emitters: ${others.join(", ")}). Run that program, or choose another --out.`,
    );
}

/** Reports files and handlers that are out of date. Returns the exit code. */
function reportOutdatedFiles(plan: GenerationPlan, options: CommandOptions): number {
  const changes = describeChanges(plan, options.out);
  const name = formatDocumentName(options);
  const failed = hasErrors(plan.adapters.diagnostics);
  const { hasOrphans } = plan.adapters;
  if (changes.length > 0)
    console.error(
      [`Out of date with ${name}:`, ...changes, `Run: ${options.commandWithoutCheck}`].join("\n"),
    );
  else if (hasOrphans && !failed)
    console.error("Out of date: the handlers listed above need a manual change.");
  else if (!failed) console.log(`Up to date with ${name}.`);
  if (failed) return 2;
  return changes.length > 0 || hasOrphans ? 1 : 0;
}
