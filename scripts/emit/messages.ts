import {
  type InterfaceDeclarationStructure,
  StructureKind,
  type TypeAliasDeclarationStructure,
} from "ts-morph";
import type { Operation, Parameter, Response } from "../model/model.js";
import { docComment, stringLiteral } from "./encode.js";
import { bodyType, parametersType, responseBodyType, responseReference } from "./references.js";

/** Members of a request and the place in types.ts that each comes from. */
const PLACES: readonly [member: string, place: Parameter["in"]][] = [
  ["path", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
];

/** `export interface RetrievePageRequest { path: ... }`, or a type when the body can be of several media types. */
export function requestType(
  operation: Operation,
): InterfaceDeclarationStructure | TypeAliasDeclarationStructure {
  const name = `${operation.typeName}Request`;
  const docs = docComment(`Request of ${operation.method.toUpperCase()} ${operation.path}`, "", false);
  const properties = PLACES.filter(([, place]) => operation.parameters.some((each) => each.in === place)).map(
    ([member, place]) => ({ name: member, type: parametersType(operation, place) }),
  );
  const bodies = operation.body?.mediaTypes ?? [];
  const hasQuestionToken = operation.body?.required === false;
  const [only] = bodies;
  if (bodies.length <= 1) {
    const body = only ? [{ name: "body", type: bodyType(operation, only), hasQuestionToken }] : [];
    return {
      kind: StructureKind.Interface,
      isExported: true,
      name,
      docs,
      properties: [...properties, ...body],
    };
  }
  const shared = properties.map((property) => `${property.name}: ${property.type}`).join("; ");
  const members = bodies.map(
    (mediaType) =>
      `{ contentType: ${stringLiteral(mediaType.name)}; body: ${bodyType(operation, mediaType)} }`,
  );
  if (hasQuestionToken) members.push("{ contentType?: undefined; body?: undefined }");
  const type = `{ ${shared} } & (${members.join(" | ")})`;
  return { kind: StructureKind.TypeAlias, isExported: true, name, docs, type };
}

/** `export type RetrievePageResponse = ...`: one member for each status and media type that the document declares. */
export function responseType(operation: Operation): TypeAliasDeclarationStructure {
  const members = operation.responses.flatMap((response) => responseMembers(operation, response));
  return {
    kind: StructureKind.TypeAlias,
    isExported: true,
    name: `${operation.typeName}Response`,
    docs: docComment(`Response of ${operation.method.toUpperCase()} ${operation.path}`, "", false),
    type: members.length === 0 ? "never" : members.map((member) => `| ${member}`).join("\n"),
  };
}

function responseMembers(operation: Operation, response: Response): string[] {
  // A key such as 4XX stands for no status when every one of them is declared by itself.
  if (response.statuses.length === 0) return [];
  const status = `status: ${response.statuses.join(" | ")}`;
  const headers = headersMember(operation, response);
  const several = response.mediaTypes.length > 1;
  if (response.mediaTypes.length === 0) return [`{ ${[status, ...headers].join("; ")} }`];
  return response.mediaTypes.map((mediaType) => {
    const type = several ? [`contentType: ${stringLiteral(mediaType.name)}`] : [];
    const body = `body: ${responseBodyType(operation, response, mediaType)}`;
    return `{ ${[status, ...headers, ...type, body].join("; ")} }`;
  });
}

function headersMember(operation: Operation, response: Response): string[] {
  if (response.headers.length === 0) return [];
  const optional = response.headers.every((header) => !header.required) ? "?" : "";
  return [`headers${optional}: HeadersOf<${responseReference(operation, response)}>`];
}
