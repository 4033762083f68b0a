import { printTypeAlias } from "../../code/print-source.js";
import type { Operation } from "../../model/model.js";
import { MessageTypes } from "../message-types.js";
import { isSuccessStatus, listSuccessResponses } from "../../model/success-responses.js";

/** Declares the request and response types of operations for callers of the client. */
export class ClientTypes extends MessageTypes {
  protected readonly requestBytesType = "BinaryInput";
  protected readonly multipartType = "MultipartInput";

  /** Declares e.g. `CreatePageRequest`. A group of parameters is optional if no parameter in it is required. */
  declareRequest(operation: Operation): string {
    const parameters = this.printParameters(operation, true);
    const alternatives = this.printBodyAlternatives(operation).map((body) =>
      printObjectType([...parameters, ...body]),
    );
    return printTypeAlias(`${operation.typeName}Request`, printUnionType(alternatives));
  }

  /** Declares e.g. `CreatePageResponse`: a union of the success responses, with one member per response and media type. */
  declareResponse(operation: Operation): string {
    const alternatives = listSuccessResponses(operation).flatMap((response) =>
      this.printResponseAlternatives(operation, response, response.statuses.filter(isSuccessStatus)),
    );
    const members = alternatives.map((each) => printObjectType([...each, "response: Response"]));
    return printTypeAlias(
      `${operation.typeName}Response${this.printTypeParameters(operation)}`,
      members.length === 0 ? "never" : printUnionType(members),
    );
  }

  /**
   * Prints the type parameters of a response: `As` for an operation that returns bytes, otherwise none. The caller chooses
   * the type that represents the bytes, such as a stream or a Blob.
   */
  printTypeParameters(operation: Operation): string {
    const mediaTypes = listSuccessResponses(operation).flatMap((response) => response.mediaTypes);
    const returnsBytes = mediaTypes.some(({ kind }) => kind === "binary");
    return returnsBytes ? `<As extends keyof ${this.imports.importType("Bytes")} = "bytes">` : "";
  }

  protected printRequestItems(itemType: string): string {
    return `AsyncIterable<${itemType}> | Iterable<${itemType}>`;
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
