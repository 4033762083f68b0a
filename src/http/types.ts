import type { IncomingMessage, ServerResponse } from "node:http";

/** An operation as the generated `operations` table describes it. */
export interface HttpOperation {
  readonly id: string;
  readonly method: string;
  /** Path template of the document, e.g. `/v1/pages/{page_id}`. */
  readonly path: string;
  /** Whether it changes nothing, although its method may. */
  readonly safe?: boolean;
  /** What a request must have besides to be meant for this operation, where others share its method and path. */
  readonly when?: readonly {
    readonly in: "query" | "header";
    readonly name: string;
    readonly value?: string;
  }[];
  readonly parameters: readonly HttpParameter[];
  readonly body?: {
    readonly required: boolean;
    /** How each media type is read. */
    readonly mediaTypes: Readonly<Record<string, MediaKind>>;
    /** The fields of forms and the parts of multipart bodies, by media type. */
    readonly fields?: Readonly<Record<string, readonly HttpField[]>>;
  };
  /** Media types by status, range (`4XX`) or `default`. */
  readonly responses: Readonly<Record<string, readonly string[]>>;
  /** By status and name: response headers that are neither plain text nor a list of it. */
  readonly headers?: Readonly<Record<string, Readonly<Record<string, HeaderStyle>>>>;
  /** By status and media type: bodies that are sent item by item. */
  readonly streams?: Readonly<Record<string, Readonly<Record<string, StreamFormat>>>>;
}

export type MediaKind = "json" | "text" | "binary" | "form" | "multipart";
export type ScalarType = "string" | "number" | "integer" | "boolean" | "numberOrBoolean";
/** How the text of a value inside of another becomes a value: as JSON, or nested where the style has a form for that. */
export type WireShape =
  | ScalarType
  | "json"
  | { readonly items: WireShape }
  | { readonly properties: Readonly<Record<string, WireShape>>; readonly rest: WireShape };
/** An object as `a,1,b,2`, or with a star as `a=1,b=2`; or JSON. */
export type HeaderStyle = "simple" | "simple*" | "json";
/** Events whose data is JSON or text, or lines of JSON. */
export type StreamFormat = "json" | "text" | "lines";

/** A field of a form, or a part of a multipart body. */
export interface HttpField extends Pick<HttpParameter, "name" | "itemType" | "properties" | "or" | "open"> {
  /** `mixed`: text, or JSON when it begins like an object or a list. */
  readonly type: HttpParameter["type"] | "mixed";
  /** Where the document declares one; without, arrays are repeated. */
  readonly style?: string;
  readonly explode?: boolean;
  /** A part whose content is bytes. */
  readonly file?: boolean;
}

export interface HttpParameter {
  readonly name: string;
  /** `body`: the field of a form. */
  readonly in: "path" | "query" | "header" | "cookie" | "body";
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly type: ScalarType | "array" | "object" | "json";
  /** Of an array's items, or of an object's members that it does not name. */
  readonly itemType?: WireShape;
  readonly properties?: Readonly<Record<string, WireShape>>;
  /** Where one value may stand for an array or an object, the type of that value. */
  readonly or?: ScalarType;
  /** Whether an object has members that it does not name. */
  readonly open?: boolean;
  readonly allowEmptyValue?: boolean;
}

/** A compiled check, as validators.js exports them. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ValidationError[] | null;
}

/** One reason why a value was refused, as Ajv puts it too. */
export interface ValidationError {
  /** JSON pointer into the value. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  /** Where no branch of a union fits: the reasons of each. */
  branches?: ValidationError[][];
}

export interface RequestValidators {
  path?: Validator;
  query?: Validator;
  headers?: Validator;
  cookies?: Validator;
  body?: Record<string, Validator>;
}

export interface ResponseValidators {
  /** Of headers by their names in lower case. */
  headers?: Validator;
  body?: Record<string, Validator>;
}

/** What a handler receives: the decoded and validated parts of a request that its operation declares. */
export interface HttpRequest {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  /** Media type of the body, where the operation takes several. */
  contentType?: string;
  body?: unknown;
}

/**
 * What a handler returns. Header values are written as the operation declares them: as plain text, lists with commas,
 * objects by their style. A body of bytes may be a Blob or a stream, and one of events or lines is an async iterable.
 */
export interface Reply {
  status: number;
  headers?: object;
  contentType?: string;
  /**
   * A frozen object is taken to be frozen in all its depth: its JSON is kept for the next time, as long as the object is.
   * The same goes for each frozen object in a list that the body has, as in `{ results: pages, has_more: false }`, and
   * for the list as a whole where it is frozen, while the body itself is made anew each time.
   */
  body?: unknown;
}

/** One request on its way, and the headers that go out with whatever answer it gets. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When the request came in, on the clock of performance.now(). */
  readonly started: number;
  /** Sent with every answer, error or not; a handler's own headers take precedence. */
  readonly headers: Record<string, string | number>;
}

/** Answers one HTTP request; an Express request handler. */
export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;
