import { printStringLiteral } from "../../code/encode.js";
import { getOrCreate } from "../../maps.js";
import type { MediaType, Operation, RequestBody, Response } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { listSuccessResponses } from "../../model/success-responses.js";

/** A body whose type depends on its schema, unlike the types of bytes, text and streams. */
export interface TypedBody {
  schema: Schema;
  referencedComponent: Schema | undefined;
  /** The type of the body as an indexed access type of types.ts. */
  accessType: string;
  isInline: boolean;
}

const KINDS_WITH_TYPE: ReadonlySet<MediaType["kind"]> = new Set(["json", "form", "multipart"]);

/** Annotations of a schema, which do not change its type. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "title description default deprecated example examples".split(" "),
);

/** The bodies of operations, so that the time does not grow with the square of the number of media types. */
const requestBodies = new WeakMap<Operation, TypedBody[]>();
const successBodies = new WeakMap<Operation, TypedBody[]>();

/** Lists the request bodies of an operation, one for each media type. */
export function listRequestBodies(operation: Operation): TypedBody[] {
  return getOrCreate(requestBodies, operation, () => {
    const { body } = operation;
    return body ? listTypedBodies(body, printRequestAccessType(operation)) : [];
  });
}

/** Lists the bodies of the success responses of an operation, one for each status and media type. */
export function listSuccessBodies(operation: Operation): TypedBody[] {
  return getOrCreate(successBodies, operation, () =>
    listSuccessResponses(operation).flatMap((response) =>
      listTypedBodies(response, printResponseAccessType(operation, response)),
    ),
  );
}

function listTypedBodies({ mediaTypes, component }: RequestBody | Response, accessType: string): TypedBody[] {
  return mediaTypes.flatMap((mediaType) => {
    const { kind, schema } = mediaType;
    if (!schema || !KINDS_WITH_TYPE.has(kind)) return [];
    return [
      {
        schema,
        referencedComponent: findReferencedComponent(schema),
        accessType: printBodyAccessType(accessType, mediaType),
        isInline: component === undefined,
      },
    ];
  });
}

/** Prints the type of a request body as an indexed access type of types.ts. */
export function printRequestAccessType(operation: Operation, namespace = ""): string {
  return `NonNullable<${printOperationAccessType(operation, namespace)}["requestBody"]>`;
}

/** Prints the type of a response as an indexed access type of types.ts. */
export function printResponseAccessType(operation: Operation, { key }: Response, namespace = ""): string {
  const status = /^[0-9]+$/.test(key) ? key : printStringLiteral(key);
  return `${printOperationAccessType(operation, namespace)}["responses"][${status}]`;
}

/** Prints the type of a body of one media type as an indexed access type of types.ts, given that of its request body or response. */
export function printBodyAccessType(messageType: string, { name }: MediaType): string {
  return `${messageType}["content"][${printStringLiteral(name)}]`;
}

function printOperationAccessType({ id, webhook, method }: Operation, namespace: string): string {
  return webhook === undefined
    ? `${namespace}operations[${printStringLiteral(id)}]`
    : `${namespace}webhooks[${printStringLiteral(webhook)}]["${method}"]`;
}

/** Finds the component that a schema refers to; undefined for a schema with keywords that change its type. */
export function findReferencedComponent({ reference, keywords, nullable }: Schema): Schema | undefined {
  const isPlain = !nullable && Object.keys(keywords).every((key) => key === "$ref" || ANNOTATIONS.has(key));
  return isPlain ? reference : undefined;
}
