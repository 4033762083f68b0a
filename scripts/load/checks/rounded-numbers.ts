import type { Diagnostic } from "../../diagnostic.js";
import type { ParsedFile } from "../parsed-file.js";
import { MAX_DIAGNOSTICS } from "../limits.js";
import { locateInFile } from "../locations.js";
import { findValue, getOwnValue, parsePointer } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { getKindAt } from "../../json-schema/keywords.js";

/** Finds integers that JavaScript's numbers, with 53 bits, cannot represent. Each is reported once. Inclusive bounds are not. */
export function findRoundedNumbers({ source, parsed, largeNumbers }: ParsedFile): Diagnostic[] {
  const candidates = largeNumbers.filter(
    ({ value, pointer }) => Number.isInteger(value) && !isInclusiveBound(pointer, parsed),
  );
  const located = new Map<string, { value: number; pointer: string }>();
  // Only the first values are located, because this takes time.
  for (const { value, pointer } of candidates.slice(0, MAX_DIAGNOSTICS)) {
    // Undefined for any other value than an integer, e.g. a YAML alias.
    const text = source.matchValue(pointer, /[-+]?\d+(?![\w.])/y);
    if (text !== undefined && isRounded(text)) getOrCreate(located, text, () => ({ value, pointer }));
  }
  const diagnostics = [...located].map(([text, { value, pointer }]): Diagnostic => ({
    severity: "warning",
    message: `${text} is read as ${BigInt(value)}: JavaScript cannot represent it. Use a number up to ${Number.MAX_SAFE_INTEGER}, or a string.`,
    position: locateInFile(source, pointer),
  }));
  if (candidates.length > MAX_DIAGNOSTICS)
    diagnostics.push({
      severity: "warning",
      message: `${candidates.length - MAX_DIAGNOSTICS} more integers of this size were not checked.`,
      position: locateInFile(source, ""),
    });
  return diagnostics;
}

/** Whether a number is an inclusive bound, such as the largest int64, which rounds in the same way as the values it limits. */
function isInclusiveBound(pointer: string, root: unknown): boolean {
  const [, schema, bound] = /^(.*)\/(minimum|maximum)$/s.exec(pointer) ?? [];
  if (schema === undefined) return false;
  const flag = bound === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  return getKindAt(parsePointer(schema)) !== "data" && getOwnValue(findValue(root, schema), flag) !== true;
}

function isRounded(digits: string): boolean {
  const value = Number(digits);
  return Number.isFinite(value) && BigInt(digits) !== BigInt(value) && digits !== String(value);
}
