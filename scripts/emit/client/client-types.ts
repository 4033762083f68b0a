import type { TypeDeclaration } from "../../code/print-source.js";
import type { Api, MediaType, Operation, Response } from "../../model/model.js";
import type { Imports } from "../imports.js";
import {
  fileNames,
  hasFiles,
  mediaTypeName,
  needsContentType,
  PARAMETER_GROUPS,
  TypeReferences,
} from "../references.js";
import { listSuccessResponses } from "../success-responses.js";

/** Declares the request and response types of operations for callers of the client. */
export class ClientTypes {
  readonly #imports: Imports;
  readonly #runtime: string;
  readonly #references: TypeReferences;

  constructor(api: Api, imports: Imports, fetchRuntime: string) {
    this.#imports = imports;
    this.#runtime = fetchRuntime;
    this.#references = new TypeReferences(api, imports, fetchRuntime);
  }

  /** Declares e.g. `CreatePageRequest`. A group of parameters is optional if no parameter in it is required. */
  declareRequest(operation: Operation): TypeDeclaration {
    const parameters = PARAMETER_GROUPS.flatMap(([member, location]) => {
      const group = operation.parameters.filter((parameter) => parameter.in === location);
      if (group.length === 0) return [];
      const optional = group.some(({ required }) => required) ? "" : "?";
      return [`${member}${optional}: ${this.#references.parameters(operation, location)}`];
    });
    const members = this.#listBodyAlternatives(operation).map((body) =>
      printObjectType([...parameters, ...body]),
    );
    return {
      kind: "type",
      name: `${operation.typeName}Request`,
      docs: [],
      type: printUnionType(members),
    };
  }

  /** Declares e.g. `CreatePageResponse`: a union of the success responses, with one member per response and media type. */
  declareResponse(operation: Operation): TypeDeclaration {
    const members = listSuccessResponses(operation).flatMap((response) =>
      this.#printResponseMembers(operation, response),
    );
    return {
      kind: "type",
      name: `${operation.typeName}Response`,
      ...(this.returnsBytes(operation) ? { typeParameters: [this.#printBytesTypeParameter()] } : {}),
      docs: [],
      type: members.length === 0 ? "never" : printUnionType(members),
    };
  }

  /** Whether an operation returns bytes. The caller chooses the type that represents them, such as a stream or a Blob. */
  returnsBytes(operation: Operation): boolean {
    return listSuccessResponses(operation).some(({ mediaTypes }) =>
      mediaTypes.some(({ kind }) => kind === "binary"),
    );
  }

  /** Whether the body or a parameter of a request is required. */
  requiresRequest({ body, parameters }: Operation): boolean {
    return body?.required === true || parameters.some(({ required }) => required);
  }

  #printBytesTypeParameter(): string {
    return `As extends keyof ${this.#imports.importType(this.#runtime, "Bytes")} = "bytes"`;
  }

  /** Lists the alternatives for the body, each as members of the request: one per media type if the caller must name it. */
  #listBodyAlternatives(operation: Operation): string[][] {
    const { body } = operation;
    if (!body) return [[]];
    const optional = body.required ? "" : "?";
    const [only] = body.mediaTypes;
    if (!needsContentType(body.mediaTypes)) {
      return [only ? [`body${optional}: ${this.#printBodyType(operation, only)}`] : []];
    }
    const alternatives = body.mediaTypes.map((mediaType) => [
      `contentType: ${mediaTypeName(mediaType)}`,
      `body: ${this.#printBodyType(operation, mediaType)}`,
    ]);
    return body.required ? alternatives : [...alternatives, ["contentType?: undefined", "body?: undefined"]];
  }

  #printBodyType(operation: Operation, mediaType: MediaType): string {
    if (mediaType.kind === "text") return "string";
    if (mediaType.kind === "binary") return this.#imports.importType(this.#runtime, "BinaryInput");
    const declared = this.#references.requestBody(operation, mediaType);
    if (!hasFiles(mediaType)) return declared;
    return `${this.#imports.importType(this.#runtime, "MultipartInput")}<${declared}, ${fileNames(mediaType)}>`;
  }

  #printResponseMembers(operation: Operation, response: Response): string[] {
    const { mediaTypes } = response;
    const status = `status: ${response.statuses.filter(isSuccessStatus).join(" | ")}`;
    const headers = this.#references.headers(response);
    const rawResponse = "response: Response";
    if (mediaTypes.length === 0) return [printObjectType([status, ...headers, rawResponse])];
    return mediaTypes.map((mediaType) => {
      const contentType = needsContentType(mediaTypes) ? [`contentType: ${mediaTypeName(mediaType)}`] : [];
      const body =
        mediaType.kind === "binary"
          ? `${this.#imports.importType(this.#runtime, "Bytes")}[As]`
          : this.#references.responseBody(operation, response, mediaType);
      return printObjectType([status, ...headers, ...contentType, `body: ${body}`, rawResponse]);
    });
  }
}

function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

function printObjectType(members: string[]): string {
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}

function printUnionType(members: string[]): string {
  const [only] = members;
  return members.length === 1 && only !== undefined
    ? only
    : members.map((member) => `| ${member}`).join("\n");
}
