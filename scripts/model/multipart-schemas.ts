import type { JsonObject } from "../json.js";
import { getOrCreate } from "../maps.js";
import { walkGraph } from "../walk-graph.js";
import type { MediaType, Operation } from "./model.js";
import { listLinks } from "./schema/composition.js";
import type { SchemaGraph } from "./schema/graph.js";
import type { Schema } from "./schema/schema.js";

/** The schemas of multipart bodies as they are validated: the schemas of files allow placeholders. */
export interface MultipartSchemas {
  readonly bodies: ReadonlyMap<MediaType, Schema>;
  /** The component schemas in the graphs of these bodies. */
  readonly components: readonly Schema[];
}

/** The keywords that files have instead of their schemas' own, by JSON pointer of the schema. */
type FileKeywords = ReadonlyMap<string, JsonObject>;

/** Keywords for the placeholder of a file. A file that can be text has an object, so that a text does not match its schema. */
const PLACEHOLDERS: Record<"file" | "file or text", JsonObject> = {
  file: {},
  "file or text": { type: "object" },
};

/**
 * Builds the schemas of the multipart bodies of operations. Bodies share a graph of schemas, except a body in which another
 * schema is a file than in the others: for example, a component that is a file in one body and text in another.
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
    const keywords = [...files].map(([{ pointer }, form]) => [pointer, PLACEHOLDERS[form]] as const);
    declared.set(mediaType, { schema, keywords: new Map(keywords) });
  }
  const shared = shareKeywords([...declared.values()].map(({ keywords }) => keywords));
  const graphs = new Map<string, SchemaGraph>();
  const bodies = new Map<MediaType, Schema>();
  for (const [mediaType, { schema, keywords }] of declared) {
    const isShared = hasSameKeywords(schema, keywords, shared);
    const suffix = isShared ? "?files" : `?files=${encodeURIComponent(mediaType.pointer)}`;
    const graph = getOrCreate(graphs, suffix, () =>
      schemas.withKeywords(suffix, isShared ? shared : keywords),
    );
    const uri = schema.resource.source.uri + suffix;
    const validated = graph.findByPointer(uri, schema.pointer)?.[schema.variant?.direction ?? "request"];
    if (validated) bodies.set(mediaType, validated);
  }
  return { bodies, components: [...graphs.values()].flatMap((graph) => [...graph.components().values()]) };
}

/** Combines the keywords of several bodies, without schemas that have different keywords in them. */
function shareKeywords(all: readonly FileKeywords[]): FileKeywords {
  const entries = all.flatMap((keywords) => [...keywords]);
  const shared = new Map(entries);
  for (const [pointer, keywords] of entries) if (shared.get(pointer) !== keywords) shared.delete(pointer);
  return shared;
}

/** Whether the schemas that a value is validated with have the same keywords in both maps. */
function hasSameKeywords(schema: Schema, one: FileKeywords, other: FileKeywords): boolean {
  const listNext = (each: Schema): Schema[] => (one.has(each.pointer) ? [] : listLinks(each));
  for (const { pointer } of walkGraph([schema], listNext))
    if (one.get(pointer) !== other.get(pointer)) return false;
  return true;
}
