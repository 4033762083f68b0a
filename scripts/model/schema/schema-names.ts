import { escapePointer } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { reserveName, toPascalCase } from "../names.js";
import type { SchemaResolver, Variant, Schema } from "./schema.js";

/** Assigns unique names and keys to schemas and their variants. */
export class SchemaNames {
  private readonly names = new Map<Schema, string>();
  private readonly usedNames: Set<string>;
  private readonly keys = new Map<Schema, string>();
  private readonly usedKeys = new Set<string>();

  constructor(private readonly resolver: SchemaResolver) {
    this.usedNames = new Set(resolver.components().keys());
  }

  /** Returns the unique name of a schema. `emit/common/type-names.ts` derives the name of its type from it. */
  getName(schema: Schema): string {
    return getOrCreate(this.names, schema, () => this.chooseName(schema));
  }

  private chooseName(schema: Schema): string {
    const base = schema.original ?? schema;
    const isResponse = base.response === schema;
    const { component, pointer, resource } = base;
    if (component !== undefined && isResponse) return component;
    const baseName =
      component ?? (pointer === "" ? makeNameFromUri(resource.uri) : makeNameFromPointer(pointer));
    const suffix = isResponse ? "" : base.request === schema ? "Request" : makeVariantSuffix(schema);
    return reserveName(baseName + suffix, this.usedNames);
  }

  /** Returns the unique key of a schema, e.g. `openapi.json#/components/schemas/PetRequest/properties/owner` in a request variant. */
  getKey(schema: Schema): string {
    return getOrCreate(this.keys, schema, () => this.makeKey(schema));
  }

  private makeKey(schema: Schema): string {
    const pointer = schema.variant ? this.makePointerInVariant(schema, schema.variant) : schema.pointer;
    let key = `${schema.resource.source.uri}#${pointer}`;
    // Several variants of a schema can have the same pointer.
    if (this.usedKeys.has(key)) key += `/${schema.variant?.key ?? "declared"}`;
    this.usedKeys.add(key);
    return key;
  }

  /** Makes the pointer of a schema in a variant. It starts with the name of that variant of the component. */
  private makePointerInVariant(schema: Schema, { direction }: Variant): string {
    const { pointer, resource } = schema;
    const component = /^\/components\/schemas\/[^/]*/.exec(pointer)?.[0];
    if (component === undefined) return pointer;
    const owner = this.resolver.findByPointer(resource.source.uri, component)?.[direction];
    if (!owner?.variant) return pointer;
    return `/components/schemas/${escapePointer(owner.name)}${pointer.slice(component.length)}`;
  }
}

/** Segments of JSON pointers that names omit, because they are too generic. */
const GENERIC_SEGMENTS: ReadonlySet<string> = new Set(
  "components schemas paths properties definitions $defs content schema responses parameters items allOf".split(
    " ",
  ),
);

/** Makes a name from the last segment of a document's URI, e.g. `Schema` for the metaschema. */
function makeNameFromUri(uri: string): string {
  return toPascalCase(uri.replace(/^.*\//, "")) || "Referenced";
}

/** Makes a name from a pointer: `PetOwner` for `/components/schemas/Pet/properties/owner`. */
function makeNameFromPointer(pointer: string): string {
  const parts = pointer.split("/").filter((part) => part !== "" && !GENERIC_SEGMENTS.has(part));
  return toPascalCase(parts.map((part) => part.replace(/~[01]/g, " ")).join(" ")) || "Referenced";
}

/** Makes the suffix for a variant that removes additional properties, e.g. `RequestWithoutId`. */
function makeVariantSuffix({ variant }: Schema): string {
  if (!variant) return "Declared";
  const words = [...variant.removed].sort().map(toPascalCase);
  return `${variant.direction === "request" ? "Request" : "Response"}${words.length > 0 ? `Without${words.join("")}` : ""}`;
}
