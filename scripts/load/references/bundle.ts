import type { BaseResolver, Document, NormalizedProblem } from "@redocly/openapi-core";
// The entry point of the package also loads a linter, and takes 0.4 s of processor time instead of 0.15 s.
import { bundleOas, createEmptyRedoclyConfig } from "@redocly/openapi-core/lib/bundle-oas";
import { parseAnchorReference } from "./embedded.js";
import { findReferenceObjects } from "./bundled-references.js";
import { createFileDiagnostic, type Diagnostic } from "../../diagnostic.js";
import { isAssertion } from "../../json-schema/keywords.js";
import type { ParsedFile } from "../parsed-file.js";
import { describeUnreadableFile, OUTSIDE_ROOT } from "../read-source-file.js";
import { takeDiagnostics } from "../limits.js";
import type { Locations } from "../locations.js";
import type { OpenApiVersion } from "../version.js";
import {
  decodePercent,
  findValue,
  fragmentToPointer,
  getOwnValue,
  isObject,
  type JsonValue,
  parsePointer,
  unescapePointer,
} from "../../json.js";
import {
  createUnresolvedReference,
  mergeUnresolvedReferences,
  type UnresolvedReference,
} from "./unresolved-references.js";
import { findReferenceCycles, isInData, isUrl, ReferenceResolver } from "./reference-resolver.js";
import { type DocumentFiles, FILE_HAS_ERRORS } from "../document-files.js";

/** Start of Redocly's message for a reference without a target. If a file cannot be read, a colon and the reason follow. */
const UNRESOLVED = "Can't resolve $ref";

/** Copies the targets of external references to the components of the root file. Returns diagnostics of references by cause. */
export async function bundleInPlace(
  file: ParsedFile,
  documentFiles: DocumentFiles,
  version: OpenApiVersion,
): Promise<Map<string, Diagnostic>> {
  const { locations } = documentFiles;
  // OpenAPI 3.0 ignores keywords beside a reference.
  if (version !== "3.0") moveFileReferences(file, locations);
  // Redocly must not see references to embedded schemas, nor some in data. Null keeps their keys in place.
  const hidden: readonly { node: object; key: string; value: unknown }[] = [
    ...[...file.idReferences, ...file.dataReferences].map(({ node, ref }) => ({
      node,
      key: "$ref",
      value: ref,
    })),
    ...listDeviceFlows(file.parsed).map((node) => ({ node, key: "scopes", value: node["scopes"] })),
  ];
  for (const { node, key } of hidden) Reflect.set(node, key, null);
  try {
    const { problems } = await bundleOas({
      // The cast: a file lacks methods of Redocly's Document, of which only `source.absoluteRef` and `parsed` are used.
      doc: file as unknown as Document,
      // The cast: the class is not derived from Redocly's BaseResolver, but has the methods that are called.
      externalRefResolver: documentFiles as unknown as BaseResolver,
      config: createEmptyRedoclyConfig(),
    }).finally(() => {
      for (const { node, key, value } of hidden) Reflect.set(node, key, value);
    });
    unescapeAddedNames(file, locations);
    // Safe cast: files have only JSON values.
    const objects = new Set(problems.length > 0 ? findReferenceObjects(file.parsed as JsonValue).keys() : []);
    const resolver = new ReferenceResolver(documentFiles.parsedFiles);
    const references = problems.flatMap((problem) =>
      toUnresolvedReference(problem, file, documentFiles, objects, resolver),
    );
    return mergeUnresolvedReferences(references, file.source.absoluteRef);
  } catch (error) {
    const diagnostics = describeException(error, file, documentFiles);
    return new Map(diagnostics.map((diagnostic, index) => [String(index), diagnostic]));
  }
}

/** Moves file references of component schemas into `allOf`, because Redocly would replace a component and drop the keywords beside. */
function moveFileReferences({ parsed, source, references }: ParsedFile, locations: Locations): void {
  const schemas = getOwnValue(getOwnValue(parsed, "components"), "schemas");
  if (!isObject(schemas)) return;
  for (const { node, ref, pointer } of references) {
    const [, , name = "", ...rest] = parsePointer(pointer);
    if (ref.startsWith("#") || rest.length > 0 || getOwnValue(schemas, name) !== node || !isObject(node))
      continue;
    const { $ref, allOf = [], ...siblings } = node;
    const hasKeywords = Object.hasOwn(node, "allOf") || Object.keys(siblings).some(isAssertion);
    if (!Array.isArray(allOf) || !hasKeywords) continue;
    const reference = { $ref };
    // A copy, because the schema can be a YAML alias.
    const composed = { allOf: [reference, ...allOf], ...siblings };
    for (const each of [reference, composed]) locations.register(each, source, pointer);
    schemas[name] = composed;
  }
}

/** Lists the OAuth flows for devices of OpenAPI 3.2 with scopes, for which Redocly 2.64 throws "Unknown type name found: string". */
function listDeviceFlows(document: unknown): Record<string, unknown>[] {
  const schemes = getOwnValue(getOwnValue(document, "components"), "securitySchemes");
  return Object.values(isObject(schemes) ? schemes : {})
    .map((scheme) => getOwnValue(getOwnValue(scheme, "flows"), "deviceAuthorization"))
    .flatMap((flow) => (isObject(flow) && Object.hasOwn(flow, "scopes") ? [flow] : []));
}

/** Corrects the names of the components that Redocly adds, in which it does not unescape the key of a JSON pointer, such as `a~1b`. */
function unescapeAddedNames({ parsed, source }: ParsedFile, locations: Locations): void {
  const components = getOwnValue(parsed, "components");
  for (const members of isObject(components) ? Object.values(components) : []) {
    for (const [key, node] of isObject(members) ? Object.entries(members) : []) {
      const name = unescapePointer(decodePercent(key));
      if (!isObject(members) || name === key || Object.hasOwn(members, name)) continue;
      // Tested last, because it takes the longest.
      if (!isObject(node) || locations.locate(node, "").file === source.absoluteRef) continue;
      members[name] = node;
      delete members[key];
    }
  }
}

/** Converts a problem that Redocly reports. Returns none if OpenAPI allows the reference, or if errors in the file are reported. */
function toUnresolvedReference(
  { severity, message, location }: NormalizedProblem,
  root: ParsedFile,
  { parsedFiles, rootFolder }: DocumentFiles,
  objects: ReadonlySet<unknown>,
  resolver: ReferenceResolver,
): UnresolvedReference[] {
  const file = parsedFiles.get(location[0]?.source.absoluteRef ?? "") ?? root;
  const pointer = fragmentToPointer(location[0]?.pointer ?? "");
  const value = findValue(file.parsed, pointer);
  const external = getOwnValue(value, "externalValue");
  const ref = getOwnValue(value, "$ref") ?? external ?? value;
  if (message.startsWith(UNRESOLVED)) {
    if (message.endsWith(FILE_HAS_ERRORS)) return [];
    // The location in a file only suggests whether a `$ref` is data. The bundled document decides.
    if (isInData(pointer) && !objects.has(value)) return [];
    // The `externalValue` of an example may be a URL.
    if (typeof external === "string" && isUrl(external)) return [];
  }
  const text = typeof ref === "string" ? ref : "";
  const reference = createUnresolvedReference(text, file, pointer, resolver);
  if (severity === "warn" || (external !== undefined && ref === external)) reference.severity = "warning";
  // Redocly reads an anchor as part of the name of a file.
  if (message === UNRESOLVED || parseAnchorReference(text)) return [reference];
  return [
    {
      ...reference,
      cause: message.includes(OUTSIDE_ROOT) ? OUTSIDE_ROOT : message,
      distance: 0,
      describe: () => {
        const names = /Renamed (.+) to (.+)\.$/.exec(message)?.slice(1);
        if (names) {
          const [original, added] = names.map((each) => JSON.stringify(each));
          return `Another component is called ${original}, so this one is called ${added}. Rename one of them.`;
        }
        // A pointer in curly quotes or without its `#` or `#/`, or the plain name of a schema.
        const name = text.replace(/^[‘’“”]#?|[‘’“”]$/g, "");
        const target = [name, `/${name}`, `/components/schemas/${name}`].find(
          (each) => each.startsWith("/") && findValue(root.parsed, each) !== undefined,
        );
        return target === undefined
          ? describeUnreadableFile(message, text, file.source.absoluteRef, rootFolder)
          : `Can't resolve $ref ${JSON.stringify(ref)}: it is read as the name of a file. Write "#${target}".`;
      },
    },
  ];
}

/** Creates the diagnostics for an exception in Redocly, if possible with the location of its cause. */
function describeException(
  error: unknown,
  { source }: ParsedFile,
  { parsedFiles, locations }: DocumentFiles,
): Diagnostic[] {
  const cycles = takeDiagnostics(findReferenceCycles(parsedFiles.values(), parsedFiles, locations));
  if (cycles.length > 0) return cycles;
  const reason = error instanceof Error ? error.message : String(error);
  const message =
    error instanceof RangeError
      ? "The schemas refer to one another too deeply to be followed. Shorten the longest chain of schemas."
      : `The document cannot be bundled: ${reason}. Remove parts of the document to find the cause.`;
  return [createFileDiagnostic("error", source.absoluteRef, message)];
}
