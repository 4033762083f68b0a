import { createFileDiagnostic, type Diagnostic } from "../../diagnostic.js";
import { decodePercent, findValue, getOwnValue, isObject, parsePointer, toPointer } from "../../json.js";
import { getKindAt } from "../../json-schema/keywords.js";
import { groupBy } from "../../maps.js";
import { suggestName } from "../../text.js";
import { MAX_DIAGNOSTICS } from "../limits.js";
import { locateInFile } from "../locations.js";
import type { ParsedFile } from "../parsed-file.js";
import { formatLocation, isInData, ReferenceResolver } from "./reference-resolver.js";
import type { Violation } from "../structure/structure.js";

/** A reference that cannot be followed. */
export interface UnresolvedReference {
  severity: Diagnostic["severity"];
  file: ParsedFile;
  /** JSON pointer in the file. */
  pointer: string;
  /** Text that all references share that fail for the same reason, such as the location of their missing target. */
  cause: string;
  /** Number of references between this one and the cause. */
  distance: number;
  describe(): string;
}

/** Finds references to components that do not exist, in a file that refers only to itself. */
export function findUnresolvedReferences(file: ParsedFile): UnresolvedReference[] {
  const resolver = new ReferenceResolver(new Map());
  return [...file.references, ...file.mappingTargets].flatMap(({ ref, pointer }): UnresolvedReference[] => {
    if (findValue(file.parsed, decodePercent(ref.slice(1))) !== undefined || isInData(pointer)) return [];
    return [createUnresolvedReference(ref, file, pointer, resolver)];
  });
}

/** Describes a reference to a missing value. All references that pass through the same missing value have the same cause. */
export function createUnresolvedReference(
  ref: string,
  file: ParsedFile,
  pointer: string,
  resolver: ReferenceResolver,
): UnresolvedReference {
  const target = resolver.follow(ref, file);
  const missingIn = target.value === undefined ? target.file : undefined;
  return {
    severity: isOptionalReference(pointer) ? "warning" : "error",
    file,
    pointer,
    cause: missingIn ? formatLocation(missingIn, target.pointer) : formatLocation(file, ref),
    distance: target.hops,
    describe: () => formatUnresolvedMessage(ref, file.parsed),
  };
}

/** Creates one diagnostic for each cause, at one of the references closest to it. Returns them by cause. */
export function mergeUnresolvedReferences(
  unresolved: readonly UnresolvedReference[],
  rootFile: string,
): Map<string, Diagnostic> {
  const groups = [...groupBy(unresolved, ({ cause }) => cause)];
  const diagnostics = new Map<string, Diagnostic>();
  for (const [cause, group] of groups.slice(0, MAX_DIAGNOSTICS)) {
    const rank = ({ severity, distance }: UnresolvedReference): number =>
      severity === "error" ? distance : Infinity;
    const [first] = group.sort((one, other) => rank(one) - rank(other));
    // Redocly reports the references of a `mapping` twice.
    const locations = new Set(group.map(({ file, pointer }) => formatLocation(file, pointer)));
    if (first) diagnostics.set(cause, createDiagnostic(first, locations.size - 1));
  }
  if (groups.length > MAX_DIAGNOSTICS) {
    const message = `${groups.length - MAX_DIAGNOSTICS} more problems are not shown. Correct those shown first.`;
    diagnostics.set("", createFileDiagnostic("error", rootFile, message));
  }
  return diagnostics;
}

function createDiagnostic(
  { severity, file, pointer, describe }: UnresolvedReference,
  otherCount: number,
): Diagnostic {
  const value = findValue(file.parsed, pointer);
  // The references of a mapping have no key.
  const key = ["$ref", "externalValue"].find((each) => getOwnValue(value, each) !== undefined);
  const message = describe().replace("resolve $ref", `resolve ${key ?? "mapping"}`);
  const others = otherCount === 1 ? "another reference" : `${otherCount} other references`;
  return {
    severity,
    message: otherCount === 0 ? message : `${message} The same is true of ${others}.`,
    position: locateInFile(file.source, key === undefined ? pointer : `${pointer}/${key}`, "value"),
  };
}

/** Attributes unresolved references to the violation of the structure that explains them, which becomes an error if one of them is. */
export function explainReferences(
  diagnostics: ReadonlyMap<string, Diagnostic>,
  violations: readonly Violation[],
  file: ParsedFile,
): { references: Diagnostic[]; violations: Violation[] } {
  const remaining = new Map(diagnostics);
  const rated = violations.map((violation) => {
    const { missing } = violation;
    if (missing === undefined) return violation;
    const prefix = `${formatLocation(file, missing)}/`;
    const explained = [...remaining].filter(([cause]) => `${cause}/`.startsWith(prefix));
    for (const [cause] of explained) remaining.delete(cause);
    const hasError = explained.some(([, { severity }]) => severity === "error");
    return hasError ? { ...violation, severity: "error" as const } : violation;
  });
  return { references: [...remaining.values()], violations: rated };
}

/** Whether generated code does not need the target of a reference: an example, or a value of a discriminator, which is a hint. */
function isOptionalReference(pointer: string): boolean {
  return /\/discriminator\/mapping\/[^/]+$/.test(pointer) || getKindAt(parsePointer(pointer)) === "example";
}

/** Formats the message for a reference without a target. `root` can have a similar target. */
export function formatUnresolvedMessage(ref: string, root: unknown): string {
  const suggestion = ref.startsWith("#/") ? suggestPointer(root, decodePercent(ref.slice(1))) : undefined;
  const remedy =
    suggestion === undefined
      ? "Correct it or add what it names."
      : `Did you mean ${JSON.stringify(`#${suggestion}`)}?`;
  return `Can't resolve $ref ${JSON.stringify(ref)}: nothing is there. ${remedy}`;
}

/** Returns the pointer with its first missing key replaced by a similar one, or the pointer of a component with the same name. */
function suggestPointer(root: unknown, pointer: string): string | undefined {
  // Dots instead of slashes, as in `#/components.schemas.Pet`.
  const withSlashes = pointer.replace(/^\/components[./](\w+)[./]/, "/components/$1/");
  if (withSlashes !== pointer && findValue(root, withSlashes) !== undefined) return withSlashes;
  const keys = parsePointer(withSlashes);
  const components = getOwnValue(root, "components");
  // Without components, their misspelt key is reported.
  if (keys[0] === "components" && components === undefined) return undefined;
  const name = keys.at(-1) ?? "";
  const sections = Object.keys(isObject(components) ? components : {});
  const candidates = sections.map((section) => toPointer(["components", section, name]));
  return suggestSimilarPointer(root, keys) ?? candidates.find((each) => findValue(root, each) !== undefined);
}

function suggestSimilarPointer(root: unknown, keys: readonly string[]): string | undefined {
  // The first key that does not exist.
  const index = keys.findIndex(
    (_, each) => findValue(root, toPointer(keys.slice(0, each + 1))) === undefined,
  );
  const siblings = findValue(root, toPointer(keys.slice(0, index)));
  const names = isObject(siblings) ? Object.keys(siblings) : [];
  const similar = suggestName(keys[index] ?? "", names);
  if (similar === undefined) return undefined;
  const suggestion = toPointer(keys.with(index, similar));
  return findValue(root, suggestion) === undefined ? undefined : suggestion;
}
