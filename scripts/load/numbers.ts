import type { Source } from "@redocly/openapi-core";
import type { Diagnostic } from "../diagnostic.js";
import type { ParsedFile } from "./inspect.js";
import { MAX_PROBLEMS } from "./limits.js";
import { pointOf, positionIn, type Keys } from "./places.js";
import { toPointer } from "./pointer.js";

/** Below this every integer is a number of its own. */
const LONG = /\d{16,}/g;

/**
 * Finds integers that are read as another one: a number of JavaScript holds 53 bits. Whoever calls the API is asked for
 * the one that was read, so each is warned about once, with one of its places.
 *
 * @param file is known to be JSON values without cycles
 */
export function findRoundedNumbers({ source, parsed }: ParsedFile): Diagnostic[] {
  // Hardly a document has one, and the text tells that fast.
  const rounded = new Set<number>();
  for (const [digits] of source.body.matchAll(LONG)) {
    if (isRounded(digits)) rounded.add(Number(digits));
  }
  if (rounded.size === 0) return [];

  const found = new Map<string, { value: number; pointer: string }>();
  let lookups = 0;
  const seen = new Set<object>();
  const open: { node: object; keys: Keys | undefined }[] = [];
  const visit = (value: unknown, keys: Keys | undefined): void => {
    if (typeof value === "object" && value !== null && !seen.has(value)) {
      seen.add(value);
      open.push({ node: value, keys });
    }
    if (typeof value !== "number" || !rounded.has(Math.abs(value))) return;
    lookups += 1;
    if (lookups > MAX_PROBLEMS) return;
    const pointer = pointerOf(keys);
    const text = textAt(source, pointer);
    if (text === undefined || !isRounded(text.replace(/^[-+]/, ""))) return;
    if (!found.has(text)) found.set(text, { value, pointer });
  };
  visit(parsed, undefined);
  // It grows meanwhile.
  for (const { node, keys } of open) {
    for (const [key, value] of Object.entries(node)) visit(value, { key, up: keys });
  }
  const problems = [...found].map(([text, { value, pointer }]): Diagnostic => ({
    severity: "warning",
    message: `${text} is read as ${BigInt(value)}: JavaScript has no such number. Use one up to ${Number.MAX_SAFE_INTEGER}, or a string.`,
    position: positionIn(source, pointer),
  }));
  // Finding places takes time.
  if (lookups > MAX_PROBLEMS) {
    problems.push({
      severity: "warning",
      message: `${lookups - MAX_PROBLEMS} more integers of that size were not looked at.`,
      position: positionIn(source, ""),
    });
  }
  return problems;
}

/** Whether digits stand for another integer than the number that is made of them, and are not what it is written as. */
function isRounded(digits: string): boolean {
  const value = Number(digits);
  return Number.isFinite(value) && BigInt(digits) !== BigInt(value) && digits !== String(value);
}

/** The integer that is written at a place; undefined when something else is, an alias of YAML for example. */
function textAt(source: Source, pointer: string): string | undefined {
  const { line, col } = pointOf(source, pointer);
  const rest = source.getLines()[line - 1]?.slice(col - 1);
  return rest === undefined ? undefined : /^[-+]?\d+(?![\w.])/.exec(rest)?.[0];
}

function pointerOf(keys: Keys | undefined): string {
  const list: string[] = [];
  for (let at = keys; at; at = at.up) list.push(at.key);
  return toPointer(list.reverse());
}
