import type { Position } from "../../diagnostic.js";
import { escapeControlCharacters } from "../../print-diagnostics.js";
import { compareText } from "../../text.js";
import { unescapePointer } from "../../json.js";
import { type Change, compareImpacts, type Impact, pickStrongestImpact } from "./change.js";

/** Functions that return the display name of a file of each document. */
export interface DisplayNames {
  oldDocument: (file: string) => string;
  newDocument: (file: string) => string;
}

/**
 * Formats the report as text: the changes by impact with their locations, the counts, and the version bump in the last
 * line.
 */
export function formatTextReport(changes: readonly Change[], displayNames: DisplayNames): string {
  const sorted = [...changes].sort(
    (one, other) => compareImpacts(other.impact, one.impact) || compareText(one.path, other.path),
  );
  const lines = sorted.flatMap((change) => {
    const { where, what } = describeChange(change);
    return [
      `${change.impact}  ${where ? `${where}: ` : ""}${what}`,
      `       ${formatLocation(change, displayNames)}`,
    ];
  });
  const counts = countImpacts(changes);
  const total =
    changes.length === 0 ? "no changes" : counts.map(([impact, count]) => `${count} ${impact}`).join(", ");
  return [
    ...lines.map(escapeControlCharacters),
    ...(lines.length > 0 ? [""] : []),
    total,
    chooseBump(changes),
  ].join("\n");
}

/** Creates the report for JSON output. */
export function createJsonReport(changes: readonly Change[], displayNames: DisplayNames): object {
  return {
    bump: chooseBump(changes),
    summary: Object.fromEntries(countImpacts(changes)),
    changes: changes.map((change) => ({
      kind: change.kind,
      impact: change.impact,
      path: change.path,
      property: change.property,
      reasons: change.reasons,
      at: formatLocation(change, displayNames),
    })),
  };
}

/** Chooses the version bump that all changes together require. */
export function chooseBump(changes: readonly Change[]): Impact {
  return pickStrongestImpact(changes.map(({ impact }) => impact));
}

function countImpacts(changes: readonly Change[]): [Impact, number][] {
  return (["major", "minor", "patch"] as const).map((impact) => [
    impact,
    changes.filter((change) => change.impact === impact).length,
  ]);
}

function describeChange({ kind, path, property, reasons }: Change): { where: string; what: string } {
  const [, root = "", route = "", ...rest] = path.replace(/^#/, "").split("/").map(unescapePointer);
  const inPaths = root === "paths" && route !== "";
  const method = inPaths ? (rest[0] ?? "") : "";
  const isMethod = /^(?:get|put|post|delete|options|head|patch|trace|query)$/.test(method);
  const where = inPaths ? (isMethod ? `${method.toUpperCase()} ${route}` : route) : "";
  const steps = inPaths ? rest.slice(isMethod ? 1 : 0) : [root, route, ...rest].filter((step) => step !== "");
  const part = [...steps, ...(property === undefined || property === "key" ? [] : [property])].join(" › ");
  const what = reasons.length > 0 ? reasons.map(({ message }) => message).join(" ") : kind;
  return { where, what: `${what}${part ? `  (${part})` : ""}` };
}

function formatLocation({ base, revision }: Change, displayNames: DisplayNames): string {
  if (revision) return formatPosition(revision.position, displayNames.newDocument);
  return base ? `${formatPosition(base.position, displayNames.oldDocument)} of the old document` : "";
}

function formatPosition({ file, line, col }: Position, toDisplayName: (file: string) => string): string {
  return `${toDisplayName(file)}:${line}:${col}`;
}
