import { docComment } from "../../code/encode.js";
import type { InterfaceDeclaration, TypeDeclaration } from "../../code/print-source.js";
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

/** Declares the request and response types of operations for handlers. */
export class MessageTypes {
  readonly #imports: Imports;
  readonly #runtime: string;
  readonly #references: TypeReferences;

  constructor(api: Api, imports: Imports, httpRuntime: string) {
    this.#imports = imports;
    this.#runtime = httpRuntime;
    this.#references = new TypeReferences(api, imports, httpRuntime);
  }

  /** Declares `RetrievePageRequest`: an interface, or a union type when the body can have several media types. */
  declareRequest(operation: Operation): InterfaceDeclaration | TypeDeclaration {
    const name = `${operation.typeName}Request`;
    const summary = operation.webhook === undefined ? "" : operation.summary;
    const docs = docComment(`Request of ${formatTitle(operation)}`, summary, false);
    const properties = PARAMETER_GROUPS.filter(([, location]) =>
      operation.parameters.some((each) => each.in === location),
    ).map(([member, location]) => ({ name: member, type: this.#references.parameters(operation, location) }));
    const { mediaTypes = [], required = true } = operation.body ?? {};
    const [only] = mediaTypes;
    if (!needsContentType(mediaTypes)) {
      const body = only
        ? [{ name: "body", type: this.#printBodyType(operation, only), hasQuestionToken: !required }]
        : [];
      return { kind: "interface", name, docs, properties: [...properties, ...body] };
    }
    const shared = properties.map((property) => `${property.name}: ${property.type}`);
    const alternatives = mediaTypes.map((mediaType) => [
      `contentType: ${mediaTypeName(mediaType)}`,
      `body: ${this.#printBodyType(operation, mediaType)}`,
    ]);
    if (!required) alternatives.push(["contentType?: undefined", "body?: undefined"]);
    const members = alternatives.map((body) => `| { ${[...shared, ...body].join("; ")} }`);
    return { kind: "type", name, docs, type: members.join("\n") };
  }

  /** Declares `RetrievePageResponse`: a union with one member for each status and media type in the document. */
  declareResponse(operation: Operation): TypeDeclaration {
    const members = operation.responses.flatMap((response) =>
      this.#printResponseMembers(operation, response),
    );
    return {
      kind: "type",
      name: `${operation.typeName}Response`,
      docs: docComment(`Response of ${formatTitle(operation)}`, "", false),
      type: members.length === 0 ? "never" : members.map((member) => `| ${member}`).join("\n"),
    };
  }

  #printResponseMembers(operation: Operation, response: Response): string[] {
    const { statuses, mediaTypes } = response;
    // A key such as 4XX has no statuses if all of them are declared separately.
    if (statuses.length === 0) return [];
    const status = `status: ${statuses.join(" | ")}`;
    const headers = this.#references.headers(response);
    if (mediaTypes.length === 0) return [`{ ${[status, ...headers].join("; ")} }`];
    return mediaTypes.map((mediaType) => {
      const contentType = needsContentType(mediaTypes) ? [`contentType: ${mediaTypeName(mediaType)}`] : [];
      const body =
        mediaType.kind === "binary"
          ? this.#imports.importType(this.#runtime, "BinaryContent")
          : this.#references.responseBody(operation, response, mediaType);
      return `{ ${[status, ...headers, ...contentType, `body: ${body}`].join("; ")} }`;
    });
  }

  /** The type of a request body of one media type. Bytes are a stream, so that files are not kept in memory. */
  #printBodyType(operation: Operation, mediaType: MediaType): string {
    if (mediaType.kind === "text") return "string";
    if (mediaType.kind === "binary") return this.#imports.importType(this.#runtime, "Readable");
    const declared = this.#references.requestBody(operation, mediaType);
    if (!hasFiles(mediaType)) return declared;
    return `${this.#imports.importType(this.#runtime, "Multipart")}<${declared}, ${fileNames(mediaType)}>`;
  }
}

function formatTitle({ method, path, webhook }: Operation): string {
  return `${method.toUpperCase()} ${webhook === undefined ? path : `of the webhook ${webhook}`}`;
}
