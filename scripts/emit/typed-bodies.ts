import { printStringLiteral } from "../code/encode.js";
import type { MediaType, Operation, RequestBody, Response } from "../model/model.js";
import type { Schema } from "../model/schema/schema.js";
import { listSuccessResponses } from "../model/success-responses.js";

/** A body whose type depends on its schema, unlike the types of bytes, text and streams. */
export interface TypedBody {
  schema: Schema;
  /** The component that the schema refers to. */
  component: Schema | undefined;
  /** The type of the body as a path in types.ts. */
  path: string;
  /** Whether the body is declared inline, not in a component. */
  isInline: boolean;
}

const KINDS_WITH_TYPE: ReadonlySet<MediaType["kind"]> = new Set(["json", "form", "multipart"]);

/** Annotations of a schema, which do not change its type. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "title description default deprecated example examples".split(" "),
);

/** Lists the request bodies of an operation, one for each media type. */
export function listRequestBodies(operation: Operation): TypedBody[] {
  const { body } = operation;
  return body ? listTypedBodies(body, printRequestPath(operation)) : [];
}

/** Lists the bodies of the success responses of an operation, one for each status and media type. */
export function listSuccessBodies(operation: Operation): TypedBody[] {
  return listSuccessResponses(operation).flatMap((response) =>
    listTypedBodies(response, printResponsePath(operation, response)),
  );
}

function listTypedBodies({ mediaTypes, component }: RequestBody | Response, path: string): TypedBody[] {
  return mediaTypes.flatMap((mediaType) => {
    const { kind, schema } = mediaType;
    if (!schema || !KINDS_WITH_TYPE.has(kind)) return [];
    return [
      {
        schema,
        component: findReferencedComponent(schema),
        path: printBodyPath(path, mediaType),
        isInline: component === undefined,
      },
    ];
  });
}

/** Prints the type of a request body as a path in types.ts. */
export function printRequestPath(operation: Operation, namespace = ""): string {
  return `NonNullable<${printOperationPath(operation, namespace)}["requestBody"]>`;
}

/** Prints the type of a response as a path in types.ts. */
export function printResponsePath(operation: Operation, { key }: Response, namespace = ""): string {
  const status = /^[0-9]+$/.test(key) ? key : printStringLiteral(key);
  return `${printOperationPath(operation, namespace)}["responses"][${status}]`;
}

/** Prints the type of a body of one media type as a path in types.ts, given the path of its request body or response. */
export function printBodyPath(messagePath: string, { name }: MediaType): string {
  return `${messagePath}["content"][${printStringLiteral(name)}]`;
}

function printOperationPath({ id, webhook, method }: Operation, namespace: string): string {
  return webhook === undefined
    ? `${namespace}operations[${printStringLiteral(id)}]`
    : `${namespace}webhooks[${printStringLiteral(webhook)}]["${method}"]`;
}

/** Finds the component that a schema refers to; undefined for a schema with keywords that change its type. */
export function findReferencedComponent({ reference, keywords, nullable }: Schema): Schema | undefined {
  const isPlain = !nullable && Object.keys(keywords).every((key) => key === "$ref" || ANNOTATIONS.has(key));
  return isPlain ? reference : undefined;
}
