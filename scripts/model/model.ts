import type { BodyKind, FieldType, ScalarType, ValueType } from "../../src/http/types.js";
import type { JsonObject, JsonValue } from "../json.js";
import type { SchemaGraph } from "./schema/graph.js";
import type { Schema } from "./schema/schema.js";

// The model of an API that all emitters read. Names are unique and valid. References to parameters, bodies, responses and
// headers are resolved; a schema with a `$ref` has the target as `reference`. `build.ts` builds it from a loaded document.

/** An API as emitters read it. */
export interface Api {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The bundled document: local `$ref`s only, repaired by `repair-document.ts`. */
  readonly document: JsonObject;
  readonly schemas: SchemaGraph;
  /** The schemas of the multipart bodies of all operations. */
  readonly multipartSchemas: MultipartSchemas;
  /** The parts that operations share, by name. */
  readonly components: Components;
  /** The servers of the document; operations can have others. */
  readonly servers: readonly Server[];
  readonly securitySchemes: readonly SecurityScheme[];
  /** Sorted by tag, so that adding an operation does not move other groups. */
  readonly groups: readonly OperationGroup[];
  /** The operations of all groups, in the order of the groups. */
  readonly operations: readonly Operation[];
  /** The operations of webhooks: requests that the API sends. They have types, but no routes. */
  readonly webhooks: readonly Operation[];
}

interface DocumentPart {
  /** JSON pointer in the document, for diagnostics. */
  readonly pointer: string;
}

/** A part of the document that can be a component, which operations share. */
interface ComponentPart extends DocumentPart {
  /** Name of the component; undefined if it is declared inline. */
  readonly component: string | undefined;
  readonly description: string;
}

/** The operations of one tag: one handler interface and one adapter file. */
export interface OperationGroup {
  /** The tag as the document spells it; `default` for operations without one. */
  readonly tag: string;
  readonly description: string;
  /** Property of the handlers object and base name of the adapter file, e.g. `pages`. */
  readonly name: string;
  /** Name of the handler interface, e.g. `PagesHandlers`. */
  readonly interfaceName: string;
  readonly operations: readonly Operation[];
}

/** The part of an operation that its hand-written handler depends on. */
export type HandledOperation = Pick<Operation, "name" | "method" | "path" | "summary">;

/** The part of a group that its adapter depends on. */
export interface HandlerGroup extends Pick<OperationGroup, "name" | "interfaceName"> {
  readonly operations: readonly HandledOperation[];
}

/** The components of the document, other than schemas. */
export interface Components {
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly requestBodies: ReadonlyMap<string, RequestBody>;
  readonly responses: ReadonlyMap<string, ResponseContent>;
  readonly headers: ReadonlyMap<string, ResponseHeader>;
}

/** The request and the responses of an operation, a webhook or a callback. */
export interface BaseOperation extends DocumentPart {
  readonly method: HttpMethod;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** All tags, as the document spells them. The first one determines the group. */
  readonly tags: readonly string[];
  /** The members whose names begin with `x-`. */
  readonly extensions: JsonObject;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: readonly Response[];
  readonly callbacks: readonly Callback[];
}

/** Requests that the API sends to a URL that it got in the request of an operation. */
export interface Callback {
  readonly name: string;
  /** Each `expression` stands for a URL, e.g. `{$request.body#/callbackUrl}`. */
  readonly expressions: { expression: string; operations: BaseOperation[] }[];
}

/** An operation of a path or a webhook, with its names in generated code. */
export interface Operation extends BaseOperation {
  /** Name of its webhook; undefined for an operation of a path. */
  readonly webhook?: string;
  /** The declared operationId, or one made from method and path. Key of `operations` in types.ts. */
  readonly id: string;
  /** Identifier for handlers, routes and client methods, e.g. `retrievePage`. */
  readonly name: string;
  /** Prefix of the type names, e.g. `RetrievePage`. */
  readonly typeName: string;
  /** Path template as the document spells it, e.g. `/v1/pages/{page_id}`. */
  readonly path: string;
  /** The path in the syntax of Express 5 and `router` 2 (path-to-regexp 8), e.g. `/v1/pages/:page_id`. */
  readonly route: string;
  /** Source of a regular expression that replaces `route` if no route can express the path. */
  readonly routePattern: string | undefined;
  /** Conditions that select this operation among those with the same route; empty if it receives the remaining requests. */
  readonly conditions: readonly Condition[];
  /** Whether `x-safe` declares that the operation changes nothing, although its method allows changes. */
  readonly safe: boolean;
  /** The alternative requirements. A request must satisfy one. Empty for a public operation. */
  readonly security: readonly SecurityAlternative[];
  /** The servers of the operation, or else of its path or of the document. */
  readonly servers: readonly Server[];
}

/** A server of the document, with the values of its variables. */
export interface Server {
  /** Its URL, absolute or relative to the document, with the default of each variable. */
  readonly url: string;
  /** The URL as the document spells it, with variables in braces. */
  readonly template: string;
  readonly variables: { name: string; default: string; values: readonly string[]; description: string }[];
  readonly description: string;
}

export type SecurityScheme = { name: string; description: string } & (
  | { type: "http"; /** In lower case, e.g. `bearer`. */ scheme: string }
  | {
      type: "apiKey";
      in: "header" | "query" | "cookie";
      /** Name of the header, parameter or cookie. */ key: string;
    }
  | { type: "oauth2"; /** Descriptions by scope. */ scopes: Record<string, string> }
  | { type: "openIdConnect"; url: string }
  | { type: "mutualTLS" }
);

/** Security schemes that are all needed together, with their scopes; none for anonymous access. */
export type SecurityAlternative = { scheme: string; scopes: string[] }[];

/** A parameter that a request must have. `value` is its text, if only one is possible. */
export interface Condition {
  readonly in: "query" | "header";
  readonly name: string;
  readonly value?: string;
}

/** The HTTP methods of OpenAPI 3.1. */
export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type HttpMethod = (typeof METHODS)[number];

/** Encoding of a value as text, in a parameter or a field. */
interface Encoding {
  readonly name: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

/** A parameter of a request, and how its text is encoded. */
export interface Parameter extends ComponentPart, Encoding {
  readonly in: "path" | "query" | "header" | "cookie";
  /** Whether it is a query parameter whose schema declares no type. It is read as a text or a list of texts. */
  readonly isUntyped: boolean;
  readonly required: boolean;
  readonly style: ParameterStyle;
  /** Conversion of the text on the wire to a value, before validation. */
  readonly type: ValueType;
  readonly allowEmptyValue: boolean;
  /** The request or response variant of its schema. */
  readonly schema: Schema | undefined;
  readonly deprecated: boolean;
  readonly examples: readonly Example[];
}

export interface Example {
  /** Key in `examples`; undefined for `example` and the examples of a schema, which have no names. */
  readonly name: string | undefined;
  readonly value: JsonValue;
}

export type ParameterStyle =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "cookie";

/** One of the types that the text of a response header can have. */
export type HeaderScalarType = "boolean" | "number" | "string";

/** Type that a schema implies for a text. `json`: the text is JSON. */
export type SerializedType = ScalarType | "array" | "object" | "json";

/** The body of a request, in one of its media types. */
export interface RequestBody extends ComponentPart {
  readonly required: boolean;
  readonly mediaTypes: readonly MediaType[];
}

/** A media type that a request body or a response can have, and its content. */
export interface MediaType extends DocumentPart {
  /** Spelling of the document, e.g. `application/json`. */
  readonly name: string;
  /** For a range such as `image/*` or `application/*+json`: the text before and after the wildcard. */
  readonly range: { prefix: string; suffix: string } | undefined;
  readonly kind: MediaKind;
  /** The request or response variant of its schema. */
  readonly schema: Schema | undefined;
  readonly examples: readonly Example[];
  /** The fields of a form, or the parts of a multipart body; empty for other kinds. */
  readonly fields: readonly BodyField[];
  /** Stands for all fields without a declaration. Absent if these are text. Its name is empty. */
  readonly additionalField: BodyField | undefined;
  /** The schemas of the files in a multipart body; empty for other kinds. */
  readonly files: ReadonlyMap<Schema, FileKind>;
  /** The events of an event stream or the lines of JSON lines; absent for other kinds. */
  readonly item: StreamItem | undefined;
}

/** The schemas of multipart bodies as they are validated: the schemas of files allow placeholders. */
export interface MultipartSchemas {
  readonly bodies: ReadonlyMap<MediaType, Schema>;
  /** The component schemas in the graphs of these bodies. */
  readonly components: readonly Schema[];
}

/** Whether a part of a multipart body is always a file, or can be text instead. */
export type FileKind = "file" | "file or text";

/** `sse`: server-sent events, in responses. `lines` and `sequence`: JSON lines and a JSON sequence, with a declared schema. */
export type MediaKind = BodyKind | "sse";

/** A field of a form, or a part of a multipart body. The items of an array are separate fields or parts. */
export interface BodyField extends Encoding {
  /** Conversion of its text to a value, before validation. */
  readonly type: FieldType;
  /** The declared style. Without one, objects in a form are JSON and arrays are repeated. */
  readonly style: ParameterStyle | undefined;
  /** Content types declared for the part, in document order. */
  readonly contentTypes: readonly string[];
  /** Whether its content is a file; undefined for other content. An array of files is sent as repeated parts. */
  readonly file: FileKind | undefined;
}

/** An item of a stream: an event or a line. */
export interface StreamItem {
  /** The request or response variant of its schema. */
  readonly schema: Schema | undefined;
  /** Whether the declared schema is an array, with the item's schema as its `items`. */
  readonly isArray: boolean;
  /** Whether the schema describes the whole event with `data` as a member, instead of its data alone. */
  readonly describesEvent: boolean;
  /** Format of the data of an event; lines are JSON. */
  readonly data: "json" | "text";
  /** Whether the schema of a whole event declares its `id`, which is text in the stream, as a number. */
  readonly hasNumericId: boolean;
}

/** A response of an operation, with the statuses that it is declared for. */
export interface Response extends ResponseContent {
  /** Key in the document: `200`, `4XX` or `default`. */
  readonly key: string;
  /** All statuses of the key, except those with a more specific key. */
  readonly statuses: readonly number[];
}

/** A response without the statuses that it is declared for. */
export interface ResponseContent extends ComponentPart {
  readonly mediaTypes: readonly MediaType[];
  readonly headers: readonly ResponseHeader[];
}

/** A header of a response, and how its text is decoded. */
export interface ResponseHeader extends ComponentPart {
  readonly name: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** The request or response variant of its schema. */
  readonly schema: Schema | undefined;
  readonly type: "scalar" | "array" | "object" | "json";
  /** Types of a scalar, of an array's items or of an object's undeclared properties. */
  readonly scalarTypes: readonly HeaderScalarType[];
  /** Types of an object's named properties. */
  readonly properties: Readonly<Record<string, readonly HeaderScalarType[]>>;
  readonly explode: boolean;
}
