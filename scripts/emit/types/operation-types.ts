import { createRequire } from "node:module";
import type { GlobalContext } from "openapi-typescript";
import type * as OpenapiTypeScript from "openapi-typescript";
import type ts from "typescript";
import { typescript } from "../../typescript.js";
import { compareText } from "../../diagnostic.js";
import {
  type Api,
  type Exchange,
  type JsonObject,
  type MediaType,
  METHODS,
  type Parameter,
  type RequestBody,
  type Response,
  type ResponseContent,
  type ResponseHeader,
} from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { printNode } from "./print-node.js";

/**
 * Prints operations and their messages with openapi-typescript. This is the only module that imports that package. It
 * receives the types of schemas as text.
 */

type Package = typeof OpenapiTypeScript;
type Options = Parameters<Package["transformSchemaObject"]>[1];

// Uses `require`, because importing a CommonJS module takes longer. Loads single modules, because the package as a whole
// also loads a linter.
const requirePackage = createRequire(import.meta.url);
const part = (name: string): unknown => requirePackage(`openapi-typescript/dist/${name}.cjs`);
// The casts: each module exports the same names as the package.
const { addJSDocComment, tsPropertyIndex } = part("lib/ts") as Pick<
  Package,
  "addJSDocComment" | "tsPropertyIndex"
>;
const { default: transformOperation } = part("transform/operation-object") as {
  default: Package["transformOperationObject"];
};
const transformRequestBody = part("transform/request-body-object") as Package["transformRequestBodyObject"];
const transformResponse = part("transform/response-object") as Package["transformResponseObject"];

/** Key of the printed type in a schema. A symbol, so that it cannot collide with a key of a document. */
const TEXT = Symbol("text");

/** Matches component names to which openapi-typescript can print a reference. */
const SIMPLE_NAME = /^[A-Za-z0-9_.-]+$/;

const { factory } = typescript;
const OPERATIONS = textType("operations");

type GroupNames = Readonly<Partial<Record<string, string>>>;

/** Prints operations, messages and components as openapi-typescript does. */
export class OperationTypes {
  private readonly context: GlobalContext;
  private readonly references = new Map<string, JsonObject>();
  private readonly groups = new Map<Exchange, string[]>();
  private readonly headers = new Map<string, string>();

  /**
   * @param typeText returns the type of a schema at an indentation depth
   * @param groupNames names of the types of parameters by operation and location
   * @param headerNames names of the types of the headers of responses
   */
  constructor(
    private readonly api: Pick<Api, "components">,
    private readonly typeText: (schema: Schema, depth: number) => string,
    private readonly groupNames: ReadonlyMap<Exchange, GroupNames>,
    private readonly headerNames: ReadonlyMap<readonly ResponseHeader[], string>,
  ) {
    this.context = createContext((reference) => this.references.get(reference));
    for (const [name, parameter] of api.components.parameters) {
      this.references.set(`#/components/parameters/${name}`, this.parameter(parameter, 0));
    }
    for (const [name, { required }] of api.components.requestBodies) {
      this.references.set(`#/components/requestBodies/${name}`, { required });
    }
  }

  /** A member of `operations`. */
  operation(name: string, exchange: Exchange): string {
    return this.member(name, this.exchange(exchange, 1), {});
  }

  /** Declarations of the types of the groups of parameters of an operation that was written before. */
  parameterTypes(exchange: Exchange): string[] {
    return this.groups.get(exchange) ?? [];
  }

  /** Declarations of the types of the headers of all responses that were written before, by name. */
  headerTypes(): string[] {
    return [...this.headers].sort(([a], [b]) => compareText(a, b)).map(([, declaration]) => declaration);
  }

  /**
   * A member of `paths` or `webhooks`.
   *
   * @param exchanges its operations, and the key of each in `operations`; without a key it is written inline
   */
  pathItem(name: string, exchanges: readonly { exchange: Exchange; id: string | undefined }[]): string {
    return this.member(name, this.methods(exchanges, 1), {});
  }

  /** A member of `components.parameters`. */
  parameterComponent(name: string, parameter: Parameter): string {
    const { schema } = parameter;
    const type = schema ? this.typeText(schema, 0) : "string";
    return this.member(name, textType(type), pickAnnotations(parameter));
  }

  /** A member of `components.requestBodies`. */
  requestBodyComponent(name: string, body: RequestBody): string {
    // The cast: the function reads what is prepared.
    return this.member(
      name,
      transformRequestBody(this.requestBody(body, 1) as never, this.options()),
      pickAnnotations(body),
    );
  }

  /** A member of `components.responses`. */
  responseComponent(name: string, response: ResponseContent): string {
    // The cast: the function reads what is prepared.
    const type = transformResponse(this.response(response, 1) as never, this.options());
    return this.member(name, this.withNamedHeaders(type, response), pickAnnotations(response));
  }

  /** A member of `components.headers`. */
  headerComponent(name: string, header: ResponseHeader): string {
    const type = header.schema ? this.typeText(header.schema, 0) : "unknown";
    return this.member(name, textType(type), pickAnnotations(header));
  }

  private methods(
    exchanges: readonly { exchange: Exchange; id: string | undefined }[],
    depth: number,
  ): ts.TypeNode {
    const sorted = [...exchanges].sort(
      (one, other) => METHODS.indexOf(one.exchange.method) - METHODS.indexOf(other.exchange.method),
    );
    const members = sorted.map(({ exchange, id }) => {
      if (id === undefined) return property(exchange.method, this.exchange(exchange, depth + 1));
      const name = factory.createLiteralTypeNode(factory.createStringLiteral(id));
      const member = property(exchange.method, factory.createIndexedAccessTypeNode(OPERATIONS, name));
      // The doc comments of the operation's function and handler already contain the description.
      addDocComment(pickAnnotations({ ...exchange, description: "" }), member);
      return member;
    });
    return factory.createTypeLiteralNode(members);
  }

  private exchange(exchange: Exchange, depth: number): ts.TypeNode {
    const { parameters, body, responses, callbacks } = exchange;
    const names = this.groupNames.get(exchange);
    const parameterDepth = names ? 1 : depth + 2;
    const operation = {
      parameters: parameters.map((parameter) => this.parameterOrReference(parameter, parameterDepth)),
      ...(body ? { requestBody: this.bodyOrReference(body, depth) } : {}),
      responses: Object.fromEntries(
        responses.map((response) => [response.key, this.responseOrReference(response, depth + 1)]),
      ),
    };
    // The cast: the function reads what is prepared.
    const written = transformOperation(operation as never, this.options()).flatMap(removeNeverMembers);
    const members = written.map((member) => {
      if (getMemberName(member) === "responses") return this.withNamedResponseHeaders(member, responses);
      return names ? this.withNamedGroups(member, exchange, names) : member;
    });
    if (callbacks.length > 0) {
      const types = callbacks.map(({ name, expressions }) => {
        const items = expressions.map(({ expression, exchanges }) =>
          property(
            expression,
            this.methods(
              exchanges.map((exchange) => ({ exchange, id: undefined })),
              depth + 3,
            ),
          ),
        );
        return property(name, factory.createTypeLiteralNode(items));
      });
      members.push(property("callbacks", factory.createTypeLiteralNode(types)));
    }
    return factory.createTypeLiteralNode(members);
  }

  /** Replaces the groups in the member `parameters` by the names of separate declarations. */
  private withNamedGroups(member: ts.TypeElement, exchange: Exchange, names: GroupNames): ts.TypeElement {
    if (getMemberName(member) !== "parameters" || !typescript.isPropertySignature(member)) return member;
    if (!member.type || !typescript.isTypeLiteralNode(member.type)) return member;
    const declarations: string[] = [];
    const groups = member.type.members.map((group) => {
      const name = names[getMemberName(group)];
      if (name === undefined || !typescript.isPropertySignature(group) || !group.type) return group;
      declarations.push(`export type ${name} = ${printNode(group.type)};`);
      return factory.createPropertySignature(
        undefined,
        getMemberName(group),
        group.questionToken,
        textType(name),
      );
    });
    this.groups.set(exchange, declarations);
    return property("parameters", factory.createTypeLiteralNode(groups));
  }

  /** Replaces the headers of inline responses in the member `responses` by the names of separate declarations. */
  private withNamedResponseHeaders(member: ts.TypeElement, responses: readonly Response[]): ts.TypeElement {
    if (!typescript.isPropertySignature(member) || !member.type || !typescript.isTypeLiteralNode(member.type))
      return member;
    const members = member.type.members.map((each) => {
      const response = responses.find(({ key }) => key === getMemberName(each));
      if (!response || !typescript.isPropertySignature(each) || !each.type) return each;
      const type = this.withNamedHeaders(each.type, response);
      return factory.updatePropertySignature(each, undefined, each.name, undefined, type);
    });
    return property("responses", factory.createTypeLiteralNode(members));
  }

  /** Replaces the headers in the type of a response by the name of a separate declaration. */
  private withNamedHeaders(type: ts.TypeNode, { headers }: ResponseContent): ts.TypeNode {
    const name = this.headerNames.get(headers);
    if (name === undefined || !typescript.isTypeLiteralNode(type)) return type;
    const members = type.members.map((member) => {
      if (getMemberName(member) !== "headers" || !typescript.isPropertySignature(member)) return member;
      if (!member.type || !typescript.isTypeLiteralNode(member.type)) return member;
      const declared = member.type.members.filter((each) => !typescript.isIndexSignatureDeclaration(each));
      const literal = factory.createTypeLiteralNode(declared);
      const text = printNode(literal);
      this.headers.set(name, `export type ${name} = ${text};`);
      return property("headers", textType(`${name} & { [name: string]: unknown }`));
    });
    return factory.createTypeLiteralNode(members);
  }

  /** Returns an inline parameter, so that editors show its type, or a reference if the type has several lines. */
  private parameterOrReference(parameter: Parameter, depth: number): JsonObject {
    const { component, schema } = parameter;
    return isShared(component, parameter, this.api.components.parameters) &&
      schema &&
      this.typeText(schema, depth).includes("\n")
      ? { $ref: `#/components/parameters/${component}` }
      : this.parameter(parameter, depth);
  }

  private parameter(parameter: Parameter, depth: number): JsonObject {
    const { name, in: location, required, schema } = parameter;
    return { ...pickAnnotations(parameter), name, in: location, required, ...this.schemaOf(schema, depth) };
  }

  private bodyOrReference(body: RequestBody, depth: number): JsonObject {
    const { component } = body;
    return isShared(component, body, this.api.components.requestBodies)
      ? { $ref: `#/components/requestBodies/${component}` }
      : this.requestBody(body, depth + 1);
  }

  private requestBody(body: RequestBody, depth: number): JsonObject {
    const { required, mediaTypes } = body;
    return { ...pickAnnotations(body), required, content: this.content(mediaTypes, depth + 1) };
  }

  private responseOrReference(response: ResponseContent, depth: number): JsonObject {
    const { component } = response;
    const shared = component === undefined ? undefined : this.api.components.responses.get(component);
    const isSame = shared?.mediaTypes === response.mediaTypes && shared.headers === response.headers;
    return isSame && component !== undefined && SIMPLE_NAME.test(component)
      ? { $ref: `#/components/responses/${component}` }
      : this.response(response, depth + 1);
  }

  private response(response: ResponseContent, depth: number): JsonObject {
    const headerDepth = this.headerNames.has(response.headers) ? 1 : depth + 1;
    const headers = response.headers.map((header): [string, JsonObject] => {
      const { name, component, required, schema } = header;
      const shared = component === undefined ? undefined : this.api.components.headers.get(component);
      const text = schema && this.typeText(schema, headerDepth);
      const isLong = text !== undefined && text.includes("\n");
      // For a reference, openapi-typescript would not print whether the header is optional.
      const type =
        isLong && component !== undefined && shared?.schema === schema
          ? textSchema(`components["headers"][${JSON.stringify(component)}]`)
          : text !== undefined
            ? textSchema(text)
            : undefined;
      return [name, { ...pickAnnotations(header), required, ...(type ? { schema: type } : {}) }];
    });
    return {
      ...pickAnnotations(response),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      content: this.content(response.mediaTypes, depth + 1),
    };
  }

  private content(mediaTypes: readonly MediaType[], depth: number): JsonObject {
    return Object.fromEntries(
      mediaTypes.map(({ name, schema, item }) => [name, this.schemaOf(schema ?? item?.schema, depth)]),
    );
  }

  private schemaOf(schema: Schema | undefined, depth: number): JsonObject {
    return schema ? { schema: textSchema(this.typeText(schema, depth)) } : {};
  }

  private options(): Options {
    return { ctx: this.context, path: "#" };
  }

  private member(name: string, type: ts.TypeNode, annotations: JsonObject): string {
    const signature = property(name, type);
    addDocComment(annotations, signature);
    return printNode(signature);
  }
}

/** Creates a schema that openapi-typescript prints as a given text. */
function textSchema(text: string): JsonObject {
  // The cast: a symbol is not a JSON key, but openapi-typescript passes it on.
  return { type: "text", [TEXT]: text } as unknown as JsonObject;
}

/** Creates a node that the compiler prints as a given text. */
function textType(text: string): ts.TypeNode {
  return factory.createTypeReferenceNode(factory.createIdentifier(text));
}

function property(name: string, type: ts.TypeNode): ts.PropertySignature {
  return factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
}

function addDocComment(annotations: JsonObject, signature: ts.PropertySignature): void {
  // The cast: the function reads a few members, if there are any.
  addJSDocComment(annotations as Parameters<typeof addJSDocComment>[0], signature);
}

function isShared<T>(component: string | undefined, part: T, shared: ReadonlyMap<string, T>): boolean {
  return component !== undefined && SIMPLE_NAME.test(component) && shared.get(component) === part;
}

/** The annotations that openapi-typescript prints as the doc comment of a part. */
function pickAnnotations(part: {
  summary?: string;
  description: string;
  deprecated?: boolean;
  examples?: Parameter["examples"];
}): JsonObject {
  const { summary = "", description, deprecated, examples = [] } = part;
  const text = [summary.trim(), description.trim()].filter((each) => each !== "").join("\n\n");
  const [example] = examples;
  return {
    ...(text === "" ? {} : { summary: text }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(example === undefined ? {} : { example: example.value }),
  };
}

/** Removes optional members of type `never`, which openapi-typescript prints for groups without parameters. */
function removeNeverMembers(member: ts.TypeElement): ts.TypeElement[] {
  if (!typescript.isPropertySignature(member) || !member.type) return [member];
  if (member.questionToken && member.type.kind === typescript.SyntaxKind.NeverKeyword) return [];
  if (getMemberName(member) !== "parameters" || !typescript.isTypeLiteralNode(member.type)) return [member];
  const members = member.type.members.flatMap(removeNeverMembers);
  return [property("parameters", factory.createTypeLiteralNode(members))];
}

function getMemberName({ name }: ts.TypeElement): string {
  return name &&
    (typescript.isIdentifier(name) || typescript.isStringLiteral(name) || typescript.isNumericLiteral(name))
    ? name.text
    : "";
}

function createContext(resolve: (reference: string) => JsonObject | undefined): GlobalContext {
  const settings: Omit<GlobalContext, "redoc"> = {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    conditionalEnums: false,
    dedupeEnums: false,
    defaultNonNullable: false,
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    enum: false,
    enumValues: false,
    excludeDeprecated: false,
    exportType: false,
    generatePathParams: false,
    immutable: false,
    injectFooter: [],
    makePathsEnum: false,
    pathParamsAsTypes: false,
    propertiesRequiredByDefault: false,
    readWriteMarkers: false,
    // The cast: openapi-typescript declares the type that it expects.
    resolve: <T>(reference: string) => resolve(reference) as T | undefined,
    rootTypes: false,
    rootTypesKeepCasing: false,
    rootTypesNoSchemaPrefix: false,
    silent: true,
    transform: (schema) => {
      const text: unknown = Reflect.get(schema, TEXT);
      return typeof text === "string" ? textType(text) : undefined;
    },
    transformProperty: undefined,
    postTransform: undefined,
    inject: undefined,
  };
  // The cast: `redoc` is read by the package's loader alone, which does not run here.
  return settings as GlobalContext;
}
