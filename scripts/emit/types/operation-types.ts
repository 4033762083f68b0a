import type ts from "typescript";
import { compareText } from "../../diagnostic.js";
import {
  type Api,
  type Exchange,
  type JsonObject,
  type MediaType,
  METHODS,
  type Parameter,
  type RequestBody,
  type ResponseContent,
  type ResponseHeader,
} from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { typescript } from "../../typescript.js";
import {
  addDocComment,
  createProperty,
  createSchema,
  createTranslator,
  createTypeNode,
  type Translator,
} from "./openapi-typescript.js";
import { printNode } from "./print-node.js";

/** An operation or a request of a callback, and its key in `operations`; without a key it is written inline. */
export interface IdentifiedExchange {
  exchange: Exchange;
  id: string | undefined;
}

/** Names of the types of an operation's parameters. */
type NamesByLocation = Readonly<Partial<Record<string, string>>>;

/** Matches component names to which openapi-typescript can print a reference. */
const SIMPLE_NAME = /^[A-Za-z0-9_.-]+$/;

const { factory } = typescript;
const OPERATIONS = createTypeNode("operations");

/** Prints operations, messages and components as openapi-typescript does. */
export class OperationTypes {
  private readonly translator: Translator;
  private readonly parameterDeclarations = new Map<Exchange, string[]>();
  private readonly headerDeclarations = new Map<string, string>();

  /**
   * @param printSchema returns the type of a schema
   * @param operationNames names of the types of parameters
   * @param headerNames names of the types of the headers of responses
   */
  constructor(
    private readonly components: Api["components"],
    private readonly printSchema: (schema: Schema) => string,
    private readonly operationNames: ReadonlyMap<Exchange, NamesByLocation>,
    private readonly headerNames: ReadonlyMap<readonly ResponseHeader[], string>,
  ) {
    const targets = new Map<string, JsonObject>();
    for (const [name, parameter] of components.parameters)
      targets.set(`#/components/parameters/${name}`, this.createParameter(parameter));
    for (const [name, { required }] of components.requestBodies)
      targets.set(`#/components/requestBodies/${name}`, { required });
    this.translator = createTranslator((reference) => targets.get(reference));
  }

  /** Prints a member of `operations`. */
  printOperation(name: string, exchange: Exchange): string {
    return printMember(name, this.translateExchange(exchange), {});
  }

  /** Prints a member of `paths` or `webhooks`. */
  printPathItem(name: string, exchanges: readonly IdentifiedExchange[]): string {
    return printMember(name, this.translateMethods(exchanges), {});
  }

  /** Prints a member of `components.parameters`. */
  printParameter(name: string, parameter: Parameter): string {
    const { schema } = parameter;
    return printMember(name, createTypeNode(schema ? this.printSchema(schema) : "string"), parameter);
  }

  /** Prints a member of `components.requestBodies`. */
  printRequestBody(name: string, body: RequestBody): string {
    return printMember(name, this.translator.translateRequestBody(this.createRequestBody(body)), body);
  }

  /** Prints a member of `components.responses`. */
  printResponse(name: string, response: ResponseContent): string {
    const type = this.translator.translateResponse(this.createResponse(response));
    return printMember(name, this.replaceHeaders(type, response), response);
  }

  /** Prints a member of `components.headers`. */
  printHeader(name: string, header: ResponseHeader): string {
    const { schema } = header;
    return printMember(name, createTypeNode(schema ? this.printSchema(schema) : "unknown"), header);
  }

  /** Returns the declarations of the types of the parameters of an operation that was printed before. */
  getParameterDeclarations(exchange: Exchange): string[] {
    return this.parameterDeclarations.get(exchange) ?? [];
  }

  /** Returns the declarations of the types of the headers of all responses that were printed before, sorted by name. */
  getHeaderDeclarations(): string[] {
    return [...this.headerDeclarations].sort(([a], [b]) => compareText(a, b)).map(([, text]) => text);
  }

  private translateMethods(exchanges: readonly IdentifiedExchange[]): ts.TypeNode {
    const sorted = [...exchanges].sort(
      (one, other) => METHODS.indexOf(one.exchange.method) - METHODS.indexOf(other.exchange.method),
    );
    const members = sorted.map(({ exchange, id }) => {
      if (id === undefined) return createProperty(exchange.method, this.translateExchange(exchange));
      const key = factory.createLiteralTypeNode(factory.createStringLiteral(id));
      const member = createProperty(exchange.method, factory.createIndexedAccessTypeNode(OPERATIONS, key));
      // The doc comments of the operation's function and handler already contain the description.
      addDocComment(pickAnnotations({ ...exchange, description: "" }), member);
      return member;
    });
    return factory.createTypeLiteralNode(members);
  }

  private translateExchange(exchange: Exchange): ts.TypeNode {
    const { parameters, body, responses, callbacks } = exchange;
    const names = this.operationNames.get(exchange);
    const operation = {
      parameters: parameters.map((parameter) => this.createParameterOrReference(parameter)),
      ...(body ? { requestBody: this.createBodyOrReference(body) } : {}),
      responses: Object.fromEntries(
        responses.map((response) => [response.key, this.createResponseOrReference(response)]),
      ),
    };
    const members = this.translator.translateOperation(operation).flatMap(removeNeverMembers);
    if (callbacks.length > 0) {
      const types = callbacks.map(({ name, expressions }) => {
        const urls = expressions.map(({ expression, exchanges }) => {
          const inline = exchanges.map((each) => ({ exchange: each, id: undefined }));
          return createProperty(expression, this.translateMethods(inline));
        });
        return createProperty(name, factory.createTypeLiteralNode(urls));
      });
      members.push(createProperty("callbacks", factory.createTypeLiteralNode(types)));
    }
    return replacePropertyTypes(factory.createTypeLiteralNode(members), (name, type) => {
      if (name === "parameters" && names) return this.replaceParameters(type, exchange, names);
      if (name !== "responses") return type;
      return replacePropertyTypes(type, (key, responseType) => {
        const response = responses.find((each) => each.key === key);
        return response ? this.replaceHeaders(responseType, response) : responseType;
      });
    });
  }

  /** Replaces the types of the groups of parameters by the names of separate declarations. */
  private replaceParameters(type: ts.TypeNode, exchange: Exchange, names: NamesByLocation): ts.TypeNode {
    const declarations: string[] = [];
    this.parameterDeclarations.set(exchange, declarations);
    return replacePropertyTypes(type, (location, group) => {
      const name = names[location];
      if (name === undefined) return group;
      declarations.push(`export type ${name} = ${printNode(group)};`);
      return createTypeNode(name);
    });
  }

  /** Replaces the headers in the type of a response by the name of a separate declaration. */
  private replaceHeaders(type: ts.TypeNode, { headers }: ResponseContent): ts.TypeNode {
    const name = this.headerNames.get(headers);
    if (name === undefined) return type;
    return replacePropertyTypes(type, (key, headersType) => {
      if (key !== "headers" || !typescript.isTypeLiteralNode(headersType)) return headersType;
      const declared = headersType.members.filter((each) => !typescript.isIndexSignatureDeclaration(each));
      const text = printNode(factory.createTypeLiteralNode(declared));
      this.headerDeclarations.set(name, `export type ${name} = ${text};`);
      return createTypeNode(`${name} & { [name: string]: unknown }`);
    });
  }

  /** Creates an inline parameter, so that editors show its type, or a reference if the type has several lines. */
  private createParameterOrReference(parameter: Parameter): JsonObject {
    const { component, schema } = parameter;
    const isLong = schema !== undefined && this.printSchema(schema).includes("\n");
    return isLong && isComponent(component, parameter, this.components.parameters)
      ? { $ref: `#/components/parameters/${component}` }
      : this.createParameter(parameter);
  }

  private createParameter(parameter: Parameter): JsonObject {
    const { name, in: location, required, schema } = parameter;
    return { ...pickAnnotations(parameter), name, in: location, required, ...this.createContent(schema) };
  }

  private createBodyOrReference(body: RequestBody): JsonObject {
    return isComponent(body.component, body, this.components.requestBodies)
      ? { $ref: `#/components/requestBodies/${body.component}` }
      : this.createRequestBody(body);
  }

  private createRequestBody(body: RequestBody): JsonObject {
    const { required, mediaTypes } = body;
    return { ...pickAnnotations(body), required, content: this.createMediaTypes(mediaTypes) };
  }

  private createResponseOrReference(response: ResponseContent): JsonObject {
    const { component, mediaTypes, headers } = response;
    const shared = component === undefined ? undefined : this.components.responses.get(component);
    const isSame = shared?.mediaTypes === mediaTypes && shared.headers === headers;
    return isSame && component !== undefined && SIMPLE_NAME.test(component)
      ? { $ref: `#/components/responses/${component}` }
      : this.createResponse(response);
  }

  private createResponse(response: ResponseContent): JsonObject {
    const headers = response.headers.map((header) => [header.name, this.createHeader(header)]);
    return {
      ...pickAnnotations(response),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      content: this.createMediaTypes(response.mediaTypes),
    };
  }

  private createHeader(header: ResponseHeader): JsonObject {
    const { component, required, schema } = header;
    const annotations = { ...pickAnnotations(header), required };
    if (!schema) return annotations;
    const text = this.printSchema(schema);
    const shared = component === undefined ? undefined : this.components.headers.get(component);
    // For a reference, openapi-typescript would not print whether the header is optional.
    const isNamed = component !== undefined && shared?.schema === schema && text.includes("\n");
    const type = isNamed ? `components["headers"][${JSON.stringify(component)}]` : text;
    return { ...annotations, schema: createSchema(type) };
  }

  private createMediaTypes(mediaTypes: readonly MediaType[]): JsonObject {
    return Object.fromEntries(
      mediaTypes.map(({ name, schema, item }) => [name, this.createContent(schema ?? item?.schema)]),
    );
  }

  private createContent(schema: Schema | undefined): JsonObject {
    return schema ? { schema: createSchema(this.printSchema(schema)) } : {};
  }
}

/** An object of the document with text for a doc comment. */
interface Annotated {
  summary?: string;
  description?: string;
  deprecated?: boolean;
  examples?: Parameter["examples"];
}

/** Picks the annotations that openapi-typescript prints as the doc comment of a part. */
function pickAnnotations({
  summary = "",
  description = "",
  deprecated,
  examples = [],
}: Annotated): JsonObject {
  const text = [summary.trim(), description.trim()].filter((each) => each !== "").join("\n\n");
  const [example] = examples;
  return {
    ...(text === "" ? {} : { summary: text }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(example === undefined ? {} : { example: example.value }),
  };
}

function printMember(name: string, type: ts.TypeNode, annotated: Annotated): string {
  const property = createProperty(name, type);
  addDocComment(pickAnnotations(annotated), property);
  return printNode(property);
}

/** Whether a part is a component that openapi-typescript can print a reference to. */
function isComponent<T>(name: string | undefined, part: T, components: ReadonlyMap<string, T>): boolean {
  return name !== undefined && SIMPLE_NAME.test(name) && components.get(name) === part;
}

/** Removes optional members of type `never`, which openapi-typescript prints for groups without parameters. */
function removeNeverMembers(member: ts.TypeElement): ts.TypeElement[] {
  if (!typescript.isPropertySignature(member) || !member.type) return [member];
  if (member.questionToken && member.type.kind === typescript.SyntaxKind.NeverKeyword) return [];
  if (getMemberName(member) !== "parameters" || !typescript.isTypeLiteralNode(member.type)) return [member];
  const members = member.type.members.flatMap(removeNeverMembers);
  return [createProperty("parameters", factory.createTypeLiteralNode(members))];
}

/** Replaces the types of the properties of an object type. Returns any other type unchanged. */
function replacePropertyTypes(
  type: ts.TypeNode,
  replace: (name: string, type: ts.TypeNode) => ts.TypeNode,
): ts.TypeNode {
  if (!typescript.isTypeLiteralNode(type)) return type;
  const members = type.members.map((member) => {
    if (!typescript.isPropertySignature(member) || !member.type) return member;
    const { modifiers, name, questionToken } = member;
    const replacement = replace(getMemberName(member), member.type);
    return factory.updatePropertySignature(member, modifiers, name, questionToken, replacement);
  });
  return factory.createTypeLiteralNode(members);
}

function getMemberName({ name }: ts.TypeElement): string {
  const isLiteral = name && (typescript.isStringLiteral(name) || typescript.isNumericLiteral(name));
  return name && (isLiteral || typescript.isIdentifier(name)) ? name.text : "";
}
