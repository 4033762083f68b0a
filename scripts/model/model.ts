import type { JsonObject, JsonValue } from "./json.js";
import type { SchemaGraph } from "./schema/graph.js";
import type { Schema } from "./schema/schema.js";

/**
 * The model of an API that every emitter reads: all names are made and checked, and all references are resolved.
 * `build.ts` makes it from a loaded document; nothing changes it afterwards.
 */

export interface Api {
  title: string;
  version: string;
  /** The bundled document: local `$ref`s only, completed as `complete.ts` says. */
  document: OpenApiDocument;
  /** The schemas of the document, linked to each other. */
  schemas: SchemaGraph;
  /** The parts that operations share, by name. */
  components: Components;
  /** The servers of the document; operations can have others. */
  servers: Server[];
  securitySchemes: SecurityScheme[];
  /** Sorted by tag, so that adding an operation to a tag moves no other group. */
  groups: OperationGroup[];
  /** The operations of the webhooks, which are sent to others: they have types, no routes. */
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

/** The messages of an operation. */
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

/** Requests that the owner of the data sends in the course of an operation. */
export interface Callback {
  name: string;
  /** By the runtime expression that gives their URL. */
  expressions: { expression: string; exchanges: Exchange[] }[];
}

export interface Operation extends Exchange {
  /** Name of the webhook that it is of; undefined for an operation of a path. */
  webhook?: string;
  /** operationId as the document spells it, or made from method and path. Key of `operations` in types.ts. */
  id: string;
  /** Identifier for handlers, routes and client methods, e.g. `retrievePage`. */
  name: string;
  /** Prefix of the type names, e.g. `RetrievePage`. */
  typeName: string;
  /** Path template as the document spells it, e.g. `/v1/pages/{page_id}`. */
  path: string;
  /** The same for Express 5 and `router` 2 (path-to-regexp 8), e.g. `/v1/pages/:page_id`. */
  route: string;
  /** Source of a regular expression that replaces `route` if no route can express the path. */
  routePattern: string | undefined;
  /**
   * Conditions that a request must also meet where operations share method and route. Empty when
   * none does, or when it is for all that the others are not for.
   */
  when: Condition[];
  /** Whether the document says, by `x-safe`, that it changes nothing although its method may. */
  safe: boolean;
  /** Alternatives, of which a request must meet one. An empty list means that the operation is public. */
  security: SecurityAlternative[];
  /** Its own servers, those of its path, or those of the document. */
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

/** A parameter that a request must have; `value` is its text on the wire where it can be one only. */
export interface Condition {
  in: "query" | "header";
  name: string;
  value?: string;
}

/** The methods that OpenAPI knows. */
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
  /** Shape of an array's items or of the values that an object does not name; `string` for anything else. */
  itemType: WireShape;
  /** Shapes of the properties that an object parameter names. */
  properties: Record<string, WireShape>;
  /** Type of the one value that the schema allows in place of an array or an object. */
  or: ScalarType | undefined;
  /** Whether an object may have properties that it does not name. */
  open: boolean;
  allowReserved: boolean;
  allowEmptyValue: boolean;
  /** Its schema, in the form of the direction in which it travels. */
  schema: Schema | undefined;
  description: string;
  deprecated: boolean;
  examples: Example[];
  /** Name of the component; undefined if it is declared inline. */
  component: string | undefined;
}

/** An example of a value; its name where the document names it. */
export interface Example {
  name: string | undefined;
  value: JsonValue;
}

export type ParameterStyle =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "cookie";
/** `numberOrBoolean`: text of the one or the other; what is neither stays text, as with each of the others. */
export type ScalarType = "string" | "number" | "integer" | "boolean" | "numberOrBoolean";
/** A value inside of another: its text is JSON where the style has no form for nesting. */
export type WireShape =
  ScalarType | "json" | { items: WireShape } | { properties: Record<string, WireShape>; rest: WireShape };
/** `json`: the parameter has `content` instead of `schema`, its text is JSON. */
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
  /** Start and end of the media types that a range stands for, e.g. of `image/*` or `application/*+json`. */
  range: { prefix: string; suffix: string } | undefined;
  kind: MediaKind;
  /** Its schema, in the form of the direction in which it travels. */
  schema: Schema | undefined;
  examples: Example[];
  /** The fields of a form, or the parts of a multipart body; those of other kinds have none. */
  fields: BodyField[];
  /** The events of an event stream or the lines of JSON lines; absent for other kinds. */
  item: StreamItem | undefined;
}

/** `sse`: server-sent events. `jsonl`: one JSON value on each line, whose schema the document names. */
export type MediaKind = "json" | "text" | "binary" | "form" | "multipart" | "sse" | "jsonl";

/** A field of a form, or a part of a multipart body. */
export interface BodyField {
  name: string;
  /** Conversion of its text to a value: `json` if its text is JSON, `mixed` if it may be. */
  type: WireType | "mixed";
  /** Shape of an array's items, each of which is a field or part of its own, or of an object's values. */
  itemType: WireShape;
  properties: Record<string, WireShape>;
  or: ScalarType | undefined;
  open: boolean;
  /** The declared style. Without one, objects in a form are JSON and arrays are repeated. */
  style: ParameterStyle | undefined;
  explode: boolean;
  allowReserved: boolean;
  /** Content types that the document declares for the part, in its order. */
  contentTypes: string[];
  /** Whether its content is bytes: a file. An array of files repeats. */
  file: boolean;
}

export interface StreamItem {
  /** Its schema, in the form of the direction in which it travels. */
  schema: Schema | undefined;
  /** Whether the schema is that of an array of items. */
  listed: boolean;
  /** Events: whether the schema describes the whole event, with `data` as a member, or its data alone. */
  whole: boolean;
  /** Format of the data of an event; lines are JSON. */
  data: "json" | "text";
}

export interface Response extends ResponseContent {
  /** Key in the document: `200`, `4XX` or `default`. */
  key: string;
  /** Every status that the key stands for, less those that a more specific key names. */
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
  /** Its schema, in the form of the direction in which it travels. */
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

/**
 * The result of an emitter.
 * With an error among the problems no file of any emitter is written.
 */
export interface Emission {
  files: GeneratedFile[];
  problems: Problem[];
}

/** One generated file: a path below the output folder with `/` as separator, and its text. */
export interface GeneratedFile {
  path: string;
  content: string;
}
