import { createDocs } from "../../code/encode.js";
import { type InterfaceDeclaration, printProperty, type TypeDeclaration } from "../../code/print-source.js";
import type { Operation } from "../../model/model.js";
import { needsExplicitContentType } from "../media-types.js";
import { MessageTypes } from "../message-types.js";

/** Declares the request and response types of operations for handlers. */
export class HandlerTypes extends MessageTypes {
  // A stream, so that files are not kept in memory.
  protected readonly requestBytesType = "Readable";
  protected readonly multipartType = "Multipart";

  /** Declares `RetrievePageRequest`: an interface, or a union type when the body can have several media types. */
  declareRequest(operation: Operation): InterfaceDeclaration | TypeDeclaration {
    const { summary, typeName, webhook, body } = operation;
    const name = `${typeName}Request`;
    const docs = createDocs(`Request of ${formatTitle(operation)}`, webhook === undefined ? "" : summary);
    const parameters = this.listParameterMembers(operation);
    const alternatives = this.listBodyAlternatives(operation);
    if (!needsExplicitContentType(body?.mediaTypes ?? []))
      return { kind: "interface", name, docs, properties: [...parameters, ...alternatives.flat()] };
    const members = alternatives.map((each) => [...parameters, ...each].map(printProperty).join("; "));
    return { kind: "type", name, docs, type: members.map((text) => `| { ${text} }`).join("\n") };
  }

  /** Declares `RetrievePageResponse`: a union with one member for each status and media type in the document. */
  declareResponse(operation: Operation): TypeDeclaration {
    const members = operation.responses
      // A key such as 4XX has no statuses if all of them are declared separately.
      .filter(({ statuses }) => statuses.length > 0)
      .flatMap((response) => this.listResponseAlternatives(operation, response, response.statuses));
    return {
      kind: "type",
      name: `${operation.typeName}Response`,
      docs: createDocs(`Response of ${formatTitle(operation)}`),
      type: members.length === 0 ? "never" : members.map((texts) => `| { ${texts.join("; ")} }`).join("\n"),
    };
  }

  protected printResponseBytes(): string {
    return this.imports.importType("BinaryContent");
  }
}

function formatTitle({ method, path, webhook }: Operation): string {
  return `${method.toUpperCase()} ${webhook === undefined ? path : `of the webhook ${webhook}`}`;
}
