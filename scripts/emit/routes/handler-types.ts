import { createDocs } from "../../code/encode.js";
import { printInterface, printTypeAlias } from "../../code/print-source.js";
import type { Operation } from "../../model/model.js";
import { needsExplicitContentType } from "../print-media-type.js";
import { MessageTypes } from "../message-types.js";

/** Declares the request and response types of operations for handlers. */
export class HandlerTypes extends MessageTypes {
  // A stream, so that files are not kept in memory.
  protected readonly requestBytesType = "Readable";
  protected readonly multipartType = "Multipart";

  /** Declares `RetrievePageRequest`: an interface, or a union type when the body can have several media types. */
  declareRequest(operation: Operation): string {
    const { summary, typeName, webhook, body } = operation;
    const name = `${typeName}Request`;
    const docs = createDocs(`Request of ${formatTitle(operation)}`, webhook === undefined ? "" : summary);
    const parameters = this.printParameters(operation, false);
    const alternatives = this.printBodyAlternatives(operation);
    if (!needsExplicitContentType(body?.mediaTypes ?? []))
      return printInterface(
        name,
        [...parameters, ...alternatives.flat()].map((member) => `${member};`),
        docs,
      );
    return printTypeAlias(name, printUnion(alternatives.map((each) => [...parameters, ...each])), docs);
  }

  /** Declares `RetrievePageResponse`: a union with one member for each status and media type in the document. */
  declareResponse(operation: Operation): string {
    const members = operation.responses
      // A key such as 4XX has no statuses if all of them are declared separately.
      .filter(({ statuses }) => statuses.length > 0)
      .flatMap((response) => this.printResponseAlternatives(operation, response, response.statuses));
    const docs = createDocs(`Response of ${formatTitle(operation)}`);
    return printTypeAlias(
      `${operation.typeName}Response`,
      members.length === 0 ? "never" : printUnion(members),
      docs,
    );
  }

  protected printRequestItems(itemType: string): string {
    return `AsyncIterable<${itemType}>`;
  }

  protected printResponseBytes(): string {
    return this.imports.importType("BinaryContent");
  }
}

/** Prints a union of object types, given the members of each. */
function printUnion(alternatives: readonly string[][]): string {
  return alternatives.map((members) => `| { ${members.join("; ")} }`).join("\n");
}

function formatTitle({ method, path, webhook }: Operation): string {
  return `${method.toUpperCase()} ${webhook === undefined ? path : `of the webhook ${webhook}`}`;
}
