import type { GlobalContext } from "openapi-typescript";
import type ts from "typescript";
import { compiler } from "../../compiler.js";
import {
  addJSDocComment,
  transformHeaderObject,
  transformOperationObject,
  transformParameterObject,
  transformPathItemObject,
  transformRequestBodyObject,
  transformResponseObject,
  transformSchemaObject,
  tsPropertyIndex,
} from "./packages.js";
import { type JsonObject, type JsonValue, METHODS } from "../../model/model.js";
import {
  type Node,
  child,
  deref,
  entries,
  escapePointer,
  isObject,
  resolve,
  text,
} from "../../model/node.js";
import { Messages } from "./messages.js";
import { type Prepared, specialTypes } from "./nodes.js";
import { type Component, Schemas } from "./schemas.js";

/** Text of the members of `paths`, `components` and the other types, each made by itself, by the order of the document. */
export interface Members {
  paths: string[];
  webhooks: string[];
  components: Record<Section, string[]>;
  operations: string[];
  /** Declarations of their own. */
  aliases: string[];
}

const SECTIONS = ["schemas", "responses", "parameters", "requestBodies", "headers", "pathItems"] as const;
type Section = (typeof SECTIONS)[number];

type Options = Parameters<typeof transformSchemaObject>[1];
/** openapi-typescript's functions, which take parts of a document of which only what they read is prepared. */
type Transform = (part: never, options: Options) => ts.TypeNode;

const TRANSFORMS: Record<Exclude<Section, "schemas" | "pathItems">, Transform> = {
  responses: transformResponseObject,
  parameters: transformParameterObject,
  requestBodies: transformRequestBodyObject,
  headers: transformHeaderObject,
};

/** Writes the parts of types.ts: openapi-typescript makes the nodes, each part is printed by itself. */
export class Printer {
  private readonly schemas: Schemas;
  private readonly messages: Messages;
  private readonly context: GlobalContext;
  private readonly printer = compiler.createPrinter({ newLine: compiler.NewLineKind.LineFeed });
  private readonly file = compiler.createSourceFile("types.ts", "", compiler.ScriptTarget.ESNext);
  private readonly operations = new Map<string, string>();
  private readonly root: Node;

  constructor(private readonly document: JsonObject) {
    this.root = { value: document, pointer: "" };
    this.schemas = new Schemas(document);
    this.messages = new Messages(document, this.schemas);
    this.context = contextOf((ref) => this.resolved(ref));
  }

  /** The members of all that is printed. */
  members(): Members {
    const paths = entries(child(this.root, "paths")).filter(([path]) => path.startsWith("/"));
    const webhooks = entries(child(this.root, "webhooks")).filter(([name]) => !name.startsWith("x-"));
    const aliases: string[] = [];
    const members: Members = {
      paths: paths.map(([path, item]) => this.member(path, this.pathItem(item, true))),
      // Before the webhooks: what paths refer to comes first where operations have the same id.
      components: this.components(aliases),
      webhooks: webhooks.map(([name, item]) => this.member(name, this.pathItem(item, true))),
      operations: [...this.operations.values()],
      aliases,
    };
    for (const other of this.schemas.others()) {
      members.components.schemas.push(this.schema(other.name, other, aliases));
    }
    return members;
  }

  private components(aliases: string[]): Members["components"] {
    const components = child(this.root, "components");
    const sections = SECTIONS.map((section): [Section, string[]] => {
      const each = entries(components && child(components, section)).filter(
        ([name]) => !name.startsWith("x-") || section === "schemas" || section === "headers",
      );
      return [section, each.map(([name, node]) => this.component(section, name, node, aliases))];
    });
    // The cast: the sections are all there.
    return Object.fromEntries(sections) as Members["components"];
  }

  private component(section: Section, name: string, node: Node, aliases: string[]): string {
    if (section === "schemas") return this.schema(name, this.schemas.component(name, node.value), aliases);
    if (section === "pathItems") return this.member(name, this.pathItem(node, true));
    const part = this.prepared(section, node);
    const transform = TRANSFORMS[section];
    // The cast: the parts are what the functions read.
    return this.member(name, transform(part as never, this.options("components", section, name)), part);
  }

  private prepared(section: keyof typeof TRANSFORMS, node: Node): JsonObject {
    const target = deref(this.document, node);
    if (!target) return {};
    if (section === "responses") return this.messages.response(target);
    if (section === "parameters") return this.messages.parameter(target);
    return section === "headers" ? this.messages.header(target) : this.messages.requestBody(target);
  }

  private schema(name: string, { schema, alias }: Component, aliases: string[]): string {
    const type = this.type(schema, this.options("components", "schemas", name));
    if (alias === undefined) return this.member(name, type, schema);
    aliases.push(`type ${alias} = ${this.print(type)};`);
    return this.member(name, compiler.factory.createTypeReferenceNode(alias), schema);
  }

  private type(schema: Prepared, options: Options): ts.TypeNode {
    // The cast: the package reads booleans as well, its type does not say so.
    return transformSchemaObject(schema as Parameters<typeof transformSchemaObject>[0], options);
  }

  /** @param isNamed whether the operations are members of `operations`; those of callbacks are written in place */
  private pathItem(item: Node, isNamed: boolean): ts.TypeNode {
    const ref = text(item, "$ref");
    if (ref !== undefined && /^#\/components\/pathItems\/[A-Za-z0-9_.-]+$/.test(ref)) {
      // The cast: the package resolves a schema that is a reference without a look at what it is one to.
      return this.type({ $ref: ref }, this.options());
    }
    const target = deref(this.document, item);
    if (!target) return this.type({}, this.options());
    const parameters = this.messages.parameters(target);
    const prepared: Record<string, JsonValue> = parameters.length > 0 ? { parameters } : {};
    const types = new Map<string, ts.TypeNode>();
    for (const method of METHODS) {
      const operation = child(target, method);
      if (!operation || !isObject(operation.value)) continue;
      const id = text(operation, "operationId");
      const type = this.operation(target, operation);
      if (isNamed && id !== undefined && id !== "" && !this.operations.has(id)) {
        this.operations.set(id, this.member(id, type));
        prepared[method] = {
          ...notes(operation),
          $ref: `#/operations/${escapePointer(id).replaceAll("%", "%25")}`,
        };
      } else {
        types.set(method, type);
      }
    }
    // The cast: what is prepared is what the function reads.
    const node = transformPathItemObject(prepared as never, this.options());
    if (types.size === 0 || !compiler.isTypeLiteralNode(node)) return node;
    return compiler.factory.createTypeLiteralNode(
      node.members.map((member) => {
        const name = member.name && compiler.isIdentifier(member.name) ? member.name.text : "";
        const type = types.get(name);
        return type ? compiler.factory.createPropertySignature(undefined, name, undefined, type) : member;
      }),
    );
  }

  private operation(pathItem: Node, operation: Node): ts.TypeNode {
    const requestBody = this.messages.requestBodyOf(operation);
    const part = {
      parameters: this.messages.parameters(pathItem, operation),
      ...(requestBody ? { requestBody } : {}),
      responses: this.messages.responsesOf(operation),
    };
    // The cast: the part is what the function reads.
    const members = transformOperationObject(part as never, this.options());
    const callbacks = entries(child(operation, "callbacks")).map(([name, callback]) =>
      property(name, this.callback(callback)),
    );
    if (callbacks.length > 0) {
      members.push(property("callbacks", compiler.factory.createTypeLiteralNode(callbacks)));
    }
    return compiler.factory.createTypeLiteralNode(members);
  }

  private callback(callback: Node): ts.TypeNode {
    const target = deref(this.document, callback);
    const expressions = entries(target).filter(([expression]) => !expression.startsWith("x-"));
    return compiler.factory.createTypeLiteralNode(
      expressions.map(([expression, item]) => property(expression, this.pathItem(item, false))),
    );
  }

  /** What openapi-typescript asks of a reference: the place and name of a parameter, whether a body is required. */
  private resolved(ref: string): JsonValue | undefined {
    const target = resolve(this.document, ref);
    return target && deref(this.document, target)?.value;
  }

  private options(...place: string[]): Options {
    return { ctx: this.context, path: `#/${place.map(escapePointer).join("/")}` };
  }

  private member(name: string, type: ts.TypeNode, notes?: unknown): string {
    const signature = property(name, type);
    // The cast: the function reads a few members, if there are any.
    addJSDocComment(notes as Parameters<typeof addJSDocComment>[0], signature);
    return this.print(signature);
  }

  private print(node: ts.Node): string {
    return this.printer.printNode(compiler.EmitHint.Unspecified, node, this.file);
  }
}

function property(name: string, type: ts.TypeNode): ts.PropertySignature {
  return compiler.factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
}

function notes(operation: Node): JsonObject {
  const found: JsonObject = {};
  for (const key of ["summary", "description"]) {
    const value = text(operation, key);
    if (value !== undefined) found[key] = value;
  }
  return child(operation, "deprecated")?.value === true ? { ...found, deprecated: true } : found;
}

function contextOf(resolveReference: (ref: string) => JsonValue | undefined): GlobalContext {
  const settings: Omit<GlobalContext, "redoc"> = {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    conditionalEnums: false,
    dedupeEnums: false,
    // A property with a default may be left out, in requests and in responses.
    defaultNonNullable: false,
    // Schemas are prepared so that nothing of a discriminator is left to do.
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
    // The cast: the package names the type that it hopes for.
    resolve: <T>($ref: string) => resolveReference($ref) as T | undefined,
    rootTypes: false,
    rootTypesKeepCasing: false,
    rootTypesNoSchemaPrefix: false,
    silent: true,
    transform: specialTypes(),
    transformProperty: undefined,
    postTransform: undefined,
    inject: undefined,
  };
  // The cast: `redoc` is read by the package's loader alone, which does not run here.
  return settings as GlobalContext;
}
