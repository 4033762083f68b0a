import type { MediaType, Operation, Parameter, Response } from "../model/model.js";
import { docComment, stringLiteral, templateText } from "../code/encode.js";
import {
  bodyType,
  namesMediaType,
  parametersType,
  responseBodyType,
  responseReference,
} from "./references.js";
import type { InterfaceDeclaration, TypeDeclaration } from "./source.js";

/** Members of a request and the place in types.ts that each comes from. */
const PLACES: readonly [member: string, place: Parameter["in"]][] = [
  ["path", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
];

/** `export interface RetrievePageRequest { path: ... }`, or a type when the body can be of several media types. */
export function requestType(operation: Operation): InterfaceDeclaration | TypeDeclaration {
  const name = `${operation.typeName}Request`;
  const docs = docComment(
    `Request of ${titleOf(operation)}`,
    operation.webhook === undefined ? "" : operation.summary,
    false,
  );
  const properties = PLACES.filter(([, place]) => operation.parameters.some((each) => each.in === place)).map(
    ([member, place]) => ({ name: member, type: parametersType(operation, place) }),
  );
  const bodies = operation.body?.mediaTypes ?? [];
  const hasQuestionToken = operation.body?.required === false;
  const [only] = bodies;
  if (!namesMediaType(bodies)) {
    const body = only ? [{ name: "body", type: bodyType(operation, only), hasQuestionToken }] : [];
    return {
      kind: "interface",
      name,
      docs,
      properties: [...properties, ...body],
    };
  }
  const shared = properties.map((property) => `${property.name}: ${property.type}`).join("; ");
  const members = bodies.map(
    (mediaType) => `{ contentType: ${mediaTypeName(mediaType)}; body: ${bodyType(operation, mediaType)} }`,
  );
  if (hasQuestionToken) members.push("{ contentType?: undefined; body?: undefined }");
  const type = `{ ${shared} } & (${members.join(" | ")})`;
  return { kind: "type", name, docs, type };
}

function titleOf({ method, path, webhook }: Operation): string {
  return `${method.toUpperCase()} ${webhook === undefined ? path : `of the webhook ${webhook}`}`;
}

/** `export type RetrievePageResponse = ...`: one member for each status and media type that the document declares. */
export function responseType(operation: Operation): TypeDeclaration {
  const members = operation.responses.flatMap((response) => responseMembers(operation, response));
  return {
    kind: "type",
    name: `${operation.typeName}Response`,
    docs: docComment(`Response of ${titleOf(operation)}`, "", false),
    type: members.length === 0 ? "never" : members.map((member) => `| ${member}`).join("\n"),
  };
}

function responseMembers(operation: Operation, response: Response): string[] {
  // A key such as 4XX stands for no status when every one of them is declared by itself.
  if (response.statuses.length === 0) return [];
  const status = `status: ${response.statuses.join(" | ")}`;
  const headers = headersMember(operation, response);
  const named = namesMediaType(response.mediaTypes);
  if (response.mediaTypes.length === 0) return [`{ ${[status, ...headers].join("; ")} }`];
  return response.mediaTypes.map((mediaType) => {
    const type = named ? [`contentType: ${mediaTypeName(mediaType)}`] : [];
    const body = `body: ${responseBodyType(operation, response, mediaType)}`;
    return `{ ${[status, ...headers, ...type, body].join("; ")} }`;
  });
}

/** The type of a media type's name: a range such as `image/*` stands for any that begins so. */
function mediaTypeName({ name }: MediaType): string {
  if (name === "*/*") return "string";
  return name.endsWith("/*") ? `\`${templateText(name.slice(0, -1))}\${string}\`` : stringLiteral(name);
}

function headersMember(operation: Operation, response: Response): string[] {
  if (response.headers.length === 0) return [];
  const optional = response.headers.every((header) => !header.required) ? "?" : "";
  return [`headers${optional}: HeadersOf<${responseReference(operation, response)}>`];
}
