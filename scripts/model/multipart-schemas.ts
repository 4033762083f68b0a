import type { JsonObject } from "../json.js";
import { getOrCreate } from "../maps.js";
import { walkGraph } from "../walk-graph.js";
import type { FileKind, MediaType, MultipartSchemas, Operation } from "./model.js";
import { listLinks } from "./schema/composition.js";
import type { SchemaGraph } from "./schema/graph.js";
import type { Schema } from "./schema/schema.js";

/** Keywords of the schemas of files, in place of those of the document, by JSON pointer. */
type FileKeywords = ReadonlyMap<string, JsonObject>;

/** Keywords for the placeholder of a file. A file that can be text has an object, so that a text does not match its schema. */
const PLACEHOLDERS: Record<FileKind, JsonObject> = {
  file: {},
  "file or text": { type: "object" },
};

/**
 * Builds the schemas of the multipart bodies of operations. Bodies share a graph of schemas. A body has a graph of its own if a
 * schema is a file in it and not in the shared graph, or the other way round: the encoding of a body can make a file of a text.
 */
export function buildMultipartSchemas(
  operations: readonly Operation[],
  schemas: SchemaGraph,
): MultipartSchemas {
  const mediaTypes = operations.flatMap(({ body }) => body?.mediaTypes ?? []);
  const declared = new Map<MediaType, { schema: Schema; keywords: FileKeywords }>();
  for (const mediaType of mediaTypes) {
    const { kind, schema, files } = mediaType;
    if (kind !== "multipart" || !schema) continue;
    const keywords = [...files].map(
      ([{ pointer }, kindOfFile]) => [pointer, PLACEHOLDERS[kindOfFile]] as const,
    );
    declared.set(mediaType, { schema, keywords: new Map(keywords) });
  }
  const shared = shareKeywords([...declared.values()].map(({ keywords }) => keywords));
  const graphs = new Map<string, SchemaGraph>();
  const bodies = new Map<MediaType, Schema>();
  for (const [mediaType, { schema, keywords }] of declared) {
    const isShared = hasSameKeywords(schema, keywords, shared);
    const suffix = isShared ? "?files" : `?files=${encodeURIComponent(mediaType.pointer.toWellFormed())}`;
    const graph = getOrCreate(graphs, suffix, () =>
      schemas.withKeywords(suffix, isShared ? shared : keywords),
    );
    const uri = schema.resource.source.uri + suffix;
    const validated = graph.findByPointer(uri, schema.pointer)?.[schema.variant?.direction ?? "request"];
    if (validated) bodies.set(mediaType, validated);
  }
  return { bodies, components: [...graphs.values()].flatMap((graph) => [...graph.components().values()]) };
}

/** Combines the keywords of several bodies, without those of schemas on which two bodies disagree. */
function shareKeywords(all: readonly FileKeywords[]): FileKeywords {
  const entries = all.flatMap((keywords) => [...keywords]);
  const shared = new Map(entries);
  for (const [pointer, keywords] of entries) if (shared.get(pointer) !== keywords) shared.delete(pointer);
  return shared;
}

/** Whether a schema and those that it contains or refers to have the same keywords in both maps. */
function hasSameKeywords(schema: Schema, one: FileKeywords, other: FileKeywords): boolean {
  const listNext = (each: Schema): Schema[] => (one.has(each.pointer) ? [] : listLinks(each));
  for (const { pointer } of walkGraph([schema], listNext))
    if (one.get(pointer) !== other.get(pointer)) return false;
  return true;
}
