import type { JsonObject, JsonValue } from "./json.js";
import type { SchemaGraph } from "./schema/graph.js";
import type { Schema } from "./schema/schema.js";

/**
 * The immutable model of an API that all emitters read. Names are unique and valid, and references are resolved.
 * `build.ts` builds it from a loaded document.
 */

export interface Api {
  title: string;
  version: string;
  /** The bundled document: local `$ref`s only, completed by `complete-document.ts`. */
  document: OpenApiDocument;
  /** The schemas of the document, linked to each other. */
  schemas: SchemaGraph;
  /** The parts that operations share, by name. */
  components: Components;
  /** The servers of the document; operations can have others. */
  servers: Server[];
  securitySchemes: SecurityScheme[];
  /** Sorted by tag, so that adding an operation does not move other groups. */
  groups: OperationGroup[];
  /** The operations of all groups, in the order of the groups. */
  operations: Operation[];
  /** The operations of webhooks: requests that the API sends. They have types, but no routes. */
  webhooks: Operation[];
}

/** The operations of one tag: one handler interface and one adapter file. */
export interface OperationGroup {
  /** The tag as the document spells it; `default` for operations without one. */
  tag: string;
  /** Property of the handlers object and base name of the adapter file, e.g. `pages`. */
  name: string;
  /** Name of the handler interface, e.g. `PagesHandlers`. */
  interfaceName: string;
  operations: Operation[];
}

/** The components of the document, other than schemas. */
export interface Components {
  parameters: ReadonlyMap<string, Parameter>;
  requestBodies: ReadonlyMap<string, RequestBody>;
  responses: ReadonlyMap<string, ResponseContent>;
  headers: ReadonlyMap<string, ResponseHeader>;
}

/** The request and the responses of an operation, a webhook or a callback. */
export interface Exchange {
  method: HttpMethod;
  summary: string;
  description: string;
  deprecated: boolean;
  parameters: Parameter[];
  body: RequestBody | undefined;
  responses: Response[];
  callbacks: Callback[];
}

/** Requests that the API sends to a URL that it got in the request of an operation. */
export interface Callback {
  name: string;
  /** Each `expression` is a runtime expression for the URL. */
  expressions: { expression: string; exchanges: Exchange[] }[];
}

export interface Operation extends Exchange {
  /** Name of its webhook; undefined for an operation of a path. */
  webhook?: string;
  /** The declared operationId, or one made from method and path. Key of `operations` in types.ts. */
  id: string;
  /** Identifier for handlers, routes and client methods, e.g. `retrievePage`. */
  name: string;
  /** Prefix of the type names, e.g. `RetrievePage`. */
  typeName: string;
  /** Path template as the document spells it, e.g. `/v1/pages/{page_id}`. */
  path: string;
  /** The path in the syntax of Express 5 and `router` 2 (path-to-regexp 8), e.g. `/v1/pages/:page_id`. */
  route: string;
  /** Source of a regular expression that replaces `route` if no route can express the path. */
  routePattern: string | undefined;
  /**
   * Conditions that select this operation among those with the same method and route. Empty if there are no others, or
   * for the operation that receives the remaining requests.
   */
  conditions: Condition[];
  /** Whether `x-safe` declares that the operation changes nothing, although its method allows changes. */
  safe: boolean;
  /** The alternatives of which a request must satisfy one. Empty for a public operation. */
  security: SecurityAlternative[];
  /** The servers of the operation, otherwise those of its path or of the document. */
  servers: Server[];
}

/** A server of an API. */
export interface Server {
  /** Its URL, absolute or relative to the document, with the default of each variable. */
  url: string;
  /** The URL as the document spells it, with variables in braces. */
  template: string;
  variables: { name: string; default: string; values: string[]; description: string }[];
  description: string;
}

/** A way to authenticate. */
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

/** A parameter that a request must have. `value` is its encoded text, if only one is possible. */
export interface Condition {
  in: "query" | "header";
  name: string;
  value?: string;
}

/** The HTTP methods of OpenAPI 3.1. */
export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type HttpMethod = (typeof METHODS)[number];

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required: boolean;
  style: ParameterStyle;
  explode: boolean;
  /** Conversion of the text on the wire to a value, before validation. */
  type: WireType;
  /** Shape of an array's items or of an object's undeclared properties; `string` for anything else. */
  itemType: WireShape;
  /** Shapes of an object's declared properties. */
  properties: Record<string, WireShape>;
  /** Type of the scalar that the schema allows instead of an array or an object. */
  scalarType: ScalarType | undefined;
  /** Whether an object can have undeclared properties. */
  additionalProperties: boolean;
  allowReserved: boolean;
  allowEmptyValue: boolean;
  /** The request or response form of its schema. */
  schema: Schema | undefined;
  description: string;
  deprecated: boolean;
  examples: Example[];
  /** Name of the component; undefined if it is declared inline. */
  component: string | undefined;
}

/** An example value. */
export interface Example {
  /** Key in `examples`; undefined for `example` and the examples of a schema, which have no names. */
  name: string | undefined;
  value: JsonValue;
}

export type ParameterStyle =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "cookie";
/** Type that the text of a scalar is converted to. Text that cannot be converted stays a string. */
export type ScalarType = "string" | "number" | "integer" | "boolean" | "numberOrBoolean";
/** Shape of a nested value: its text is JSON if the style does not support nesting. */
export type WireShape =
  ScalarType | "json" | { items: WireShape } | { properties: Record<string, WireShape>; rest: WireShape };
/** Type of a parameter's text. `json`: the parameter has `content` instead of `schema`. */
export type WireType = ScalarType | "array" | "object" | "json";

export interface RequestBody {
  required: boolean;
  description: string;
  /** Name of the component; undefined if it is declared inline. */
  component: string | undefined;
  mediaTypes: MediaType[];
}

export interface MediaType {
  /** Spelling of the document, e.g. `application/json`. */
  name: string;
  /** For a range such as `image/*` or `application/*+json`: the text before and after the wildcard. */
  range: { prefix: string; suffix: string } | undefined;
  kind: MediaKind;
  /** The request or response form of its schema. */
  schema: Schema | undefined;
  examples: Example[];
  /** The fields of a form, or the parts of a multipart body; empty for other kinds. */
  fields: BodyField[];
  /** The events of an event stream or the lines of JSON lines; absent for other kinds. */
  item: StreamItem | undefined;
}

/** `sse`: server-sent events. `jsonl`: one JSON value on each line, with a declared schema. */
export type MediaKind = "json" | "text" | "binary" | "form" | "multipart" | "sse" | "jsonl";

/** A field of a form, or a part of a multipart body. */
export interface BodyField {
  name: string;
  /** Conversion of its text to a value: `json` if its text is JSON, `mixed` if it may be. */
  type: WireType | "mixed";
  /** Shape of an array's items, which are separate fields or parts, or of an object's undeclared properties. */
  itemType: WireShape;
  properties: Record<string, WireShape>;
  scalarType: ScalarType | undefined;
  additionalProperties: boolean;
  /** The declared style. Without one, objects in a form are JSON and arrays are repeated. */
  style: ParameterStyle | undefined;
  explode: boolean;
  allowReserved: boolean;
  /** Content types declared for the part, in document order. */
  contentTypes: string[];
  /** Whether its content is a file. An array of files is sent as repeated parts. */
  file: boolean;
}

/** An item of a stream: an event or a line. */
export interface StreamItem {
  /** The request or response form of its schema. */
  schema: Schema | undefined;
  /** Whether the declared schema is that of an array of items. */
  isArray: boolean;
  /** Whether the schema describes the whole event with `data` as a member, instead of its data alone. */
  describesEvent: boolean;
  /** Format of the data of an event; lines are JSON. */
  data: "json" | "text";
}

export interface Response extends ResponseContent {
  /** Key in the document: `200`, `4XX` or `default`. */
  key: string;
  /** All statuses of the key, except those with a more specific key. */
  statuses: number[];
}

/** A response without the statuses that it is declared for. */
export interface ResponseContent {
  description: string;
  /** Name of the component; undefined if it is declared inline. */
  component: string | undefined;
  mediaTypes: MediaType[];
  headers: ResponseHeader[];
}

export interface ResponseHeader {
  name: string;
  required: boolean;
  deprecated: boolean;
  description: string;
  /** Name of the component; undefined if it is declared inline. */
  component: string | undefined;
  /** The request or response form of its schema. */
  schema: Schema | undefined;
  type: ScalarType | "array" | "object" | "json";
  itemType: ScalarType;
  /** Types of an object's named properties. */
  properties: Record<string, ScalarType>;
  explode: boolean;
}

export type { JsonObject, JsonValue };
export type OpenApiDocument = JsonObject;

/** A problem that an emitter finds in the document, with a JSON pointer into the bundled document. */
export interface Problem {
  severity: "error" | "warning";
  pointer: string;
  message: string;
}

/** The result of an emitter. If a problem is an error, no file of any emitter is written. */
export interface Emission {
  files: GeneratedFile[];
  problems: Problem[];
}

/** One generated file: a path below the output folder with `/` as separator, and its text. */
export interface GeneratedFile {
  path: string;
  content: string;
}
