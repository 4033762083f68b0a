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
import { successResponses } from "../success-responses.js";

/** Prints the request and response types of operations for callers of the client. */
export class ClientTypes {
  readonly #imports: Imports;
  readonly #runtime: string;
  readonly #references: TypeReferences;

  constructor(api: Api, imports: Imports, fetchRuntime: string) {
    this.#imports = imports;
    this.#runtime = fetchRuntime;
    this.#references = new TypeReferences(api, imports, fetchRuntime);
  }

  /** `export type CreatePageRequest = { ... }`. Parts without a required member are optional. */
  requestType(operation: Operation): TypeDeclaration {
    const parameters = PARAMETER_GROUPS.flatMap(([member, location]) => {
      const found = operation.parameters.filter((each) => each.in === location);
      if (found.length === 0) return [];
      const mark = found.some(({ required }) => required) ? "" : "?";
      return [`${member}${mark}: ${this.#references.parameters(operation, location)}`];
    });
    const members = this.#bodyAlternatives(operation).map((body) => objectType([...parameters, ...body]));
    return {
      kind: "type",
      name: `${operation.typeName}Request`,
      docs: [],
      type: unionType(members),
    };
  }

  /** `export type CreatePageResponse = { ... }`: the successes, one member per status and media type. */
  responseType(operation: Operation): TypeDeclaration {
    const members = successResponses(operation).flatMap((response) =>
      this.#responseMembers(operation, response),
    );
    return {
      kind: "type",
      name: `${operation.typeName}Response`,
      ...(this.returnsBytes(operation) ? { typeParameters: [this.#bytesParameter()] } : {}),
      docs: [],
      type: members.length === 0 ? "never" : unionType(members),
    };
  }

  /** Whether an operation returns bytes. The caller chooses their type, such as a stream or a Blob. */
  returnsBytes(operation: Operation): boolean {
    return successResponses(operation).some(({ mediaTypes }) =>
      mediaTypes.some(({ kind }) => kind === "binary"),
    );
  }

  /** Whether a request has a required part. */
  requiresRequest({ body, parameters }: Operation): boolean {
    return body?.required === true || parameters.some(({ required }) => required);
  }

  #bytesParameter(): string {
    return `As extends keyof ${this.#imports.importType(this.#runtime, "Bytes")} = "bytes"`;
  }

  /** The members for the body: one alternative per media type if the caller must name it. */
  #bodyAlternatives(operation: Operation): string[][] {
    const { body } = operation;
    if (!body) return [[]];
    const mark = body.required ? "" : "?";
    const [only] = body.mediaTypes;
    if (!needsContentType(body.mediaTypes)) {
      return [only ? [`body${mark}: ${this.#bodyType(operation, only)}`] : []];
    }
    const alternatives = body.mediaTypes.map((mediaType) => [
      `contentType: ${mediaTypeName(mediaType)}`,
      `body: ${this.#bodyType(operation, mediaType)}`,
    ]);
    return body.required ? alternatives : [...alternatives, ["contentType?: undefined", "body?: undefined"]];
  }

  #bodyType(operation: Operation, mediaType: MediaType): string {
    if (mediaType.kind === "text") return "string";
    if (mediaType.kind === "binary") return this.#imports.importType(this.#runtime, "BinaryInput");
    const declared = this.#references.requestBody(operation, mediaType);
    if (!hasFiles(mediaType)) return declared;
    return `${this.#imports.importType(this.#runtime, "MultipartInput")}<${declared}, ${fileNames(mediaType)}>`;
  }

  #responseMembers(operation: Operation, response: Response): string[] {
    const { mediaTypes } = response;
    const status = `status: ${response.statuses.filter(isSuccessStatus).join(" | ")}`;
    const headers = this.#references.headers(response);
    const raw = "response: Response";
    if (mediaTypes.length === 0) return [objectType([status, ...headers, raw])];
    return mediaTypes.map((mediaType) => {
      const type = needsContentType(mediaTypes) ? [`contentType: ${mediaTypeName(mediaType)}`] : [];
      const body =
        mediaType.kind === "binary"
          ? `${this.#imports.importType(this.#runtime, "Bytes")}[As]`
          : this.#references.responseBody(operation, response, mediaType);
      return objectType([status, ...headers, ...type, `body: ${body}`, raw]);
    });
  }
}

function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

function objectType(members: string[]): string {
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}

function unionType(members: string[]): string {
  const [only] = members;
  return members.length === 1 && only !== undefined
    ? only
    : members.map((member) => `| ${member}`).join("\n");
}
