import type { IncomingMessage, ServerResponse } from "node:http";
import type { LineFormat } from "./json-lines.js";

/** An operation as the generated `operations` table describes it. */
export interface HttpOperation {
  /** Name of the handler, e.g. `addBook`. It can differ from the operationId. */
  readonly name: string;
  readonly method: string;
  /** Path template of the document, e.g. `/v1/pages/{page_id}`. */
  readonly path: string;
  /** Whether the operation is safe (RFC 9110, section 9.2.1) although its method is not: it changes nothing. */
  readonly safe?: boolean;
  /** Query parameters and headers that select this operation among those with the same method and path. */
  readonly conditions?: readonly {
    readonly in: "query" | "header";
    readonly name: string;
    readonly value?: string;
  }[];
  /**
   * Alternative security requirements, of which a request must meet one. Each has the required scopes by the name of the
   * security scheme. Empty for a public operation; undefined if the document declares no security schemes.
   */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly HttpParameter[];
  readonly body?: {
    readonly required: boolean;
    /** Kind of the body by media type. */
    readonly mediaTypes: Readonly<Record<string, BodyKind>>;
    /** Fields of forms and parts of multipart bodies, by media type. */
    readonly fields?: Readonly<Record<string, readonly HttpField[]>>;
  };
  /** Media types of the body by status, range (`4XX`) or `default`. Empty for a response without a body. */
  readonly responseMediaTypes: Readonly<Record<string, readonly string[]>>;
  /** Styles of the response headers that are neither text nor a list of texts, by status and name. */
  readonly responseHeaderStyles?: Readonly<Record<string, Readonly<Record<string, HeaderStyle>>>>;
  /** Formats of streamed response bodies, by status and media type. */
  readonly responseStreamFormats?: Readonly<Record<string, Readonly<Record<string, StreamFormat>>>>;
}

/** Kind of a request body, which determines how it is decoded. `lines` and `sequence` are streams. */
export type BodyKind = "json" | "text" | "binary" | "form" | "multipart" | LineFormat;

/** Type that the text of a scalar is converted to. Text that cannot be converted stays a string. */
export type ScalarType = "string" | "number" | "integer" | "boolean" | "numberOrBoolean";

/**
 * Type of a value, which determines how its text is converted. `json`: the text is JSON, for example because the style does not
 * support nesting.
 */
export type ValueType = ScalarType | "json" | ListType | ObjectType;

export interface ListType {
  readonly items: FieldType;
  /** Types of the first items, if they differ from each other or from the type of the other items. */
  readonly prefixItems?: readonly FieldType[];
  /** Type of a scalar that the schema allows as an alternative. */
  readonly scalarType?: ScalarType;
}

export interface ObjectType {
  readonly properties: Readonly<Record<string, FieldType>>;
  /** Type of undeclared properties; undefined if there can be none. */
  readonly additionalProperties?: FieldType;
  /** Type of a scalar that the schema allows as an alternative. */
  readonly scalarType?: ScalarType;
}

/** Type of the value of a field, an item or a member. */
export type FieldType = ValueType | JsonOrScalar;

/** Type of a text that is JSON if it begins like an object or a list, otherwise a scalar. */
export interface JsonOrScalar {
  readonly jsonOr: ScalarType;
}

/** Notation of an object in a header: `simple` is `a,1,b,2`, `simple*` (exploded) is `a=1,b=2`. */
export type HeaderStyle = "simple" | "simple*" | "json";

/** Format of a streamed response: server-sent events with JSON or text data, or JSON values. */
export type StreamFormat = "json-events" | "text-events" | LineFormat;

/** A field of a form, or a part of a multipart body. */
export interface HttpField {
  readonly name: string;
  readonly type: FieldType;
  /** Style that the document declares. Without one, an array is sent as repeated fields. */
  readonly style?: string;
  readonly explode?: boolean;
  /** Whether the part is a file. */
  readonly file?: boolean;
  /** Whether the part can be text instead of a file. Then a file has a file name or the media type of a file. */
  readonly text?: boolean;
  /** Whether the entry stands for all fields without an entry of their own, like `additionalProperties`. */
  readonly additional?: boolean;
}

/** A parameter, and how its text is decoded. */
export interface HttpParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly type: ValueType;
  readonly allowEmptyValue?: boolean;
}

/** A compiled validator, as validators.js exports it. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ValidationError[] | null;
}

/** One violation of a schema, in the form of Ajv's errors. */
export interface ValidationError {
  /** JSON pointer to the invalid value. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  /** Errors of each branch of a union that the value does not match. */
  branches?: ValidationError[][];
}

/** Validators of a request: of the parameters of each location, and of the body by media type. */
export interface RequestValidators {
  path?: Validator;
  query?: Validator;
  headers?: Validator;
  cookies?: Validator;
  body?: Record<string, Validator>;
}

/** Validators of a response: of its headers, and of the body by media type. */
export interface ResponseValidators {
  /** Validates an object of headers by their names in lower case. */
  headers?: Validator;
  body?: Record<string, Validator>;
}

/** Argument of a handler: the decoded and validated parts of a request that its operation declares. */
export interface HttpRequest {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  /** Media type of the body, if the operation accepts several. */
  contentType?: string;
  body?: unknown;
}

/**
 * Result of a handler. Header values are encoded as the operation declares them: as text, comma-separated lists, or
 * objects in their style. A binary body can be a Blob or a stream; a body of events or lines is an async iterable.
 */
export interface HttpResponse {
  status: number;
  headers?: object;
  contentType?: string;
  /** JSON that is sent several times can be encoded once, see EncodedJson. */
  body?: unknown;
}

/** Request context: the request, its response, and headers that are sent with every response, including errors. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Time of arrival in milliseconds, from performance.now(). */
  readonly startTime: number;
  /** Sent with every response, including errors. Headers of the handler's result take precedence. */
  readonly headers: Record<string, string | number>;
}

/** An Express-style request handler. */
export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;
