import type ts from "typescript";
import { compareText } from "../../diagnostic.js";
import {
  type Api,
  type Callback,
  type Exchange,
  METHODS,
  type Parameter,
  type RequestBody,
  type ResponseContent,
  type ResponseHeader,
} from "../../model/model.js";
import type { JsonObject } from "../../model/json.js";
import type { Schema } from "../../model/schema/schema.js";
import { typescript } from "../../typescript.js";
import {
  addDocComment,
  createProperty,
  createTranslator,
  createTypeNode,
  type Translator,
} from "./openapi-typescript.js";
import { printNode } from "./print-node.js";
import { type Annotated, OpenApiObjects, pickAnnotations } from "./openapi-objects.js";
import { removeNeverMembers, replacePropertyTypes } from "./type-nodes.js";

/** An operation or a request of a callback, and its key in `operations`; without a key it is written inline. */
export interface IdentifiedExchange {
  exchange: Exchange;
  id: string | undefined;
}

/** Names of the types of an operation's parameters, by location. */
type ParameterTypeNames = Readonly<Partial<Record<string, string>>>;

const { factory } = typescript;
const OPERATIONS = createTypeNode("operations");

/**
 * Prints operations, messages and components as openapi-typescript does: it translates OpenAPI objects whose schemas stand
 * for printed types. The types of parameters and headers are then moved to declarations of their own.
 */
export class OperationTypes {
  readonly #objects: OpenApiObjects;
  readonly #translator: Translator;
  readonly #printSchema: (schema: Schema) => string;
  readonly #parameterNames: ReadonlyMap<Exchange, ParameterTypeNames>;
  readonly #headerNames: ReadonlyMap<readonly ResponseHeader[], string>;
  /** Declarations of the types of parameters, which printing an operation adds. */
  readonly #parameterDeclarations = new Map<Exchange, string[]>();
  /** Declarations of the types of headers by name, which printing a response adds. */
  readonly #headerDeclarations = new Map<string, string>();

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
    this.#objects = new OpenApiObjects(components, printSchema);
    this.#printSchema = printSchema;
    this.#parameterNames = parameterNames;
    this.#headerNames = headerNames;
    const targets = new Map<string, JsonObject>();
    for (const [name, parameter] of components.parameters)
      targets.set(`#/components/parameters/${name}`, this.#objects.toParameter(parameter));
    for (const [name, { required }] of components.requestBodies)
      targets.set(`#/components/requestBodies/${name}`, { required });
    this.#translator = createTranslator((reference) => targets.get(reference));
  }

  /** Prints a member of `operations`. */
  printOperation(name: string, exchange: Exchange): string {
    return printMember(name, this.#translateExchange(exchange), {});
  }

  /** Prints a member of `paths` or `webhooks`. */
  printPathItem(name: string, exchanges: readonly IdentifiedExchange[]): string {
    return printMember(name, this.#translateMethods(exchanges), {});
  }

  /** Prints a member of `components.parameters`. */
  printParameter(name: string, parameter: Parameter): string {
    const { schema } = parameter;
    return printMember(name, createTypeNode(schema ? this.#printSchema(schema) : "string"), parameter);
  }

  /** Prints a member of `components.requestBodies`. */
  printRequestBody(name: string, body: RequestBody): string {
    return printMember(name, this.#translator.translateRequestBody(this.#objects.toRequestBody(body)), body);
  }

  /** Prints a member of `components.responses`. */
  printResponse(name: string, response: ResponseContent): string {
    const type = this.#translator.translateResponse(this.#objects.toResponse(response));
    return printMember(name, this.#replaceHeaders(type, response), response);
  }

  /** Prints a member of `components.headers`. */
  printHeader(name: string, header: ResponseHeader): string {
    const { schema } = header;
    return printMember(name, createTypeNode(schema ? this.#printSchema(schema) : "unknown"), header);
  }

  /** Returns the declarations of the types of the parameters of an operation that was printed before. */
  getParameterDeclarations(exchange: Exchange): string[] {
    return this.#parameterDeclarations.get(exchange) ?? [];
  }

  /** Returns the declarations of the types of the headers of all responses that were printed before, sorted by name. */
  getHeaderDeclarations(): string[] {
    return [...this.#headerDeclarations].sort(([a], [b]) => compareText(a, b)).map(([, text]) => text);
  }

  #translateMethods(exchanges: readonly IdentifiedExchange[]): ts.TypeNode {
    const sorted = [...exchanges].sort(
      (one, other) => METHODS.indexOf(one.exchange.method) - METHODS.indexOf(other.exchange.method),
    );
    const members = sorted.map(({ exchange, id }) => {
      if (id === undefined) return createProperty(exchange.method, this.#translateExchange(exchange));
      const key = factory.createLiteralTypeNode(factory.createStringLiteral(id));
      const member = createProperty(exchange.method, factory.createIndexedAccessTypeNode(OPERATIONS, key));
      // The doc comments of the operation's function and handler already contain the description.
      addDocComment(pickAnnotations({ ...exchange, description: "" }), member);
      return member;
    });
    return factory.createTypeLiteralNode(members);
  }

  #translateExchange(exchange: Exchange): ts.TypeNode {
    const { parameters, body, responses, callbacks } = exchange;
    const names = this.#parameterNames.get(exchange);
    const operation = {
      parameters: parameters.map((parameter) => this.#objects.toParameterOrReference(parameter)),
      ...(body ? { requestBody: this.#objects.toRequestBodyOrReference(body) } : {}),
      responses: Object.fromEntries(
        responses.map((response) => [response.key, this.#objects.toResponseOrReference(response)]),
      ),
    };
    const members = this.#translator.translateOperation(operation).flatMap(removeNeverMembers);
    if (callbacks.length > 0) members.push(this.#translateCallbacks(callbacks));
    return replacePropertyTypes(factory.createTypeLiteralNode(members), (name, type) => {
      if (name === "parameters" && names) return this.#replaceParameters(type, exchange, names);
      if (name !== "responses") return type;
      return replacePropertyTypes(type, (key, responseType) => {
        const response = responses.find((each) => each.key === key);
        return response ? this.#replaceHeaders(responseType, response) : responseType;
      });
    });
  }

  #translateCallbacks(callbacks: readonly Callback[]): ts.PropertySignature {
    const types = callbacks.map(({ name, expressions }) => {
      const urls = expressions.map(({ expression, exchanges }) => {
        const inline = exchanges.map((exchange) => ({ exchange, id: undefined }));
        return createProperty(expression, this.#translateMethods(inline));
      });
      return createProperty(name, factory.createTypeLiteralNode(urls));
    });
    return createProperty("callbacks", factory.createTypeLiteralNode(types));
  }

  /** Replaces the types of the groups of parameters by the names of separate declarations. */
  #replaceParameters(type: ts.TypeNode, exchange: Exchange, names: ParameterTypeNames): ts.TypeNode {
    const declarations: string[] = [];
    this.#parameterDeclarations.set(exchange, declarations);
    return replacePropertyTypes(type, (location, group) => {
      const name = names[location];
      if (name === undefined) return group;
      declarations.push(`export type ${name} = ${printNode(group)};`);
      return createTypeNode(name);
    });
  }

  /** Replaces the headers in the type of a response by the name of a separate declaration. */
  #replaceHeaders(type: ts.TypeNode, { headers }: ResponseContent): ts.TypeNode {
    const name = this.#headerNames.get(headers);
    if (name === undefined) return type;
    return replacePropertyTypes(type, (key, headersType) => {
      if (key !== "headers" || !typescript.isTypeLiteralNode(headersType)) return headersType;
      const declared = headersType.members.filter((each) => !typescript.isIndexSignatureDeclaration(each));
      const text = printNode(factory.createTypeLiteralNode(declared));
      this.#headerDeclarations.set(name, `export type ${name} = ${text};`);
      return createTypeNode(`${name} & { [name: string]: unknown }`);
    });
  }
}

function printMember(name: string, type: ts.TypeNode, annotated: Annotated): string {
  const property = createProperty(name, type);
  addDocComment(pickAnnotations(annotated), property);
  return printNode(property);
}
