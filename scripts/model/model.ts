/**
 * The model of an API that every emitter reads: plain data, all names made and checked, no `$ref` left
 * outside the schemas. `build.ts` makes it from a loaded document; nothing changes it afterwards.
 */

export interface Api {
  title: string;
  version: string;
  /** The bundled document: local `$ref`s only, completed as `complete.ts` says. */
  document: OpenApiDocument;
  /**
   * The same with a form of each schema for requests and one for responses where `readOnly` or `writeOnly` makes a
   * difference, as `direction.ts` says: types and validators are made from it. Pointers into `document` hold in it.
   */
  directed: OpenApiDocument;
  /** In document order. */
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

export interface Operation {
  /** Name of the webhook that it is of; undefined for an operation of a path. */
  webhook?: string;
  /** operationId as the document spells it, or made from method and path. Key of `operations` in types.ts. */
  id: string;
  /** Identifier for handlers, routes and client methods, e.g. `retrievePage`. */
  name: string;
  /** Prefix of the type names, e.g. `RetrievePage`. */
  typeName: string;
  method: HttpMethod;
  /** Path template as the document spells it, e.g. `/v1/pages/{page_id}`. */
  path: string;
  /** The same for Express 5 and `router` 2 (path-to-regexp 8), e.g. `/v1/pages/:page_id`. */
  route: string;
  /** Source of a regular expression that takes the place of `route` where no route has a form for the path. */
  routePattern: string | undefined;
  /**
   * What a request must have besides to be meant for this operation, where others share method and route. Empty when
   * none does, or when it is for all that the others are not for.
   */
  when: Condition[];
  summary: string;
  description: string;
  deprecated: boolean;
  /** Whether the document says, by `x-safe`, that it changes nothing although its method may. */
  safe: boolean;
  parameters: Parameter[];
  body: RequestBody | undefined;
  responses: Response[];
}

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
  /** How the text on the wire becomes a value before it is validated. */
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
  /** JSON pointer of its schema in the bundled document. */
  schemaPointer: string;
  description: string;
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
  mediaTypes: MediaType[];
}

export interface MediaType {
  /** As the document spells it, e.g. `application/json`. */
  name: string;
  kind: MediaKind;
  /** JSON pointer of its schema in the bundled document; absent when it declares none. */
  schemaPointer: string | undefined;
  /** The fields of a form, or the parts of a multipart body; those of other kinds have none. */
  fields: BodyField[];
  /** What one event of an event stream is, or one line of JSON lines; absent for other kinds. */
  item: StreamItem | undefined;
}

/** `sse`: server-sent events. `jsonl`: one JSON value on each line, whose schema the document names. */
export type MediaKind = "json" | "text" | "binary" | "form" | "multipart" | "sse" | "jsonl";

/** A field of a form, or a part of a multipart body. */
export interface BodyField {
  name: string;
  /** How its text becomes a value; `json` where its text is JSON, `mixed` where it may be. */
  type: WireType | "mixed";
  /** Shape of an array's items, each of which is a field or part of its own, or of an object's values. */
  itemType: WireShape;
  properties: Record<string, WireShape>;
  or: ScalarType | undefined;
  open: boolean;
  /** Where the document declares one: without, a form's objects are JSON and its arrays repeated. */
  style: ParameterStyle | undefined;
  explode: boolean;
  allowReserved: boolean;
  /** Content types that the document declares for the part, in its order. */
  contentTypes: string[];
  /** Whether its content is bytes: a file. An array of files repeats. */
  file: boolean;
}

export interface StreamItem {
  /** JSON pointer of the schema; absent when there is none. */
  schemaPointer: string | undefined;
  /** Whether the schema is that of an array of items. */
  listed: boolean;
  /** Events: whether the schema describes the whole event, with `data` as a member, or its data alone. */
  whole: boolean;
  /** How the data of an event is read; lines are JSON. */
  data: "json" | "text";
}

export interface Response {
  /** Key in the document: `200`, `4XX` or `default`. */
  key: string;
  /** Every status that the key stands for, less those that a more specific key names. */
  statuses: number[];
  description: string;
  mediaTypes: MediaType[];
  headers: ResponseHeader[];
}

export interface ResponseHeader {
  name: string;
  required: boolean;
  /** JSON pointer of its schema in the bundled document; absent when it declares none. */
  schemaPointer: string | undefined;
  type: ScalarType | "array" | "object" | "json";
  itemType: ScalarType;
  /** Types of an object's named properties. */
  properties: Record<string, ScalarType>;
  explode: boolean;
}

/** A JSON value of the document that no emitter but types, validators and openapi.json looks into. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}
export type OpenApiDocument = JsonObject;

/** What an emitter finds wrong with the document; the place is a JSON pointer into the bundled document. */
export interface Problem {
  severity: "error" | "warning";
  pointer: string;
  message: string;
}

/**
 * What an emitter makes of an API. It is plain data, as the API is, so that an emitter can run in another thread.
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
