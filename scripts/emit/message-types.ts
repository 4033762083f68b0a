import { printStringLiteral } from "../code/encode.js";
import type { Property } from "../code/print-source.js";
import type { Api, MediaType, Operation, Response } from "../model/model.js";
import type { Schema } from "../model/schema/schema.js";
import type { Imports } from "./imports.js";
import { hasFiles, needsContentType, printContentType, printFileNames } from "./media-types.js";
import { groupParameters } from "./parameter-groups.js";
import {
  findReferencedComponent,
  listRequestBodies,
  listResponseBodies,
  listSuccessBodies,
  nameTypes,
  printResponsePath,
  type TypedBody,
  type TypeNames,
} from "./type-names.js";

/**
 * Prints the types of requests and responses with references to types.ts, and imports the types that they use. Servers and
 * clients have subclasses, because they receive and send bytes and files in different ways.
 */
export abstract class MessageTypes {
  protected readonly imports: Imports;
  readonly #names: TypeNames;

  /** Name of the runtime's type for a request body of bytes. */
  protected abstract readonly requestBytesType: string;
  /** Name of the runtime's type for a multipart body with files: a generic type of the declared type and the names of the files. */
  protected abstract readonly multipartType: string;

  constructor(api: Api, imports: Imports) {
    this.imports = imports;
    this.#names = nameTypes(api);
  }

  /** Prints the type of a response body of bytes. */
  protected abstract printResponseBytes(): string;

  /** Lists the members of a request with parameters, e.g. `path` of the type `Types.RetrievePagePath`. */
  protected listParameterMembers(operation: Operation): (Property & { isRequired: boolean })[] {
    const names = this.#names.operations.get(operation);
    return groupParameters(operation).map(({ member, location, parameters }) => ({
      name: member,
      type: this.imports.importNamespace() + (names?.[location] ?? ""),
      isRequired: parameters.some(({ required }) => required),
    }));
  }

  /** Lists the alternatives for the members with the body: one per media type if the request must name its media type. */
  protected listBodyAlternatives(operation: Operation): Property[][] {
    const { mediaTypes = [], required = true } = operation.body ?? {};
    const createBody = (mediaType: MediaType): Property => ({
      name: "body",
      type: this.#printRequestBody(operation, mediaType),
    });
    if (!needsContentType(mediaTypes))
      return [mediaTypes.map((mediaType) => ({ ...createBody(mediaType), isOptional: !required }))];
    const alternatives = mediaTypes.map((mediaType) => [
      { name: "contentType", type: printContentType(mediaType) },
      createBody(mediaType),
    ]);
    if (required) return alternatives;
    const absent = { type: "undefined", isOptional: true };
    return [
      ...alternatives,
      [
        { name: "contentType", ...absent },
        { name: "body", ...absent },
      ],
    ];
  }

  /** Lists the alternatives for a response, each as the text of its members: one per media type. */
  protected listResponseAlternatives(
    operation: Operation,
    response: Response,
    statuses: readonly number[],
  ): string[][] {
    const { mediaTypes } = response;
    const shared = [`status: ${statuses.join(" | ")}`, ...this.#printHeaders(response)];
    if (mediaTypes.length === 0) return [shared];
    return mediaTypes.map((mediaType) => [
      ...shared,
      ...(needsContentType(mediaTypes) ? [`contentType: ${printContentType(mediaType)}`] : []),
      `body: ${this.#printResponseBody(operation, response, mediaType)}`,
    ]);
  }

  #printHeaders({ headers }: Response): string[] {
    if (headers.length === 0) return [];
    const optional = headers.some(({ required }) => required) ? "" : "?";
    return [`headers${optional}: ${this.imports.importNamespace()}${this.#names.headers.get(headers)}`];
  }

  #printRequestBody(operation: Operation, mediaType: MediaType): string {
    const { kind, schema } = mediaType;
    if (kind === "text") return "string";
    if (kind === "binary") return this.imports.importType(this.requestBytesType);
    const declared = schema
      ? this.#printDeclaredRequestBody(operation, schema)
      : kind === "json"
        ? "unknown"
        : "Record<string, unknown>";
    if (!hasFiles(mediaType)) return declared;
    return `${this.imports.importType(this.multipartType)}<${declared}, ${printFileNames(mediaType)}>`;
  }

  #printDeclaredRequestBody(operation: Operation, schema: Schema): string {
    const bodies = listRequestBodies(operation, this.imports.importNamespace());
    return this.#printBody(schema, bodies, bodies, this.#names.operations.get(operation)?.requestBody);
  }

  #printResponseBody(operation: Operation, response: Response, mediaType: MediaType): string {
    const { kind, item, schema } = mediaType;
    if (kind === "binary") return this.printResponseBytes();
    if (kind === "text") return "string";
    if (item) return this.#printItems(operation, response, mediaType, item);
    if (!schema) return "unknown";
    const namespace = this.imports.importNamespace();
    const alias = this.#names.operations.get(operation)?.responseBody;
    const bodies = listResponseBodies(operation, response, namespace);
    return this.#printBody(schema, bodies, listSuccessBodies(operation, namespace), alias);
  }

  /** Prints the type of a stream of items: JSON lines or server-sent events. */
  #printItems(
    operation: Operation,
    response: Response,
    { name, kind }: MediaType,
    item: NonNullable<MediaType["item"]>,
  ): string {
    const namespace = this.imports.importNamespace();
    const declared = `${printResponsePath(operation, response, namespace)}["content"][${printStringLiteral(name)}]`;
    const itemType =
      item.schema === undefined
        ? "unknown"
        : (this.#printComponent(item.schema) ??
          (item.isArray ? `${this.imports.importType("ItemOf")}<${declared}>` : declared));
    if (kind === "jsonl" || item.describesEvent) return `AsyncIterable<${itemType}>`;
    const data = item.schema === undefined ? "string" : itemType;
    return `AsyncIterable<${this.imports.importType("ServerSentEvent")}<${data}>>`;
  }

  /**
   * Prints the shortest name for the type of a body: that of its component, or the alias if it is the operation's only body.
   *
   * @param bodies the bodies of the same message
   * @param aliasedBodies the bodies whose union is named `alias`
   */
  #printBody(
    schema: Schema,
    bodies: readonly TypedBody[],
    aliasedBodies: readonly TypedBody[],
    alias: string | undefined,
  ): string {
    const component = this.#printComponent(schema);
    if (component !== undefined) return component;
    if (alias !== undefined && aliasedBodies.length === 1 && aliasedBodies[0]?.schema === schema)
      return this.imports.importNamespace() + alias;
    return bodies.find((body) => body.schema === schema)?.path ?? "unknown";
  }

  /** Prints the type of the component that a schema refers to; undefined for any other schema. */
  #printComponent(schema: Schema): string | undefined {
    const component = findReferencedComponent(schema);
    const name = component && this.#names.schemas.get(component);
    return name === undefined ? undefined : this.imports.importNamespace() + name;
  }
}
