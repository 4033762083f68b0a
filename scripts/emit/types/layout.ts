import { createRequire } from "node:module";
import type { GlobalContext } from "openapi-typescript";
import type * as OpenapiTypeScript from "openapi-typescript";
import type ts from "typescript";
import { compiler } from "../../compiler.js";
import type {
  Api,
  Exchange,
  JsonObject,
  MediaType,
  Parameter,
  RequestBody,
  ResponseContent,
  ResponseHeader,
} from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";

/**
 * The layout of operations and their messages in openapi-typescript's form. This is the only module that imports that
 * package. The schemas of the operations are printed before.
 */

type Package = typeof OpenapiTypeScript;
type Options = Parameters<Package["transformSchemaObject"]>[1];

// Required, because importing a CommonJS package first searches its text for exports. The package as a whole loads a
// linter, which is not used here.
const load = createRequire(import.meta.url);
const part = (name: string): unknown => load(`openapi-typescript/dist/${name}.cjs`);
// The casts: each module exports the same names as the package.
const { addJSDocComment, tsPropertyIndex } = part("lib/ts") as Pick<
  Package,
  "addJSDocComment" | "tsPropertyIndex"
>;
const { default: transformOperation } = part("transform/operation-object") as {
  default: Package["transformOperationObject"];
};
const transformPathItem = part("transform/path-item-object") as Package["transformPathItemObject"];
const transformRequestBody = part("transform/request-body-object") as Package["transformRequestBodyObject"];
const transformResponse = part("transform/response-object") as Package["transformResponseObject"];

/** Key of a printed type. A symbol, so that no document can contain it. */
const TEXT = Symbol("text");
/** The white space of one level as the compiler prints it. */
export const STEP = "    ";

/** Names that openapi-typescript can write a reference to. */
const SIMPLE_NAME = /^[A-Za-z0-9_.-]+$/;

const { factory } = compiler;

type GroupNames = Readonly<Partial<Record<string, string>>>;

/** Writes operations, messages and components in openapi-typescript's layout. */
export class Layout {
  private readonly context: GlobalContext;
  private readonly printer = compiler.createPrinter({ newLine: compiler.NewLineKind.LineFeed });
  private readonly file = compiler.createSourceFile("types.ts", "", compiler.ScriptTarget.ESNext);
  private readonly references = new Map<string, JsonObject>();
  private readonly groups = new Map<Exchange, string[]>();

  /**
   * @param typeText returns the type of a schema at an indentation depth
   * @param groupNames names of the types of parameters by operation and location
   */
  constructor(
    private readonly api: Pick<Api, "components">,
    private readonly typeText: (schema: Schema, depth: number) => string,
    private readonly groupNames: ReadonlyMap<Exchange, GroupNames>,
  ) {
    this.context = contextOf((reference) => this.references.get(reference));
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
    return this.member(name, textType(type), annotationsOf(parameter));
  }

  /** A member of `components.requestBodies`. */
  requestBodyComponent(name: string, body: RequestBody): string {
    // The cast: the function reads what is prepared.
    return this.member(
      name,
      transformRequestBody(this.requestBody(body, 1) as never, this.options()),
      annotationsOf(body),
    );
  }

  /** A member of `components.responses`. */
  responseComponent(name: string, response: ResponseContent): string {
    // The cast: the function reads what is prepared.
    return this.member(
      name,
      transformResponse(this.response(response, 1) as never, this.options()),
      annotationsOf(response),
    );
  }

  /** A member of `components.headers`. */
  headerComponent(name: string, header: ResponseHeader): string {
    const type = header.schema ? this.typeText(header.schema, 0) : "unknown";
    return this.member(name, textType(type), annotationsOf(header));
  }

  private methods(
    exchanges: readonly { exchange: Exchange; id: string | undefined }[],
    depth: number,
  ): ts.TypeNode {
    const inPlace = new Map<string, ts.TypeNode>();
    const item: Record<string, JsonObject> = {};
    for (const { exchange, id } of exchanges) {
      // The description is at the operation's function and handler, where editors show it.
      const notes = annotationsOf({ ...exchange, description: "" });
      if (id === undefined) {
        item[exchange.method] = { ...notes, responses: {} };
        inPlace.set(exchange.method, this.exchange(exchange, depth + 1));
      } else {
        const escaped = id.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
        item[exchange.method] = { ...notes, $ref: `#/operations/${escaped}` };
      }
    }
    // The cast: the function reads what is prepared.
    const node = transformPathItem(item as never, this.options());
    if (!compiler.isTypeLiteralNode(node)) return node;
    const members = node.members.flatMap((member) => {
      if (!compiler.isPropertySignature(member) || !compiler.isIdentifier(member.name)) return [];
      const name = member.name.text;
      if (!Object.hasOwn(item, name)) return [];
      const type = inPlace.get(name);
      return type ? factory.createPropertySignature(undefined, name, undefined, type) : member;
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
    const written = transformOperation(operation as never, this.options()).flatMap(withoutNever);
    const members = names ? written.map((member) => this.withNamedGroups(member, exchange, names)) : written;
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

  /** The member `parameters` with the names of its groups, which get declarations of their own. */
  private withNamedGroups(member: ts.TypeElement, exchange: Exchange, names: GroupNames): ts.TypeElement {
    if (nameOf(member) !== "parameters" || !compiler.isPropertySignature(member)) return member;
    if (!member.type || !compiler.isTypeLiteralNode(member.type)) return member;
    const declarations: string[] = [];
    const groups = member.type.members.map((group) => {
      const name = names[nameOf(group)];
      if (name === undefined || !compiler.isPropertySignature(group) || !group.type) return group;
      const declaration = this.printer.printNode(compiler.EmitHint.Unspecified, group.type, this.file);
      declarations.push(`export type ${name} = ${declaration};`);
      return factory.createPropertySignature(undefined, nameOf(group), group.questionToken, textType(name));
    });
    this.groups.set(exchange, declarations);
    return property("parameters", factory.createTypeLiteralNode(groups));
  }

  /** An inline parameter, so that editors show its type; a type of several lines is shared. */
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
    return { ...annotationsOf(parameter), name, in: location, required, ...this.schemaOf(schema, depth) };
  }

  private bodyOrReference(body: RequestBody, depth: number): JsonObject {
    const { component } = body;
    return isShared(component, body, this.api.components.requestBodies)
      ? { $ref: `#/components/requestBodies/${component}` }
      : this.requestBody(body, depth + 1);
  }

  private requestBody(body: RequestBody, depth: number): JsonObject {
    const { required, mediaTypes } = body;
    return { ...annotationsOf(body), required, content: this.content(mediaTypes, depth + 1) };
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
    const headers = response.headers.map((header): [string, JsonObject] => {
      const { name, component, required, schema } = header;
      const shared = component === undefined ? undefined : this.api.components.headers.get(component);
      const text = schema && this.typeText(schema, depth + 1);
      const isLong = text !== undefined && text.includes("\n");
      // By reference openapi-typescript would lose whether a header is optional.
      const type =
        isLong && component !== undefined && shared?.schema === schema
          ? textSchema(`components["headers"][${JSON.stringify(component)}]`)
          : text !== undefined
            ? textSchema(text)
            : undefined;
      return [name, { ...annotationsOf(header), required, ...(type ? { schema: type } : {}) }];
    });
    return {
      ...annotationsOf(response),
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

  private member(name: string, type: ts.TypeNode, notes: JsonObject): string {
    const signature = property(name, type);
    // The cast: the function reads a few members, if there are any.
    addJSDocComment(notes as Parameters<typeof addJSDocComment>[0], signature);
    return this.printer.printNode(compiler.EmitHint.Unspecified, signature, this.file);
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

function isShared<T>(component: string | undefined, part: T, shared: ReadonlyMap<string, T>): boolean {
  return component !== undefined && SIMPLE_NAME.test(component) && shared.get(component) === part;
}

/** The annotations that openapi-typescript prints as the doc comment of a part. */
function annotationsOf(part: {
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

/** A member without the optional members of type `never` in it, which only state that nothing was declared. */
function withoutNever(member: ts.TypeElement): ts.TypeElement[] {
  if (!compiler.isPropertySignature(member) || !member.type) return [member];
  if (member.questionToken && member.type.kind === compiler.SyntaxKind.NeverKeyword) return [];
  if (nameOf(member) !== "parameters" || !compiler.isTypeLiteralNode(member.type)) return [member];
  const members = member.type.members.flatMap(withoutNever);
  return [property("parameters", factory.createTypeLiteralNode(members))];
}

function nameOf({ name }: ts.TypeElement): string {
  return name && compiler.isIdentifier(name) ? name.text : "";
}

function contextOf(resolve: (reference: string) => JsonObject | undefined): GlobalContext {
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
