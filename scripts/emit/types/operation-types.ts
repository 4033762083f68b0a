import { getOrCreate } from "../../maps.js";
import { compareText } from "../../text.js";
import {
  type Api,
  type Callback,
  type BaseOperation,
  type MediaType,
  METHODS,
  type Parameter,
  type RequestBody,
  type ResponseContent,
  type ResponseHeader,
} from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { printStringLiteral } from "../../code/encode.js";
import type { JsonObject } from "../../json.js";
import { type AnnotatedObject, createObjectDocs } from "./docs.js";
import {
  createPlaceholderSchema,
  translateParameters,
  translateRequestBody,
  translateResponse,
} from "./openapi-typescript.js";
import { createObject, createTypeName, type Member, NEVER, printType, type Type, UNKNOWN } from "./type.js";

/** The names of the types that have a declaration of their own. */
interface DeclarationNames {
  /** Names of the types of parameters by location. */
  readonly operations: ReadonlyMap<BaseOperation, Readonly<Partial<Record<string, string>>>>;
  readonly headers: ReadonlyMap<readonly ResponseHeader[], string>;
}

/** A type with a declaration of its own. */
export interface NamedType {
  name: string;
  type: Type;
}

const TEXT = createTypeName("string");

/** The types of parameters and headers without a schema, by section of `components`. */
const TYPES_WITHOUT_SCHEMA = { parameters: TEXT, headers: UNKNOWN };

/**
 * Creates the types of operations, messages and components with openapi-typescript, which gets OpenAPI objects with a placeholder
 * for each schema. Moves the types of parameters and headers to declarations of their own.
 */
export class OperationTypes {
  /** The parameters of operations, in groups by location. */
  private readonly parameterGroups = new Map<BaseOperation, readonly Member[]>();

  /** @param ids keys in `operations`; operations without one are written inline */
  constructor(
    private readonly components: Api["components"],
    private readonly translateSchema: (schema: Schema) => Type,
    private readonly names: DeclarationNames,
    private readonly ids: ReadonlyMap<BaseOperation, string>,
  ) {}

  /** Creates a member of `operations`. */
  createOperation(name: string, operation: BaseOperation): Member {
    const { body, responses, callbacks } = operation;
    const responseMembers = responses.map((each): [string, Member] => [
      each.key,
      this.createResponseReference(each.key, each) ?? this.createResponse(each.key, each),
    ]);
    // Integer keys come first in an object, so statuses precede ranges and `default`.
    const sorted = Object.values(Object.fromEntries(responseMembers));
    const groups = this.getParameterGroups(operation).map((group) => {
      const typeName = this.getParameterTypeName(operation, group);
      return typeName === undefined ? group : { ...group, type: createTypeName(typeName) };
    });
    const members = [
      createMember("parameters", createObject(groups)),
      ...(body ? [this.createBody(body)] : []),
      createMember("responses", sorted.length === 0 ? NEVER : createObject(sorted)),
      ...(callbacks.length > 0 ? [createMember("callbacks", this.translateCallbacks(callbacks))] : []),
    ];
    return createMember(name, createObject(members));
  }

  /** Creates a member of `paths` or `webhooks`. */
  createPathItem(name: string, operations: readonly BaseOperation[]): Member {
    // Two paths of the document, such as `/{+id}` and `/{id}`, can be read as the same one. Its first operations are its members.
    const first = METHODS.flatMap((method) => operations.find((each) => each.method === method) ?? []);
    const members = first.map((operation) => {
      const { method } = operation;
      const id = this.ids.get(operation);
      if (id === undefined) return this.createOperation(method, operation);
      const type = createTypeName(`operations[${printStringLiteral(id)}]`);
      // The doc comments of the operation's function and handler already contain the description.
      return createMember(method, type, { ...operation, description: "" });
    });
    return createMember(name, createObject(members));
  }

  /** Creates the members of `components.parameters` or `components.headers`. */
  createSchemaMembers(section: "parameters" | "headers"): Member[] {
    const parts: ReadonlyMap<string, Parameter | ResponseHeader> = this.components[section];
    return Array.from(parts, ([name, part]) => createMember(name, this.translatePart(section, part), part));
  }

  /** Creates a member of `components.requestBodies`. */
  createRequestBody(name: string, body: RequestBody): Member {
    const type = translateRequestBody({ content: this.toMediaTypes(body.mediaTypes) });
    return createMember(name, type, body);
  }

  /** Creates a member of `components.responses`. */
  createResponse(name: string, response: ResponseContent): Member {
    const { headers, mediaTypes } = response;
    const headersName = this.names.headers.get(headers);
    const type = translateResponse({
      headers: headersName === undefined ? this.toHeaders(headers) : {},
      content: this.toMediaTypes(mediaTypes),
    });
    const members = listMembers(type).map((member) => {
      if (member.name !== "headers" || headersName === undefined) return member;
      return { ...member, type: createTypeName(`${headersName} & { [name: string]: unknown }`) };
    });
    return createMember(name, createObject(members), response);
  }

  /** Creates the types of the parameters of an operation that have a declaration of their own, one for each location. */
  createParameterTypes(operation: BaseOperation): NamedType[] {
    return this.getParameterGroups(operation).flatMap((group) => {
      const name = this.getParameterTypeName(operation, group);
      return name === undefined ? [] : [{ name, type: group.type }];
    });
  }

  /** Creates the types of the headers of responses that have a declaration of their own, sorted by name. */
  createHeaderTypes(): NamedType[] {
    const types = Array.from(this.names.headers, ([headers, name]) => {
      const members = listMembers(translateResponse({ headers: this.toHeaders(headers), content: {} }));
      const headersMember = members.find((member) => member.name === "headers");
      return { name, type: createObject(headersMember ? listMembers(headersMember.type) : []) };
    });
    return types.sort((one, other) => compareText(one.name, other.name));
  }

  /** Creates a member that refers to the component of a response; undefined for an inline response. */
  private createResponseReference(
    name: string,
    { component = "", mediaTypes, headers }: ResponseContent,
  ): Member | undefined {
    const shared = this.components.responses.get(component);
    // Compared by members, because the response of an operation is another object, which also has statuses.
    const isShared = shared?.mediaTypes === mediaTypes && shared.headers === headers;
    return isShared ? createMember(name, createComponentType("responses", component)) : undefined;
  }

  private createBody(body: RequestBody): Member {
    const { component = "", required } = body;
    const name = "requestBody";
    const member =
      this.components.requestBodies.get(component) === body
        ? createMember(name, createComponentType("requestBodies", component))
        : this.createRequestBody(name, body);
    return { ...member, isOptional: !required };
  }

  private translateCallbacks(callbacks: readonly Callback[]): Type {
    const members = callbacks.map(({ name, expressions }) => {
      const urls = expressions.map(({ expression, operations }) =>
        this.createPathItem(expression, operations),
      );
      return createMember(name, createObject(urls));
    });
    return createObject(members);
  }

  private getParameterGroups(operation: BaseOperation): readonly Member[] {
    return getOrCreate(this.parameterGroups, operation, () =>
      translateParameters(
        operation.parameters.map((parameter) => {
          const { name, in: location, required } = parameter;
          return { name, in: location, required, schema: this.createSchema("parameters", parameter) };
        }),
      ),
    );
  }

  /** Returns the name of the type of a group of parameters; undefined if it has no declaration of its own. */
  private getParameterTypeName(operation: BaseOperation, { name: location }: Member): string | undefined {
    return this.names.operations.get(operation)?.[location];
  }

  private toHeaders(headers: readonly ResponseHeader[]): JsonObject {
    const entries = headers.map((header) => [
      header.name,
      { required: header.required, schema: this.createSchema("headers", header) },
    ]);
    return Object.fromEntries(entries);
  }

  private toMediaTypes(mediaTypes: readonly MediaType[]): JsonObject {
    const schemas = mediaTypes.map(({ name, kind, schema, item }) => {
      // A stream has the type of its items.
      const typed = schema ?? item?.schema;
      const type = typed ? this.translateSchema(typed) : kind === "text" ? TEXT : UNKNOWN;
      return [name, { schema: createPlaceholderSchema(type) }];
    });
    return Object.fromEntries(schemas);
  }

  /**
   * Creates the schema of a parameter or header: a placeholder for its type, or for the name of its component if the type takes
   * several lines, so that editors show short types.
   */
  private createSchema(section: "parameters" | "headers", part: Parameter | ResponseHeader): JsonObject {
    const { schema, component = "" } = part;
    const type = this.translatePart(section, part);
    const isShared = schema && this.components[section].get(component)?.schema === schema;
    const isLong = isShared && printType(type).includes("\n");
    return createPlaceholderSchema(
      isLong ? createComponentType(section, component) : type,
      createObjectDocs(part),
    );
  }

  private translatePart(section: "parameters" | "headers", { schema }: Parameter | ResponseHeader): Type {
    return schema ? this.translateSchema(schema) : TYPES_WITHOUT_SCHEMA[section];
  }
}

function createMember(name: string, type: Type, annotated: AnnotatedObject = {}): Member {
  return { name, type, isOptional: false, docs: createObjectDocs(annotated) };
}

function createComponentType(section: string, name: string): Type {
  return createTypeName(`components["${section}"][${printStringLiteral(name)}]`);
}

function listMembers(type: Type): readonly Member[] {
  return type.kind === "object" ? type.members : [];
}
