import type { Diagnostic } from "../diagnostic.js";
import { findEmbeddedReferences } from "./embedded.js";
import { MAX_ALIASED_NODES, MAX_DEPTH, MAX_KEYS } from "./limits.js";
import { type Keys, type Locations, locateInFile, listKeys } from "./locations.js";
import { getOwnValue, toPointer } from "./pointer.js";
import type { ParsedFile } from "./parsed-file.js";
import { findReferenceCycles, leadsToPrototype } from "./references.js";

/** Marks a node whose children are being counted. A node that is found in this state contains itself. */
const IN_PROGRESS = { size: 0, height: 0 };

/**
 * Registers the location of every node of a freshly parsed file and collects its references. Reports values that
 * would make later passes loop, overflow the stack or access JavaScript prototypes. A file with problems must not be
 * used.
 */
export function inspectFile(file: ParsedFile, locations: Locations): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const counted = new Map<object, { size: number; height: number }>();
  const isDocument = getOwnValue(file.parsed, "openapi") !== undefined;
  const report = (keys: Keys | undefined, message: string) => {
    // Only one per file, because the same problem repeats in every ancestor.
    if (problems.length === 0)
      problems.push(createError(message, locateInFile(file.source, formatPointer(keys))));
  };

  function visit(node: object, keys: Keys | undefined, depth: number): { size: number; height: number } {
    const counts = counted.get(node);
    if (counts === IN_PROGRESS) {
      report(keys, "An alias contains itself. Write the value out, or use a $ref.");
      return IN_PROGRESS;
    }
    if (depth + (counts?.height ?? 0) > MAX_DEPTH) {
      report(
        keys,
        `Nested deeper than ${MAX_DEPTH} levels. Move the inner parts to components and use $ref.`,
      );
      return IN_PROGRESS;
    }
    if (counts) {
      // The value of an alias is visited at its anchor only.
      file.selfContained = false;
      return counts;
    }
    counted.set(node, IN_PROGRESS);
    locations.register(node, file.source, keys);
    let size = 1;
    let height = 0;
    const names = Object.keys(node);
    if (names.length > MAX_KEYS && !Array.isArray(node) && problems.length === 0) {
      const pointer = formatPointer(keys);
      // Finding the line would take the time that this limit saves.
      const position = { file: file.source.absoluteRef, line: 1, col: 1, pointer };
      problems.push(
        createError(
          `More than ${MAX_KEYS} entries in one object. Split the API into several documents.`,
          position,
        ),
      );
    }
    for (const key of names) {
      const value: unknown = Reflect.get(node, key);
      if (typeof value === "string") visitText(value, node, key, keys);
      else if (typeof value === "number") visitNumber(value, key, keys);
      if (typeof value !== "object" || value === null || problems.length > 0) continue;
      const at = { key, up: keys };
      if (!isJson(value)) {
        report(at, "This value is not a JSON value. Write it as text, a list or an object.");
        continue;
      }
      const child = visit(value, at, depth + 1);
      size += child.size;
      height = Math.max(height, child.height + 1);
    }
    const count = { size, height };
    counted.set(node, count);
    if (size > counted.size + MAX_ALIASED_NODES)
      report(keys, `YAML aliases make this stand for ${size} nodes. Use $ref instead of aliases.`);
    return count;
  }

  function visitNumber(value: number, key: string, up: Keys | undefined): void {
    if (!Number.isFinite(value))
      report({ key, up }, `${value} is not a JSON number. Write a finite number, or remove it.`);
    else if (Math.abs(value) > Number.MAX_SAFE_INTEGER) file.largeNumbers.push({ value, keys: { key, up } });
  }

  function visitText(text: string, node: object, key: string, up: Keys | undefined): void {
    const isMapping =
      (key === "defaultMapping" && up?.key === "discriminator") ||
      (up?.key === "mapping" && up.up?.key === "discriminator");
    if (key === "externalValue") file.selfContained = false;
    if (key !== "$ref" && !isMapping) return;
    const keys = { key, up };
    file.references.push({ ref: text, node, keys, isMapping });
    if (key === "$ref" && leadsToPrototype(text, file.parsed))
      report(keys, "This $ref names a JavaScript prototype. Point it at a component.");
  }

  if (typeof file.parsed === "object" && file.parsed !== null) visit(file.parsed, undefined, 1);
  if (problems.length > 0) return problems;
  file.embedded = findEmbeddedReferences(file);
  const embedded = new Set<object>(file.embedded.map(({ node }) => node));
  file.references = file.references.filter(({ node }) => !embedded.has(node));
  for (const { ref, keys, isMapping } of file.references) {
    const target = isMapping && !/[#./]/.test(ref) ? `#/components/schemas/${ref}` : ref;
    if (!/^#\/components\/[^/]+\/[^/]+$/.test(target)) file.selfContained = false;
    if (/^#\/?$/.test(ref) && isDocument)
      report(keys, "This $ref names the whole document. Point it at a component.");
    // Redocly would look for a file of that name.
    if (/^#[^/]+\//.test(target))
      report(keys, `This $ref needs a slash after the #. Write "#/${ref.slice(1)}".`);
  }
  if (problems.length > 0) return problems;
  return findReferenceCycles([file], new Map([[file.source.absoluteRef, file]]), locations);
}

function createError(message: string, position: Diagnostic["position"]): Diagnostic {
  return { severity: "error", message, ...(position && { position }) };
}

/** Whether an object is one of JSON. YAML has tags for others, such as binary values and sets. */
function isJson(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function formatPointer(keys: Keys | undefined): string {
  return toPointer(listKeys(keys));
}
