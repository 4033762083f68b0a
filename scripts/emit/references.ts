import { stringLiteral, templateText } from "../code/encode.js";
import type { Api, MediaType, Operation, Parameter, Response } from "../model/model.js";
import type { Schema } from "../model/schema/schema.js";
import type { Imports } from "./imports.js";
import {
  referencedSchema,
  requestBodies,
  responseBodies,
  responsePath,
  successBodies,
  type TypedBody,
  type TypeNames,
  typeNames,
} from "./type-names.js";

/** Members of a request that contain parameters, and the location of the parameters in each. */
export const PARAMETER_GROUPS: readonly [member: string, location: Parameter["in"]][] = [
  ["path", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
];

/** Prints references to the types of types.ts, and imports what they need. */
export class TypeReferences {
  readonly #names: TypeNames;
  readonly #imports: Imports;
  readonly #runtime: string;

  /** @param runtime module with the types of streams */
  constructor(api: Api, imports: Imports, runtime: string) {
    this.#names = typeNames(api);
    this.#imports = imports;
    this.#runtime = runtime;
  }

  /** The type of a group of parameters, e.g. `Types.RetrievePagePath`. */
  parameters(operation: Operation, location: Parameter["in"]): string {
    return this.#namespace() + (this.#names.operations.get(operation)?.parameters[location] ?? "");
  }

  /** The declared type of a request body of one media type. */
  requestBody(operation: Operation, { kind, schema }: MediaType): string {
    if (!schema) return kind === "json" ? "unknown" : "Record<string, unknown>";
    const bodies = requestBodies(operation, this.#namespace());
    return this.#body(schema, bodies, bodies, this.#names.operations.get(operation)?.requestBody);
  }

  /** The type of a response body that is not bytes. */
  responseBody(operation: Operation, response: Response, { name, kind, item, schema }: MediaType): string {
    if (kind === "text") return "string";
    const namespace = this.#namespace();
    if (!item) {
      if (!schema) return "unknown";
      const alias = this.#names.operations.get(operation)?.responseBody;
      const bodies = responseBodies(operation, response, namespace);
      return this.#body(schema, bodies, successBodies(operation, namespace), alias);
    }
    const declared = `${responsePath(operation, response, namespace)}["content"][${stringLiteral(name)}]`;
    const itemType =
      item.schema === undefined
        ? "unknown"
        : (this.#componentName(item.schema) ??
          (item.isArray ? `${this.#imports.importType(this.#runtime, "ItemOf")}<${declared}>` : declared));
    if (kind === "jsonl" || item.describesEvent) return `AsyncIterable<${itemType}>`;
    const data = item.schema === undefined ? "string" : itemType;
    return `AsyncIterable<${this.#imports.importType(this.#runtime, "ServerSentEvent")}<${data}>>`;
  }

  /** The member for the headers of a response; empty if it declares none. */
  headers(response: Response): string[] {
    if (response.headers.length === 0) return [];
    const optional = response.headers.some(({ required }) => required) ? "" : "?";
    return [`headers${optional}: ${this.#namespace()}${this.#names.headers.get(response.headers)}`];
  }

  /**
   * The shortest name for the type of a body: that of its component, or the alias if it is the operation's only body.
   *
   * @param bodies the bodies of the same message
   * @param aliased the bodies that `alias` is the union of
   */
  #body(
    schema: Schema,
    bodies: readonly TypedBody[],
    aliased: readonly TypedBody[],
    alias: string | undefined,
  ): string {
    const component = this.#componentName(schema);
    if (component !== undefined) return component;
    const [only, ...others] = aliased;
    if (alias !== undefined && only?.schema === schema && others.length === 0)
      return this.#namespace() + alias;
    return bodies.find((body) => body.schema === schema)?.path ?? "unknown";
  }

  #componentName(schema: Schema): string | undefined {
    const component = referencedSchema(schema);
    const name = component && this.#names.schemas.get(component);
    return name === undefined ? undefined : this.#namespace() + name;
  }

  #namespace(): string {
    return `${this.#imports.importTypeNamespace("./types.js", "Types")}.`;
  }
}

/** Whether a multipart body can have files. A body without declared parts can. */
export function hasFiles({ kind, fields }: MediaType): boolean {
  return kind === "multipart" && (fields.length === 0 || fields.some(({ file }) => file));
}

/** The type of the names of the files in a multipart body. */
export function fileNames({ fields }: MediaType): string {
  const files = fields.filter(({ file }) => file).map(({ name }) => stringLiteral(name));
  return files.length === 0 ? "never" : files.join(" | ");
}

/** Whether a message needs the name of its media type: there are several, or a range. */
export function needsContentType(mediaTypes: readonly MediaType[]): boolean {
  const isNamed = ({ name, range, kind }: MediaType): boolean =>
    range !== undefined && (name !== "*/*" || kind === "binary");
  return mediaTypes.length > 1 || mediaTypes.some(isNamed);
}

/** The type of a media type's name: a range such as `image/*` contains every name with its prefix and suffix. */
export function mediaTypeName({ name, range }: MediaType): string {
  if (name === "*/*") return "string";
  if (!range) return stringLiteral(name);
  return `\`${templateText(range.prefix)}\${string}${templateText(range.suffix)}\``;
}
