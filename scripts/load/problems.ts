import type { NormalizedProblem } from "@redocly/openapi-core";
import { compareDiagnostics, type Diagnostic, type Position } from "../diagnostic.js";
import { MAX_MESSAGE, MAX_PROBLEMS } from "./limits.js";
import { isHarmlessStructure, isInData } from "./harmless.js";
import { positionIn } from "./places.js";
import { isObject, ownValue, valueAt } from "./pointer.js";
import type { ParsedFile } from "./inspect.js";
import { isUrl } from "./resolver.js";

/** What translating Redocly's problems needs to know of the document. */
export interface ProblemContext {
  root: ParsedFile;
  /** A file of the document by its absolute path, as it was read. */
  fileAt(path: string): ParsedFile | undefined;
  /** Base rules whose findings all count as the configuration says. */
  strict: ReadonlySet<string>;
}

/** Translates what lint and bundling found. Problems marked as ignored come back like any other. */
export function toDiagnostics(problems: readonly NormalizedProblem[], context: ProblemContext): Diagnostic[] {
  const kept = problems.filter((problem) => !isFalseAlarm(problem, context));
  const shown = kept.slice(0, MAX_PROBLEMS).map((problem): Diagnostic => {
    const severity = isHarmless(problem, context) || problem.severity === "warn" ? "warning" : "error";
    return {
      severity,
      message: shorten(messageOf(problem, context)),
      position: positionOf(problem),
      rule: problem.ruleId,
    };
  });
  if (kept.length > shown.length)
    shown.push({
      severity: kept.some((problem) => problem.severity === "error") ? "error" : "warning",
      message: `${kept.length - shown.length} more problems are not shown. Correct those shown first.`,
      position: { file: context.root.source.absoluteRef, line: 1, col: 1, pointer: "" },
    });
  return shown;
}

/** Sorts by file, line and column, and drops what says the same thing about the same place again. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byPlace = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { file = "", line = 0, col = 0 } = diagnostic.position ?? {};
    const key = JSON.stringify([file, line, col, diagnostic.message]);
    if (!byPlace.has(key) || diagnostic.severity === "error") {
      const known = byPlace.get(key);
      if (known?.severity !== "error") byPlace.set(key, diagnostic);
    }
  }
  return [...byPlace.values()].sort(compareDiagnostics);
}

/** Finds what Redocly reports although OpenAPI allows it, and what the model reports in its own way. */
function isFalseAlarm(problem: NormalizedProblem, context: ProblemContext): boolean {
  if (MODEL_RULES.has(problem.ruleId) && !context.strict.has(problem.ruleId)) return true;
  if (!problem.message.startsWith("Can't resolve $ref")) return false;
  if (isInData(pointerOf(problem))) return true;
  const value = reportedValue(problem, context);
  // A discriminator may map to the plain name of a schema.
  if (typeof value === "string" && /\/discriminator\/mapping\/[^/]+$/.test(pointerOf(problem)))
    return isObject(valueAt(context.root.parsed, "/components/schemas")) && namesSchema(value, context);
  // The value of an example may live behind a URL, for people to open. It is no reference.
  const external = ownValue(value, "externalValue");
  return typeof external === "string" && isUrl(external) && ownValue(value, "$ref") === undefined;
}

function namesSchema(name: string, context: ProblemContext): boolean {
  return ownValue(valueAt(context.root.parsed, "/components/schemas"), name) !== undefined;
}

/** Path parameters that only the path or only the list has, paths that differ by a name only, ids of several operations. */
const MODEL_RULES = new Set([
  "path-parameters-defined",
  "no-identical-paths",
  "operation-operationId-unique",
]);

/** Finds what hinders nobody. A configuration that has the rule as an error is taken at its word. */
function isHarmless(problem: NormalizedProblem, context: ProblemContext): boolean {
  const { ruleId, message } = problem;
  if (context.strict.has(ruleId)) return false;
  const pointer = pointerOf(problem);
  // An example that is not there is missed by nobody but readers.
  if (ruleId === "no-unresolved-refs") return /(^|[^s])\/examples\/[^/]+$/.test(pointer);
  return ruleId === "struct" && isHarmlessStructure(message, pointer, reportedValue(problem, context));
}

function messageOf(problem: NormalizedProblem, context: ProblemContext): string {
  const [suggestion] = problem.suggest;
  if (suggestion !== undefined) return `${problem.message} Did you mean \`${suggestion}\`?`;
  if (problem.message !== "Can't resolve $ref") return problem.message;
  const value = reportedValue(problem, context);
  const ref = ownValue(value, "$ref") ?? value;
  const shown = typeof ref === "string" ? ` ${JSON.stringify(ref)}` : "";
  return `Can't resolve $ref${shown}: nothing is there. Correct it or add what it names.`;
}

/** Messages quote the document, which can hold a name of megabytes. */
function shorten(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
}

function reportedValue(problem: NormalizedProblem, context: ProblemContext): unknown {
  const file = context.fileAt(problem.location[0]?.source.absoluteRef ?? "");
  return valueAt(file?.parsed, pointerOf(problem));
}

function pointerOf(problem: NormalizedProblem): string {
  const pointer = problem.location[0]?.pointer?.replace(/^#/, "") ?? "";
  return pointer === "/" ? "" : pointer;
}

function positionOf(problem: NormalizedProblem): Position | undefined {
  const [location] = problem.location;
  if (!location) return undefined;
  if (location.pointer === undefined)
    return {
      file: location.source.absoluteRef,
      line: location.start.line,
      col: location.start.col,
      pointer: "",
    };
  return positionIn(location.source, pointerOf(problem), location.reportOnKey === true);
}
