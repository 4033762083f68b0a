import { printProperty, type TypeDeclaration } from "../../code/print-source.js";
import type { Operation } from "../../model/model.js";
import { MessageTypes } from "../message-types.js";
import { isSuccessStatus, listSuccessResponses } from "../success-responses.js";

/** Declares the request and response types of operations for callers of the client. */
export class ClientTypes extends MessageTypes {
  protected readonly requestBytesType = "BinaryInput";
  protected readonly multipartType = "MultipartInput";

  /** Declares e.g. `CreatePageRequest`. A group of parameters is optional if no parameter in it is required. */
  declareRequest(operation: Operation): TypeDeclaration {
    const parameters = this.listParameterMembers(operation).map(({ isRequired, ...member }) =>
      printProperty({ ...member, isOptional: !isRequired }),
    );
    const alternatives = this.listBodyAlternatives(operation).map((body) =>
      printObjectType([...parameters, ...body.map(printProperty)]),
    );
    return {
      kind: "type",
      name: `${operation.typeName}Request`,
      type: printUnionType(alternatives),
    };
  }

  /** Declares e.g. `CreatePageResponse`: a union of the success responses, with one member per response and media type. */
  declareResponse(operation: Operation): TypeDeclaration {
    const alternatives = listSuccessResponses(operation).flatMap((response) =>
      this.listResponseAlternatives(operation, response, response.statuses.filter(isSuccessStatus)),
    );
    const members = alternatives.map((each) => printObjectType([...each, "response: Response"]));
    return {
      kind: "type",
      name: `${operation.typeName}Response`,
      typeParameters: this.listTypeParameters(operation),
      type: members.length === 0 ? "never" : printUnionType(members),
    };
  }

  /**
   * Lists the type parameters of a response: `As` for an operation that returns bytes, otherwise none. The caller chooses
   * the type that represents the bytes, such as a stream or a Blob.
   */
  listTypeParameters(operation: Operation): string[] {
    const mediaTypes = listSuccessResponses(operation).flatMap((response) => response.mediaTypes);
    const returnsBytes = mediaTypes.some(({ kind }) => kind === "binary");
    return returnsBytes ? [`As extends keyof ${this.imports.importType("Bytes")} = "bytes"`] : [];
  }

  protected printResponseBytes(): string {
    return `${this.imports.importType("Bytes")}[As]`;
  }
}

function printObjectType(members: readonly string[]): string {
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}

function printUnionType(members: readonly string[]): string {
  return members.length === 1 ? members.join("") : members.map((member) => `| ${member}`).join("\n");
}
