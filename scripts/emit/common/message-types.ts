import { printStringLiteral } from "../../code/encode.js";
import { getRequired } from "../../maps.js";
import type { Api, BodyField, MediaType, Operation, Response, StreamItem } from "../../model/model.js";
import { listComposedParts } from "../../model/schema/composition.js";
import type { Schema } from "../../model/schema/schema.js";
import type { Imports } from "./imports.js";
import { needsContentType, printContentType } from "./content-type.js";
import { printStatusType } from "./status-types.js";
import { groupParameters } from "../../model/parameters/parameter-groups.js";
import { nameTypes, type TypeNames } from "./type-names.js";
import {
  findReferencedComponent,
  listRequestBodies,
  listSuccessBodies,
  printBodyAccessType,
  printRequestAccessType,
  printResponseAccessType,
  type TypedBody,
} from "./typed-bodies.js";

/** The types of statuses, bytes, files and lines, which servers and clients receive and send in different ways. */
const RUNTIME_TYPES = {
  server: {
    // A stream, so that files are not kept in memory.
    requestBytes: "Readable",
    multipart: "Multipart",
    printRequestStream: (itemType: string) => `AsyncIterable<${itemType}>`,
    printResponseBytes: (imports: Imports) => imports.importRuntimeType("BinaryContent"),
    printStatus: printStatusType,
  },
  client: {
    requestBytes: "BinaryInput",
    multipart: "MultipartInput",
    printRequestStream: (itemType: string) => `AsyncIterable<${itemType}> | Iterable<${itemType}>`,
    printResponseBytes: (imports: Imports) => `${imports.importRuntimeType("Bytes")}[As]`,
    // Only successes, which are few.
    printStatus: (statuses: readonly number[]) => statuses.join(" | "),
  },
} as const;

/** Prints the types of requests and responses with references to types.ts, and imports the types that they use. */
export class MessageTypes {
  private readonly runtimeTypes: (typeof RUNTIME_TYPES)[keyof typeof RUNTIME_TYPES];
  private readonly names: TypeNames;

  constructor(
    api: Api,
    private readonly side: keyof typeof RUNTIME_TYPES,
    readonly imports: Imports,
  ) {
    this.runtimeTypes = RUNTIME_TYPES[side];
    this.names = nameTypes(api);
  }

  /**
   * Prints the members of a request with parameters, e.g. `path: Types.RetrievePagePath`. The client, which creates the request,
   * can omit a group without a required parameter. The handler always gets it.
   */
  printParameters(operation: Operation): string[] {
    const names = getRequired(this.names.operations, operation);
    return groupParameters(operation).map(({ member, location, parameters }) => {
      const isOptional = this.side === "client" && !parameters.some(({ required }) => required);
      return `${member}${isOptional ? "?" : ""}: ${this.imports.importDocumentType(`Types.${names[location]}`)}`;
    });
  }

  /** Prints the alternatives for the members with the body: one per media type if the request must name its media type. */
  printBodyAlternatives(operation: Operation): string[][] {
    const { mediaTypes = [], required = true } = operation.body ?? {};
    const printBody = (mediaType: MediaType): string => this.printRequestBody(operation, mediaType);
    if (!needsContentType(mediaTypes))
      return [mediaTypes.map((mediaType) => `body${required ? "" : "?"}: ${printBody(mediaType)}`)];
    return [
      ...mediaTypes.map((each) => [`contentType: ${printContentType(each)}`, `body: ${printBody(each)}`]),
      ...(required ? [] : [["contentType?: undefined", "body?: undefined"]]),
    ];
  }

  /** Prints the alternatives for a response, each with its members: one per media type. */
  printResponseAlternatives(
    operation: Operation,
    response: Response,
    statuses: readonly number[],
  ): string[][] {
    const { mediaTypes } = response;
    const shared = [
      `status: ${this.runtimeTypes.printStatus(statuses, this.imports)}`,
      ...this.printHeaders(response),
    ];
    if (mediaTypes.length === 0) return [shared];
    return mediaTypes.map((mediaType) => [
      ...shared,
      ...(needsContentType(mediaTypes) ? [`contentType: ${printContentType(mediaType)}`] : []),
      `body: ${this.printResponseBody(operation, response, mediaType)}`,
    ]);
  }

  /** Prints the member with the headers of a response. The handler, which creates it, can omit headers that are all optional. */
  private printHeaders({ headers }: Response): string[] {
    if (headers.length === 0) return [];
    const isOptional = this.side === "server" && !headers.some(({ required }) => required);
    const name = getRequired(this.names.headers, headers);
    return [`headers${isOptional ? "?" : ""}: ${this.imports.importDocumentType(`Types.${name}`)}`];
  }

  private printRequestBody(operation: Operation, mediaType: MediaType): string {
    const { kind, item } = mediaType;
    if (kind === "text") return "string";
    if (kind === "binary") return this.imports.importRuntimeType(this.runtimeTypes.requestBytes);
    const accessType = printBodyAccessType(printRequestAccessType(operation, "Types."), mediaType);
    if (item) return this.runtimeTypes.printRequestStream(this.printItemType(accessType, item));
    const alias = getRequired(this.names.operations, operation).requestBody;
    const declared = this.printParsedBody(mediaType, accessType, alias, listRequestBodies(operation));
    if (!hasFiles(mediaType)) return declared;
    return `${this.imports.importRuntimeType(this.runtimeTypes.multipart)}<${[declared, ...printPartNames(mediaType)].join(", ")}>`;
  }

  private printResponseBody(operation: Operation, response: Response, mediaType: MediaType): string {
    const { kind, item } = mediaType;
    if (kind === "binary") return this.runtimeTypes.printResponseBytes(this.imports);
    if (kind === "text") return "string";
    const accessType = printBodyAccessType(printResponseAccessType(operation, response, "Types."), mediaType);
    if (item) return this.printResponseStream(accessType, mediaType, item);
    const alias = getRequired(this.names.operations, operation).responseBody;
    return this.printParsedBody(mediaType, accessType, alias, listSuccessBodies(operation));
  }

  /** Prints the type of a stream of items: JSON lines or server-sent events. */
  private printResponseStream(accessType: string, { kind }: MediaType, item: StreamItem): string {
    const itemType = this.printItemType(accessType, item);
    if (kind !== "sse" || item.describesEvent) return `AsyncIterable<${itemType}>`;
    const data = item.schema === undefined ? "string" : itemType;
    return `AsyncIterable<${this.imports.importRuntimeType("ServerSentEvent")}<${data}>>`;
  }

  private printItemType(accessType: string, { schema, isArray }: StreamItem): string {
    if (schema === undefined) return "unknown";
    const component = this.printComponent(schema);
    if (component !== undefined) return component;
    if (isPlainString(schema)) return "string";
    const type = this.imports.importDocumentType(accessType);
    return isArray ? `${this.imports.importRuntimeType("ItemOf")}<${type}>` : type;
  }

  /**
   * Prints the type of a body that is parsed to a value: the name of its component, otherwise the alias if the body is its
   * only alternative, otherwise an indexed access type.
   *
   * @param alternatives the bodies whose union is named `alias`
   */
  private printParsedBody(
    { kind, schema }: MediaType,
    accessType: string,
    alias: string | undefined,
    alternatives: readonly TypedBody[],
  ): string {
    if (!schema) return kind === "json" ? "unknown" : "Record<string, unknown>";
    const component = this.printComponent(schema);
    if (component !== undefined) return component;
    const isOnly = alternatives.length === 1 && alternatives[0]?.schema === schema;
    return this.imports.importDocumentType(isOnly && alias !== undefined ? `Types.${alias}` : accessType);
  }

  /** Prints the type of the component that a schema refers to; undefined for any other schema. */
  private printComponent(schema: Schema): string | undefined {
    const component = findReferencedComponent(schema);
    const name = component && this.names.schemas.get(component);
    return name === undefined ? undefined : this.imports.importDocumentType(`Types.${name}`);
  }
}

/** Whether the type of a schema is that of all strings. */
function isPlainString(schema: Schema): boolean {
  const { declaredTypes, listedValues, nullable } = schema;
  const isString = declaredTypes?.length === 1 && declaredTypes[0] === "string" && !nullable;
  return isString && listedValues === undefined && listComposedParts(schema).length === 0;
}

/** Whether a body is multipart and can have files. Without declared parts, every part can be a file. */
function hasFiles({ kind, fields, additionalField }: MediaType): boolean {
  const entries = additionalField ? [...fields, additionalField] : fields;
  return kind === "multipart" && (entries.length === 0 || entries.some(({ file }) => file));
}

/**
 * Prints the types of the names of the parts of a multipart body that are files, and of those among them that can be text, if
 * there are any. In `MultipartInput`, the marker `symbol` means that undeclared parts can be files; `string` would include the
 * names of all parts.
 */
function printPartNames({ fields, additionalField }: MediaType): string[] {
  const files = fields.filter(({ file }) => file);
  const printNames = (named: readonly BodyField[]): string[] =>
    named.map(({ name }) => printStringLiteral(name));
  const fileNames = [...printNames(files), ...(additionalField?.file ? ["symbol"] : [])];
  const textNames = printNames(files.filter(({ file }) => file === "file or text"));
  return [fileNames.join(" | ") || "never", ...(textNames.length > 0 ? [textNames.join(" | ")] : [])];
}
