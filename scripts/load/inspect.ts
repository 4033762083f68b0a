import { DiagnosticError } from "../diagnostic.js";
import { decodePercent, getOwnValue } from "../json.js";
import { takeDiagnostics } from "./limits.js";
import type { Locations } from "./locations.js";
import type { ParsedFile } from "./parsed-file.js";
import { isEmbeddedReference } from "./references/embedded.js";
import {
  findReferenceCycles,
  isInData,
  leadsToPrototype,
  ReferenceResolver,
} from "./references/reference-resolver.js";
import type { SourceText } from "./text/source-text.js";
import { createInspectionError, isCertainlyData, ValueVisitor } from "./value-visitor.js";

/**
 * Registers the location of every object and list of a parsed file, and collects its references.
 * @throws DiagnosticError for the first value that would make later passes loop, overflow the stack or access prototypes
 */
export function inspectFile(source: SourceText, parsed: unknown, locations: Locations): ParsedFile {
  const file: ParsedFile = {
    source,
    parsed,
    needsBundling: false,
    references: [],
    mappingTargets: [],
    largeNumbers: [],
    identifiedSchemas: [],
    idReferences: [],
    dataReferences: [],
  };
  const visitor = new ValueVisitor(file, locations);
  visitor.visitFile();
  const schemaUris = new Set(file.identifiedSchemas.map(({ uri }) => uri));
  const files = new Map([[source.absoluteRef, file]]);
  const resolver = new ReferenceResolver(files);
  for (const reference of visitor.references) {
    const { ref, pointer } = reference;
    if (isCertainlyData(pointer, parsed) && isIgnoredInData(ref, file, resolver)) {
      Reflect.set(reference.node, "$ref", reference.text);
      file.dataReferences.push({ ...reference, ref: reference.text });
      continue;
    }
    if (leadsToPrototype(ref, parsed))
      throw createInspectionError(source, `${pointer}/$ref`, LEADS_TO_PROTOTYPE);
    if (isEmbeddedReference(reference, schemaUris)) {
      file.idReferences.push(reference);
      continue;
    }
    inspectTarget(ref, `${pointer}/$ref`, file);
    file.references.push(reference);
  }
  for (const { ref, pointer } of file.mappingTargets) inspectTarget(ref, pointer, file);
  const cycles = takeDiagnostics(findReferenceCycles([file], files, locations));
  if (cycles.length > 0) throw new DiagnosticError(cycles);
  return file;
}

const LEADS_TO_PROTOTYPE =
  "This $ref contains `__proto__`, or the name of a member that every JavaScript object has. Refer to a declared component.";

/** Whether a `$ref` in data is not to be followed: Redocly includes files and other data in an `example`, which users expect. */
function isIgnoredInData(ref: string, file: ParsedFile, resolver: ReferenceResolver): boolean {
  if (ref === "" || leadsToPrototype(ref, file.parsed)) return true;
  if (!ref.startsWith("#")) return false;
  return resolver.follow(ref, file).tooLongPath !== undefined || !isInData(decodePercent(ref.slice(1)));
}

/** Refuses malformed references. Records whether the file refers to anything but its own components. */
function inspectTarget(ref: string, pointer: string, file: ParsedFile): void {
  const { source, parsed } = file;
  if (!/^#\/components\/[^/]+\/[^/]+$/.test(ref)) file.needsBundling = true;
  if (/^(?:#\/?)?$/.test(ref) && getOwnValue(parsed, "openapi") !== undefined)
    throw createInspectionError(
      source,
      pointer,
      "This $ref names the whole document. Point it at a component.",
    );
  // Redocly would look for a file of that name.
  if (/^#[^/]+\//.test(ref))
    throw createInspectionError(
      source,
      pointer,
      `This $ref needs a slash after the #. Write "#/${ref.slice(1)}".`,
    );
}
