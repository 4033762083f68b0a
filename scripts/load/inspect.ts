import path from "node:path";
import type { Source } from "@redocly/openapi-core";
import type { Diagnostic } from "../diagnostic.js";
import { MAX_ALIASED_NODES, MAX_DEPTH, MAX_KEYS, MAX_PROBLEMS, MAX_REF_HOPS } from "./limits.js";
import { positionIn, type Keys, type Places } from "./places.js";
import { isObject, ownValue, toPointer } from "./pointer.js";

/** A parsed file. */
export interface ParsedFile {
  source: Source;
  parsed: unknown;
  /** Every reference in it leads to one of its own components: bundling would leave it as it is. */
  selfContained: boolean;
}

/** Marks a node whose children are being counted: to meet it again means that it contains itself. */
const OPEN = { size: 0, height: 0 };

/**
 * Registers the place of every node of a freshly parsed file, and finds what would make the passes after
 * this one run for ever, run out of stack or trip over JavaScript's own property names.
 * Gives the problems; with any, the file must not be used.
 */
export function inspectFile(file: ParsedFile, places: Places): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const counted = new Map<object, { size: number; height: number }>();
  const report = (keys: Keys | undefined, message: string) => {
    // One of each file: what is wrong repeats all the way up.
    if (problems.length === 0)
      problems.push({ severity: "error", message, position: positionIn(file.source, pointerOf(keys)) });
  };

  function visit(node: object, keys: Keys | undefined, depth: number): { size: number; height: number } {
    const known = counted.get(node);
    if (known === OPEN) {
      report(keys, "An alias contains itself. Write the value out, or use a $ref.");
      return OPEN;
    }
    if (depth + (known?.height ?? 0) > MAX_DEPTH) {
      report(
        keys,
        `Nested deeper than ${MAX_DEPTH} levels. Move the inner parts to components and use $ref.`,
      );
      return OPEN;
    }
    if (known) {
      // An alias: what it stands for is seen at its anchor only.
      file.selfContained = false;
      return known;
    }
    counted.set(node, OPEN);
    places.register(node, file.source, keys);
    let size = 1;
    let height = 0;
    const entries = Object.entries(node);
    if (entries.length > MAX_KEYS && !Array.isArray(node) && problems.length === 0) {
      const pointer = pointerOf(keys);
      // Finding the line would take the time that this limit saves.
      const position = { file: file.source.absoluteRef, line: 1, col: 1, pointer };
      const message = `More than ${MAX_KEYS} entries in one object. Split the API into several documents.`;
      problems.push({ severity: "error", message, position });
    }
    for (const [key, value] of entries) {
      if (typeof value === "string" && leadsElsewhere(key, value, keys)) file.selfContained = false;
      const wrong = notJson(value);
      if (wrong !== undefined) report({ key, up: keys }, wrong);
      if (key === "$ref" && /^#\/?$/.test(String(value)) && ownValue(file.parsed, "openapi") !== undefined)
        report({ key, up: keys }, "This $ref names the whole document. Point it at a component.");
      if (key === "$ref" && typeof value === "string" && leadsToPrototype(value, file.parsed))
        report({ key, up: keys }, "This $ref names a JavaScript prototype. Point it at a component.");
      if (typeof value !== "object" || value === null || problems.length > 0) continue;
      const child = visit(value, { key, up: keys }, depth + 1);
      size += child.size;
      height = Math.max(height, child.height + 1);
    }
    const count = { size, height };
    counted.set(node, count);
    if (size > counted.size + MAX_ALIASED_NODES)
      report(keys, `YAML aliases make this stand for ${size} nodes. Use $ref instead of aliases.`);
    return count;
  }

  if (typeof file.parsed === "object" && file.parsed !== null) visit(file.parsed, undefined, 1);
  if (problems.length > 0) return problems;
  return findRefChains([file], new Map([[file.source.absoluteRef, file]]), counted.keys(), places);
}

/** Whether a member is a reference, or could be taken for one, to anything but a component of the same file. */
function leadsElsewhere(key: string, value: string, keys: Keys | undefined): boolean {
  if (key === "externalValue") return true;
  // What a discriminator maps to may be the plain name of a schema.
  if (key === "defaultMapping" || keys?.key === "mapping")
    return /[#./]/.test(value) && !/^#\/components\/schemas\/[^/]+$/.test(value);
  return key === "$ref" && !/^#\/components\/[^/]+\/[^/]+$/.test(value);
}

/**
 * Finds each `$ref` that leads back to itself or through too many others before it reaches a value.
 * @param files those whose references are reported
 * @param known those that references are followed into, by absolute path
 * @param nodes the nodes to look at; every node of `files` when left out
 */
export function findRefChains(
  files: readonly ParsedFile[],
  known: ReadonlyMap<string, ParsedFile>,
  nodes: Iterable<object> | undefined,
  places: Places,
): Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const file of files) {
    for (const node of nodes ?? allNodes(file.parsed)) {
      const ref = ownValue(node, "$ref");
      if (typeof ref !== "string" || Array.isArray(node)) continue;
      if (problems.length >= MAX_PROBLEMS) return problems;
      if (!endsSomewhere(ref, file, known)) {
        problems.push({
          severity: "error",
          message: `The $ref "${ref}" leads back to itself or through more than ${MAX_REF_HOPS} others. Point it at the value.`,
          position: places.locate(node, ""),
        });
      }
    }
  }
  return problems;
}

/** Follows a `$ref` as Redocly's resolver does, counting. What is missing or elsewhere ends the way too. */
function endsSomewhere(ref: string, from: ParsedFile, known: ReadonlyMap<string, ParsedFile>): boolean {
  let hops = 0;
  let file = from;
  let node: unknown = { $ref: ref };
  let keys: string[] = [];
  for (;;) {
    const next = ownValue(node, "$ref");
    const key = keys[0];
    if (key !== undefined && ownValue(node, key) !== undefined) {
      node = ownValue(node, key);
      keys = keys.slice(1);
    } else if (isObject(node) && typeof next === "string") {
      hops += 1;
      if (hops > MAX_REF_HOPS) return false;
      const [uri = "", pointer = ""] = next.split("#/");
      const target = fileOf(uri.replace(/#$/, ""), file, known);
      if (!target) return true;
      file = target;
      node = target.parsed;
      keys = [...pointer.split("/").filter(Boolean).map(unescapeKey), ...keys];
    } else {
      return true;
    }
  }
}

function fileOf(
  uri: string,
  from: ParsedFile,
  known: ReadonlyMap<string, ParsedFile>,
): ParsedFile | undefined {
  return uri === "" ? from : known.get(path.resolve(path.dirname(from.source.absoluteRef), uri));
}

function unescapeKey(key: string): string {
  const plain = key.replaceAll("~1", "/").replaceAll("~0", "~");
  return decoded(plain);
}

/** Says why a value that YAML can hold is none of JSON, which everything after the parser takes it for. */
function notJson(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value))
    return `${value} is no number that JSON has. Write a number, or leave it out.`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? undefined
    : "This value has a type that JSON does not have. Write it as text, a list or an object.";
}

/**
 * Redocly looks names up without asking whether they are the object's own: `#/components/schemas/constructor` finds a
 * function where no schema has that name.
 */
function leadsToPrototype(ref: string, root: unknown): boolean {
  if (/(^|\/)(__proto__|constructor\/prototype)(\/|$)/.test(decoded(ref))) return true;
  if (!ref.startsWith("#/")) return false;
  let node = root;
  for (const key of ref.slice(2).split("/").map(unescapeKey)) {
    if (!isObject(node)) return false;
    if (!Object.hasOwn(node, key)) return key in node;
    node = node[key];
  }
  return false;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pointerOf(keys: Keys | undefined): string {
  const list: string[] = [];
  for (let at = keys; at; at = at.up) list.push(at.key);
  return toPointer(list.reverse());
}

function allNodes(root: unknown): Set<object> {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    for (const value of Object.values(node)) {
      if (typeof value === "object" && value !== null) open.push(value);
    }
  }
  return seen;
}
