import type { BaseResolver, Document, NormalizedProblem } from "@redocly/openapi-core";
// The entry point of the package also loads a linter, and takes 0.4 s of processor time instead of 0.15 s.
import { bundleOas, createEmptyRedoclyConfig } from "@redocly/openapi-core/lib/bundle-oas";
import { parseAnchorReference } from "./anchors.js";
import { createFileDiagnostic, type Diagnostic } from "../diagnostic.js";
import type { ParsedFile } from "./parsed-file.js";
import { runWithoutReferences } from "./embedded.js";
import { OUTSIDE_ROOT } from "./read-source-file.js";
import { MAX_MESSAGE_LENGTH, MAX_PROBLEMS } from "./limits.js";
import { type Locations, locateInFile } from "./locations.js";
import { groupBy } from "../maps.js";
import { fragmentToPointer, getOwnValue, findValue } from "../json.js";
import {
  countOtherReferences,
  findReferenceCycles,
  formatUnresolvedMessage,
  isInData,
  isOptionalReference,
  suggestPointer,
} from "./references.js";
import { type ConfinedResolver, isUrl, FILE_HAS_ERRORS } from "./resolver.js";

/** Start of Redocly's message for a reference without a target. If a file cannot be read, a colon and the reason follow. */
const UNRESOLVED = "Can't resolve $ref";

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
        // Safe cast: Redocly uses only `source.absoluteRef` and `parsed`.
        doc: file as unknown as Document,
        // Safe cast: Redocly calls only the methods that the class implements.
        externalRefResolver: resolver as unknown as BaseResolver,
        config: createEmptyRedoclyConfig(),
      }),
    );
    return createDiagnostics(problems, file, resolver);
  } catch (error) {
    return describeException(error, file, resolver, locations);
  }
}

function createDiagnostics(
  problems: readonly NormalizedProblem[],
  root: ParsedFile,
  resolver: ConfinedResolver,
): Diagnostic[] {
  const relevantProblems = problems
    .map((problem) => readProblem(problem, resolver))
    .filter((problem) => !isFalseAlarm(problem));
  const groups = [...groupBy(relevantProblems, getCause).values()];
  const diagnostics = groups.slice(0, MAX_PROBLEMS).flatMap(([problem, ...others]): Diagnostic[] => {
    if (!problem) return [];
    const { isError, file, pointer } = problem;
    const severity = isError && !isOptionalReference(pointer) ? "error" : "warning";
    const message = describeProblem(problem, root).slice(0, MAX_MESSAGE_LENGTH);
    const position = file && locateInFile(file.source, pointer, "value");
    return [countOtherReferences({ severity, message, ...(position && { position }) }, others.length)];
  });
  if (groups.length > MAX_PROBLEMS)
    diagnostics.push(
      createFileDiagnostic(
        "error",
        root.source.absoluteRef,
        `${groups.length - MAX_PROBLEMS} more problems are not shown. Correct those shown first.`,
      ),
    );
  return diagnostics;
}

/** A problem that Redocly reports, with the value that it concerns. */
interface ReportedProblem {
  isError: boolean;
  message: string;
  file: ParsedFile | undefined;
  /** JSON pointer in the file. */
  pointer: string;
  value: unknown;
}

function readProblem(
  { severity, message, location }: NormalizedProblem,
  resolver: ConfinedResolver,
): ReportedProblem {
  const file = resolver.files.get(location[0]?.source.absoluteRef ?? "");
  const pointer = fragmentToPointer(location[0]?.pointer ?? "");
  return { isError: severity !== "warn", message, file, pointer, value: findValue(file?.parsed, pointer) };
}

/** Returns the cause of a problem: an unreadable file, references out of the root folder, or its own location. */
function getCause({ message, file, pointer }: ReportedProblem): string {
  if (!message.startsWith(`${UNRESOLVED}: `))
    return JSON.stringify([message, file?.source.absoluteRef, pointer]);
  return message.includes(OUTSIDE_ROOT) ? OUTSIDE_ROOT : message;
}

/**
 * Whether to drop a problem: OpenAPI allows the reference, or the errors in the referenced file are reported themselves.
 */
function isFalseAlarm({ message, pointer, value }: ReportedProblem): boolean {
  if (!message.startsWith(UNRESOLVED)) return false;
  if (message.endsWith(FILE_HAS_ERRORS) || isInData(pointer)) return true;
  // The `externalValue` of an example may be a URL.
  const external = getOwnValue(value, "externalValue");
  return typeof external === "string" && isUrl(external);
}

function describeProblem({ message, value, file }: ReportedProblem, root: ParsedFile): string {
  const ref = getOwnValue(value, "$ref") ?? value;
  // Redocly reads an anchor as part of the name of a file.
  const isAnchor = typeof ref === "string" && parseAnchorReference(ref) !== undefined;
  if (message === UNRESOLVED || isAnchor) {
    const pointer = typeof ref === "string" && ref.startsWith("#/") ? ref.slice(1) : undefined;
    const suggestion = pointer && suggestPointer((file ?? root).parsed, pointer);
    return formatUnresolvedMessage(ref, suggestion);
  }
  // A pointer without its `#`, or the plain name of a schema.
  const pointers = typeof ref === "string" ? [ref, `/components/schemas/${ref}`] : [];
  const pointer = pointers.find((each) => each.startsWith("/") && findValue(root.parsed, each) !== undefined);
  return pointer !== undefined
    ? `Can't resolve $ref ${JSON.stringify(ref)}: it is read as the name of a file. Write "#${pointer}".`
    : message;
}

/** Creates the diagnostics for an exception in Redocly, if possible with the location of its cause. */
function describeException(
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
