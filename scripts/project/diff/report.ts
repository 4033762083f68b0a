import type { Position } from "../../diagnostic.js";
import { escapeControlCharacters } from "../../print-diagnostics.js";
import { compareText } from "../../text.js";
import { unescapePointer } from "../../json.js";
import { type Change, compareBumps, getLargestBump } from "./change.js";
import type { DocumentFile } from "./revision.js";

/** Formats the report: the changes by bump with their locations, the counts, and the version bump in the last line. */
export function formatReport(
  changes: readonly Change[],
  oldDocument: DocumentFile,
  newDocument: DocumentFile,
): string {
  const sorted = [...changes].sort(
    (one, other) => compareBumps(other.bump, one.bump) || compareText(one.path, other.path),
  );
  const lines = sorted.flatMap((change) => {
    const { where, what } = describeChange(change);
    return [
      `${change.bump}  ${where ? `${where}: ` : ""}${what}`,
      `       ${formatChangeLocation(change, oldDocument, newDocument)}`,
    ];
  });
  const counts = (["major", "minor", "patch"] as const).map(
    (bump) => `${changes.filter((change) => change.bump === bump).length} ${bump}`,
  );
  return [
    ...lines.map(escapeControlCharacters),
    ...(lines.length > 0 ? [""] : []),
    changes.length === 0 ? "no changes" : counts.join(", "),
    getLargestBump(changes),
  ].join("\n");
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

function formatChangeLocation(
  { oldSide, newSide }: Change,
  oldDocument: DocumentFile,
  newDocument: DocumentFile,
): string {
  if (newSide) return formatPosition(newSide.position, newDocument);
  return oldSide ? `${formatPosition(oldSide.position, oldDocument)} of the old document` : "";
}

function formatPosition({ file, line, col }: Position, { toDisplayName }: DocumentFile): string {
  return `${toDisplayName(file)}:${line}:${col}`;
}
