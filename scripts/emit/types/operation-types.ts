import { escapeCommentText, printStringLiteral } from "../../code/encode.js";
import {
  type Api,
  type Callback,
  type Exchange,
  type MediaType,
  METHODS,
  type Parameter,
  type RequestBody,
  type ResponseContent,
  type ResponseHeader,
} from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { createIntersection, createWord, type Member, NEVER, type Type } from "./type.js";

/** An operation or a request of a callback, and its key in `operations`; without a key it is written inline. */
export interface IdentifiedExchange {
  exchange: Exchange;
  id: string | undefined;
}

/** Names of the types of an operation's parameters, by location. */
type ParameterTypeNames = Readonly<Partial<Record<string, string>>>;

/** A type with a name of its own. */
export type NamedType = readonly [name: string, type: Type];

/** Locations of parameters in the order of openapi-typescript. */
const LOCATIONS: readonly Parameter["in"][] = ["query", "header", "path", "cookie"];

/**
 * Creates the types of operations, messages and components in the layout of openapi-typescript. The types of parameters
 * and headers have names of their own.
 */
export class OperationTypes {
  readonly #components: Api["components"];
  readonly #printSchema: (schema: Schema) => string;
  readonly #parameterNames: ReadonlyMap<Exchange, ParameterTypeNames>;
  readonly #headerNames: ReadonlyMap<readonly ResponseHeader[], string>;

  /**
   * @param printSchema returns the type of a schema
   * @param parameterNames names of the types of parameters
   * @param headerNames names of the types of the headers of responses
   */
  constructor(
    components: Api["components"],
    printSchema: (schema: Schema) => string,
    parameterNames: ReadonlyMap<Exchange, ParameterTypeNames>,
    headerNames: ReadonlyMap<readonly ResponseHeader[], string>,
  ) {
    this.#components = components;
    this.#printSchema = printSchema;
    this.#parameterNames = parameterNames;
    this.#headerNames = headerNames;
  }

  /** Creates the type of the requests to a path or a webhook, by method. */
  createMethods(exchanges: readonly IdentifiedExchange[]): Type {
    const sorted = [...exchanges].sort(
      (one, other) => METHODS.indexOf(one.exchange.method) - METHODS.indexOf(other.exchange.method),
    );
    const members = sorted.map(({ exchange, id }) => {
      if (id === undefined) return createMember(exchange.method, this.createExchange(exchange));
      const reference = createWord(`operations[${printStringLiteral(id)}]`);
      // The doc comments of the operation's function and handler already contain the description.
      return createMember(exchange.method, reference, { ...exchange, description: "" });
    });
    return createObject(members);
  }

  /** Creates the type of an operation. */
  createExchange(exchange: Exchange): Type {
    const { body, responses, callbacks } = exchange;
    const names = this.#parameterNames.get(exchange) ?? {};
    const groups = this.#groupParameters(exchange).map((group) => {
      const name = names[group.name];
      return name === undefined ? group : { ...group, type: createWord(name) };
    });
    const responseMembers = responses.map((response) => this.#createResponseMember(response.key, response));
    return createObject([
      createMember("parameters", createObject(groups)),
      ...(body ? [this.#createBodyMember(body)] : []),
      createMember("responses", responses.length === 0 ? NEVER : createObject(responseMembers)),
      ...(callbacks.length > 0 ? [createMember("callbacks", this.#createCallbacks(callbacks))] : []),
    ]);
  }

  /** Lists the named types of the parameters of an operation. */
  listParameterTypes(exchange: Exchange): NamedType[] {
    const names = this.#parameterNames.get(exchange) ?? {};
    return this.#groupParameters(exchange).flatMap(({ name: location, type }): NamedType[] => {
      const name = names[location];
      return name === undefined ? [] : [[name, type]];
    });
  }

  /** Creates the type of the declared headers of a response. */
  createDeclaredHeaders(headers: readonly ResponseHeader[]): Type {
    return createObject(headers.map((header) => this.#createHeaderMember(header)));
  }

  /** Creates the member of a parameter in `components.parameters`. */
  createParameter(name: string, parameter: Parameter): Member {
    return createMember(name, this.#createSchemaType(parameter.schema, "string"), parameter);
  }

  /** Creates the member of a request body in `components.requestBodies`. */
  createRequestBody(name: string, body: RequestBody): Member {
    const content = body.mediaTypes.length > 0 ? this.#createContent(body) : NO_CONTENT;
    return createMember(name, createObject([createMember("content", content)]), body);
  }

  /** Creates the member of a response in `components.responses`. */
  createResponse(name: string, response: ResponseContent): Member {
    const headersName = this.#headerNames.get(response.headers);
    const declaredHeaders =
      headersName === undefined ? this.createDeclaredHeaders(response.headers) : createWord(headersName);
    const headers =
      response.headers.length > 0 ? createIntersection([declaredHeaders, ANY_HEADERS]) : ANY_HEADERS;
    const content =
      response.mediaTypes.length > 0
        ? createMember("content", this.#createContent(response))
        : { ...createMember("content", NEVER), isOptional: true };
    return createMember(name, createObject([createMember("headers", headers), content]), response);
  }

  /** Creates the member of a header in `components.headers`. */
  createHeader(name: string, header: ResponseHeader): Member {
    return createMember(name, this.#createSchemaType(header.schema, "unknown"), header);
  }

  /** Creates a member for each location with parameters. */
  #groupParameters({ parameters }: Exchange): Member[] {
    return LOCATIONS.flatMap((location) => {
      const members = parameters
        .filter((parameter) => parameter.in === location)
        .map((parameter) => this.#createParameterMember(parameter));
      if (members.length === 0) return [];
      const isOptional = members.every((member) => member.isOptional);
      return [{ ...createMember(location, createObject(members)), isOptional }];
    });
  }

  /** Creates the member of a parameter. Its type is inline, so that editors show it, unless it has several lines. */
  #createParameterMember(parameter: Parameter): Member {
    const { name, component, required } = parameter;
    const inline = this.createParameter(name, parameter);
    const isShared = component !== undefined && this.#components.parameters.get(component) === parameter;
    const type = isShared && hasLines(inline.type) ? createReference("parameters", component) : inline.type;
    return { ...inline, type, isOptional: !required };
  }

  #createBodyMember(body: RequestBody): Member {
    const { component, required } = body;
    const isShared = component !== undefined && this.#components.requestBodies.get(component) === body;
    const member = isShared
      ? createMember("requestBody", createReference("requestBodies", component))
      : this.createRequestBody("requestBody", body);
    return { ...member, isOptional: !required };
  }

  #createResponseMember(key: string, response: ResponseContent): Member {
    const { component, mediaTypes, headers } = response;
    const shared = component === undefined ? undefined : this.#components.responses.get(component);
    // Compared by members, because the response of an operation is another object, which also has statuses.
    const isShared = shared?.mediaTypes === mediaTypes && shared.headers === headers;
    return isShared && component !== undefined
      ? createMember(key, createReference("responses", component))
      : this.createResponse(key, response);
  }

  #createHeaderMember(header: ResponseHeader): Member {
    const { name, component, schema, required } = header;
    const inline = this.createHeader(name, header);
    const shared = component === undefined ? undefined : this.#components.headers.get(component);
    const isShared = component !== undefined && schema !== undefined && shared?.schema === schema;
    const type = isShared && hasLines(inline.type) ? createReference("headers", component) : inline.type;
    return { ...inline, type, isOptional: !required };
  }

  #createContent({ mediaTypes }: { mediaTypes: readonly MediaType[] }): Type {
    return createObject(
      mediaTypes.map(({ name, schema, item }) =>
        createMember(name, this.#createSchemaType(schema ?? item?.schema, "unknown")),
      ),
    );
  }

  #createCallbacks(callbacks: readonly Callback[]): Type {
    const members = callbacks.map(({ name, expressions }) => {
      const urls = expressions.map(({ expression, exchanges }) => {
        const inline = exchanges.map((exchange) => ({ exchange, id: undefined }));
        return createMember(expression, this.createMethods(inline));
      });
      return createMember(name, createObject(urls));
    });
    return createObject(members);
  }

  /** @param fallback the type without a schema */
  #createSchemaType(schema: Schema | undefined, fallback: string): Type {
    return createWord(schema ? this.#printSchema(schema) : fallback);
  }
}

/** A response can have more headers than it declares. */
const ANY_HEADERS = createWord("{ [name: string]: unknown }");
/** Content of a request body without media types. */
const NO_CONTENT = createObject([{ ...createMember("*/*", NEVER), isOptional: true }]);

function createObject(members: readonly Member[]): Type {
  return { kind: "object", members, signatures: [] };
}

/** Creates the type of a component by its path in types.ts. */
function createReference(section: keyof Api["components"], name: string): Type {
  return createWord(`components["${section}"][${printStringLiteral(name)}]`);
}

function hasLines(type: Type): boolean {
  return type.kind === "word" && type.text.includes("\n");
}

/** A part of the document with text for a doc comment. */
interface Annotated {
  summary?: string;
  description?: string;
  deprecated?: boolean;
  examples?: Parameter["examples"];
}

/** Creates a required member with a doc comment: the summary or else the description, and the first example. */
export function createMember(name: string, type: Type, annotated: Annotated = {}): Member {
  const { summary = "", description = "", deprecated, examples = [] } = annotated;
  const [example] = examples;
  const docs = [
    (summary || description).trim(),
    ...(deprecated === true ? ["@deprecated"] : []),
    ...(example === undefined ? [] : [`@example ${formatExample(example.value)}`]),
  ].map(escapeCommentText);
  const lines = docs.filter((text) => text !== "").flatMap((text) => text.split("\n"));
  return { name, type, isOptional: false, docs: lines };
}

function formatExample(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value).trim();
}
