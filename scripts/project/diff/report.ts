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
    const location = formatLocation(change, oldDocument, newDocument);
    return [`${change.bump}  ${where ? `${where}: ` : ""}${what}`, `       ${location}`];
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

function formatLocation(change: Change, oldDocument: DocumentFile, newDocument: DocumentFile): string {
  const side = change.newSide ?? change.oldSide;
  if (!side) return "";
  const { file, line, col } = side.position;
  const { toDisplayName } = change.newSide ? newDocument : oldDocument;
  return `${toDisplayName(file)}:${line}:${col}${change.newSide ? "" : " of the old document"}`;
}
