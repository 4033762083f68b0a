import type { JsonObject } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { compareText } from "../../text.js";
import { walkGraph } from "../../walk-graph.js";
import type { FileKind, MediaType, MultipartSchemas, Operation } from "../model.js";
import { listLinkedSchemas } from "../schema/composition.js";
import type { SchemaGraph } from "../schema/graph.js";
import type { Schema } from "../schema/schema.js";

/** Keywords of the schemas of files, in place of those of the document, by JSON pointer. */
type FileKeywords = ReadonlyMap<string, JsonObject>;

/** Keywords for the placeholder of a file. A file that can be text has an object, so that a text does not match its schema. */
const PLACEHOLDERS: Record<FileKind, JsonObject> = {
  file: { type: "string" },
  "file or text": { type: "object" },
};

/** Keywords that no placeholder matches. */
const NO_VALUE: JsonObject = { not: {} };

/**
 * Builds the schemas of the multipart bodies of operations. They share a graph of schemas, except bodies whose encoding makes files of
 * other schemas: those with the same differences share a graph, which is named after the first of them.
 */
export function buildMultipartSchemas(
  operations: readonly Operation[],
  schemas: SchemaGraph,
): MultipartSchemas {
  const mediaTypes = operations.flatMap(({ body }) => body?.mediaTypes ?? []);
  const declared = new Map<MediaType, { schema: Schema; keywords: FileKeywords }>();
  for (const mediaType of mediaTypes) {
    const { kind, schema } = mediaType;
    if (kind === "multipart" && schema)
      declared.set(mediaType, { schema, keywords: listKeywords(mediaType) });
  }
  const shared = shareKeywords([...declared.values()].map(({ keywords }) => keywords));
  const graphs = new Map<string, { graph: SchemaGraph; suffix: string }>();
  const bodies = new Map<MediaType, Schema>();
  for (const [mediaType, { schema, keywords }] of declared) {
    const differences = listDifferences(schema, keywords, shared);
    const { graph, suffix } = getOrCreate(graphs, JSON.stringify(differences), () => {
      const id = differences.length === 0 ? "" : `=${encodeURIComponent(mediaType.pointer.toWellFormed())}`;
      const graph = schemas.withKeywords(`?files${id}`, applyDifferences(shared, differences));
      return { graph, suffix: `?files${id}` };
    });
    const uri = schema.resource.source.uri + suffix;
    const validated = graph.findByPointer(uri, schema.pointer)?.[schema.variant?.direction ?? "request"];
    if (validated) bodies.set(mediaType, validated);
  }
  const components = [...graphs.values()].flatMap(({ graph }) => [...graph.components().values()]);
  return { bodies, components };
}

/** Lists the keywords of the files of a body. Only one of the files in a `oneOf` allows a placeholder, which must match one branch. */
function listKeywords({ files }: MediaType): FileKeywords {
  const unions = new Set<string>();
  const entries = [...files].map(([{ pointer }, kind]) => {
    const union = /^.*\/oneOf(?=\/\d+$)/s.exec(pointer)?.[0];
    const isRepeated = union !== undefined && unions.has(union);
    if (union !== undefined) unions.add(union);
    return [pointer, isRepeated ? NO_VALUE : PLACEHOLDERS[kind]] as const;
  });
  return new Map(entries);
}

/** Combines the keywords of several bodies, without those of schemas on which two bodies disagree. */
function shareKeywords(all: readonly FileKeywords[]): FileKeywords {
  const entries = all.flatMap((keywords) => [...keywords]);
  const shared = new Map(entries);
  for (const [pointer, keywords] of entries) if (shared.get(pointer) !== keywords) shared.delete(pointer);
  return shared;
}

/** A schema with other keywords than in the shared graph; undefined keywords if it is no file in this body. */
type Difference = readonly [pointer: string, keywords: JsonObject | undefined];

/** Lists the differences from the shared keywords in a schema and those that it contains or refers to, sorted by pointer. */
function listDifferences(schema: Schema, keywords: FileKeywords, shared: FileKeywords): Difference[] {
  const listNext = (each: Schema): Schema[] => (keywords.has(each.pointer) ? [] : listLinkedSchemas(each));
  const differences = new Map<string, JsonObject | undefined>();
  for (const { pointer } of walkGraph([schema], listNext))
    if (keywords.get(pointer) !== shared.get(pointer)) differences.set(pointer, keywords.get(pointer));
  return [...differences].sort(([one], [other]) => compareText(one, other));
}

function applyDifferences(shared: FileKeywords, differences: readonly Difference[]): FileKeywords {
  const result = new Map(shared);
  for (const [pointer, keywords] of differences)
    if (keywords) result.set(pointer, keywords);
    else result.delete(pointer);
  return result;
}
