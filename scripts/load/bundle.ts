import type { BaseResolver, Document, NormalizedProblem } from "@redocly/openapi-core";
// The entry point of the package also loads a linter, and takes 0.4 s of processor time instead of 0.15 s.
import { bundleOas, createEmptyRedoclyConfig } from "@redocly/openapi-core/lib/bundle-oas";
import { compareDiagnostics, createFileDiagnostic, type Diagnostic, type Position } from "../diagnostic.js";
import { groupBy } from "../maps.js";
import type { ParsedFile } from "./parsed-file.js";
import { runWithoutReferences } from "./embedded.js";
import { OUTSIDE } from "./files.js";
import { MAX_MESSAGE, MAX_PROBLEMS } from "./limits.js";
import { type Locations, locateInFile } from "./locations.js";
import { getOwnValue, findValue } from "./pointer.js";
import { findReferenceCycles, isInData, isOptionalReference, formatUnresolvedMessage } from "./references.js";
import { type ConfinedResolver, isUrl, FILE_HAS_ERRORS } from "./resolver.js";

/**
 * Copies the targets of external references to the components of the root file, and reports references without a target.
 */
export async function bundleInPlace(
  file: ParsedFile,
  resolver: ConfinedResolver,
  locations: Locations,
): Promise<Diagnostic[]> {
  try {
    const { problems } = await runWithoutReferences(file.embedded, () =>
      bundleOas({
        // The casts: Redocly uses only `source.absoluteRef`, `parsed`, and the methods that the class implements.
        doc: file as unknown as Document,
        externalRefResolver: resolver as unknown as BaseResolver,
        config: createEmptyRedoclyConfig(),
      }),
    );
    return createDiagnostics(problems, file, resolver);
  } catch (error) {
    return explainCrash(error, file, resolver, locations);
  }
}

function createDiagnostics(
  problems: readonly NormalizedProblem[],
  root: ParsedFile,
  resolver: ConfinedResolver,
): Diagnostic[] {
  const actualProblems = problems.filter((problem) => !isFalseAlarm(problem, resolver));
  const diagnostics = keepOnePerCause(
    actualProblems.slice(0, MAX_PROBLEMS).map((problem): Diagnostic => {
      const position = locateProblem(problem, resolver);
      const isWarning = problem.severity === "warn" || isOptionalReference(getPointer(problem));
      const message = describeProblem(problem, root, resolver).slice(0, MAX_MESSAGE);
      return { severity: isWarning ? "warning" : "error", message, ...(position && { position }) };
    }),
  );
  if (actualProblems.length > MAX_PROBLEMS)
    diagnostics.push(
      createFileDiagnostic(
        "error",
        root.source.absoluteRef,
        `${actualProblems.length - MAX_PROBLEMS} more problems are not shown. Correct those shown first.`,
      ),
    );
  return diagnostics;
}

/** Merges the diagnostics of references to the same unreadable file, and of references that leave the folder. */
function keepOnePerCause(problems: Diagnostic[]): Diagnostic[] {
  const causes = groupBy(problems.sort(compareDiagnostics), ({ message, position }) => {
    const isUnreadable = message.startsWith("Can't resolve $ref: ");
    const cause = message.includes(OUTSIDE) ? OUTSIDE : message;
    return isUnreadable ? cause : JSON.stringify([message, position]);
  });
  return [...causes.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    const count = others.length === 1 ? "another reference" : `${others.length} other references`;
    return { ...first, message: `${first.message} The same is true of ${count}.` };
  });
}

/**
 * Whether OpenAPI allows the reference that Redocly reports, or an error inside the referenced file is reported instead.
 */
function isFalseAlarm(problem: NormalizedProblem, resolver: ConfinedResolver): boolean {
  if (!problem.message.startsWith("Can't resolve $ref")) return false;
  if (problem.message.endsWith(FILE_HAS_ERRORS) || isInData(getPointer(problem))) return true;
  // The `externalValue` of an example may be a URL.
  const external = getOwnValue(getReportedValue(problem, resolver), "externalValue");
  return typeof external === "string" && isUrl(external);
}

function describeProblem(problem: NormalizedProblem, root: ParsedFile, resolver: ConfinedResolver): string {
  const value = getReportedValue(problem, resolver);
  const ref = getOwnValue(value, "$ref") ?? value;
  const isAnchor = typeof ref === "string" && /#[^/]+$/.test(ref);
  const isOfRoot = problem.location[0]?.source.absoluteRef === root.source.absoluteRef;
  if (isAnchor && !(isOfRoot && ref.startsWith("#")))
    return `Can't resolve $ref ${JSON.stringify(ref)}: anchors of other files are not followed. Write the JSON pointer, such as "#/$defs/Name".`;
  if (problem.message === "Can't resolve $ref") return formatUnresolvedMessage(ref);
  const pointer = typeof ref === "string" ? `/components/schemas/${ref}` : "";
  return pointer !== "" && findValue(root.parsed, pointer) !== undefined
    ? `Can't resolve $ref ${JSON.stringify(ref)}: it is read as the name of a file. Write "#${pointer}".`
    : problem.message;
}

function getReportedValue(problem: NormalizedProblem, resolver: ConfinedResolver): unknown {
  const file = resolver.files.get(problem.location[0]?.source.absoluteRef ?? "");
  return findValue(file?.parsed, getPointer(problem));
}

function getPointer(problem: NormalizedProblem): string {
  const pointer = problem.location[0]?.pointer?.replace(/^#/, "") ?? "";
  return pointer === "/" ? "" : pointer;
}

function locateProblem(problem: NormalizedProblem, resolver: ConfinedResolver): Position | undefined {
  const file = resolver.files.get(problem.location[0]?.source.absoluteRef ?? "");
  return file && locateInFile(file.source, getPointer(problem), false);
}

/** Creates the diagnostics for an exception in Redocly, if possible with the location of its cause. */
function explainCrash(
  error: unknown,
  { source }: ParsedFile,
  resolver: ConfinedResolver,
  locations: Locations,
): Diagnostic[] {
  const cycles = findReferenceCycles([...resolver.files.values()], resolver.files, locations);
  if (cycles.length > 0) return cycles;
  const reason = error instanceof Error ? error.message : String(error);
  const message =
    error instanceof RangeError
      ? "The schemas refer to one another too deeply to be followed. Shorten the longest chain of schemas."
      : `The document cannot be bundled: ${reason}. Remove parts of the document to find the cause.`;
  return [createFileDiagnostic("error", source.absoluteRef, message)];
}
