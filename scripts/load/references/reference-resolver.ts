import path from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import {
  decodePercent,
  escapePointer,
  getOwnValue,
  isObject,
  parsePointer,
  unescapePointer,
} from "../../json.js";
import type { ParsedFile } from "../parsed-file.js";
import { MAX_REFERENCE_HOPS } from "../../follow-pointer.js";
import type { Locations } from "../locations.js";
import { getKindAt } from "../../json-schema/keywords.js";

/** Whether a reference is a URL or a network path (`//host`, `\\host`), not the path of a file: `C:` is a Windows drive. */
export function isUrl(ref: string): boolean {
  return /^([a-z][a-z0-9+.-]+:|\/\/|\\\\)/i.test(ref);
}

/** Whether a pointer leads into the value of an example, a default, an enum or an extension, where `$ref` is only data. */
export function isInData(pointer: string): boolean {
  return getKindAt(parsePointer(pointer)) === "data";
}

/** Finds each `$ref` that is circular or passes through too many others before it reaches a value. */
export function* findReferenceCycles(
  files: Iterable<FileWithReferences>,
  filesByPath: ReadonlyMap<string, ParsedFile>,
  locations: Locations,
): Generator<Diagnostic> {
  const resolver = new ReferenceResolver(filesByPath);
  const reported = new Set<Target>();
  for (const file of files)
    for (const { node } of file.references) {
      const target = resolver.resolve(node, file);
      // A reference that leads into a cycle from outside is correct.
      if (reported.has(target) || !target.tooLongPath?.includes(node)) continue;
      reported.add(target);
      yield {
        severity: "error",
        message: `The $ref "${String(getOwnValue(node, "$ref"))}" leads back to itself or through more than ${MAX_REFERENCE_HOPS} others. Point it at the value.`,
        position: locations.locate(node, "/$ref", "value"),
      };
    }
}

type FileText = Pick<ParsedFile, "source" | "parsed">;

/** A file, and the objects in it that have a `$ref`. */
interface FileWithReferences extends FileText {
  references: Iterable<{ node: object }>;
}

/** Result of following a reference. */
interface Target {
  /** Undefined if nothing is there. */
  value: unknown;
  /** The file, and the JSON pointer in it, of the value or of the first value that is missing; undefined for an unknown file. */
  file: FileText | undefined;
  pointer: string;
  /** Number of references on the way, including the first. */
  hops: number;
  /** The objects whose references lead to one another without an end, or for too long. */
  tooLongPath?: readonly object[];
}

/** Follows references as Redocly's resolver does. Remembers the target of each object, so the objects must not change meanwhile. */
export class ReferenceResolver {
  private readonly targets = new Map<object, Target>();
  /** The objects whose references are being followed. */
  private readonly path: object[] = [];

  /** @param files files that references can lead to, by absolute path */
  constructor(private readonly files: ReadonlyMap<string, ParsedFile>) {}

  /** Follows the `$ref` of an object in a file. The target of an object without a `$ref` is the object. */
  resolve(node: unknown, file: FileText | undefined, pointer = ""): Target {
    const ref = getOwnValue(node, "$ref");
    if (!file || !isObject(node) || typeof ref !== "string") return { value: node, file, pointer, hops: 0 };
    const known = this.targets.get(node);
    if (known) return known;
    const start = this.path.indexOf(node);
    if (start >= 0 || this.path.length > MAX_REFERENCE_HOPS) return this.refusePath(Math.max(start, 0));
    this.path.push(node);
    const target = this.follow(ref, file);
    this.path.pop();
    this.targets.set(node, target);
    return target;
  }

  /** Follows a reference to a value that is no reference itself. */
  follow(ref: string, from: FileText): Target {
    const [uri = "", fragment = ""] = ref.split("#/");
    const relativePath = uri.replace(/#$/, "");
    const folder = path.dirname(from.source.absoluteRef);
    const file = relativePath === "" ? from : this.files.get(path.resolve(folder, relativePath));
    let target: Target = { value: file?.parsed, file, pointer: "", hops: 1 };
    for (const key of fragment.split("/").filter(Boolean).map(decodeKey)) {
      if (getOwnValue(target.value, key) === undefined) target = this.followNext(target);
      if (target.value === undefined) return target;
      target.value = getOwnValue(target.value, key);
      target.pointer += `/${escapePointer(key)}`;
    }
    return this.followNext(target);
  }

  /** Follows the reference at a target, if there is one. */
  private followNext({ value, file, pointer, hops }: Target): Target {
    const target = this.resolve(value, file, pointer);
    if (target.tooLongPath) return target;
    const total = hops + target.hops;
    return total > MAX_REFERENCE_HOPS ? this.refusePath(0) : { ...target, hops: total };
  }

  private refusePath(start: number): Target {
    return {
      value: undefined,
      file: undefined,
      pointer: "",
      hops: Infinity,
      tooLongPath: this.path.slice(start),
    };
  }
}

/** Formats a location, such as `/folder/openapi.yaml#/components/schemas/Pet`. */
export function formatLocation({ source }: FileText, pointer: string): string {
  return `${source.absoluteRef}#${pointer}`;
}

/** Decodes a key of a reference: first the encoding of the URI, then that of the pointer (RFC 6901, section 6). */
function decodeKey(step: string): string {
  return unescapePointer(decodePercent(step));
}

/** Whether a reference leads to an inherited member of a JavaScript object, such as `constructor`, which Redocly would follow. */
export function leadsToPrototype(ref: string, root: unknown): boolean {
  if (/(^|\/)(__proto__|constructor\/prototype)(\/|$)/.test(decodePercent(ref))) return true;
  if (!ref.startsWith("#/")) return false;
  let node = root;
  for (const key of ref.slice(2).split("/").map(decodeKey)) {
    if (!isObject(node)) return false;
    if (!Object.hasOwn(node, key)) return key in node;
    node = node[key];
  }
  return false;
}
