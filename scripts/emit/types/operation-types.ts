import { compareText } from "../../text.js";
import {
  type Api,
  type Callback,
  type BaseOperation,
  METHODS,
  type Parameter,
  type RequestBody,
  type ResponseContent,
  type ResponseHeader,
} from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { printStringLiteral } from "../../code/encode.js";
import {
  createObjectDocLines,
  translateParameters,
  translateRequestBody,
  translateResponse,
} from "./openapi-typescript.js";
import { type AnnotatedObject, OpenApiObjects, pickAnnotations } from "./openapi-objects.js";
import { createObject, createTypeName, type Member, NEVER, type Type } from "./type.js";

/** An operation or a request of a callback, and its key in `operations`; without a key it is written inline. */
export interface IdentifiedOperation {
  operation: BaseOperation;
  id: string | undefined;
}

type ParameterTypeNames = Readonly<Partial<Record<string, string>>>;

/** A type with a declaration of its own. */
export interface NamedType {
  name: string;
  type: Type;
}

/**
 * Creates the types of operations, messages and components with openapi-typescript, which gets OpenAPI objects with a placeholder
 * for each schema. Moves the types of parameters and headers to declarations of their own.
 */
export class OperationTypes {
  private readonly objects: OpenApiObjects;
  /** Types of the parameters of operations that were translated. */
  private readonly parameterTypes = new Map<BaseOperation, NamedType[]>();
  /** Types of the headers of responses that were translated, by name. */
  private readonly headerTypes = new Map<string, Type>();

  constructor(
    components: Api["components"],
    private readonly translateSchema: (schema: Schema) => Type,
    private readonly parameterNames: ReadonlyMap<BaseOperation, ParameterTypeNames>,
    private readonly headerNames: ReadonlyMap<readonly ResponseHeader[], string>,
  ) {
    this.objects = new OpenApiObjects(components, translateSchema);
  }

  /** Creates a member of `operations`. */
  createOperation(name: string, operation: BaseOperation): Member {
    return createMember(name, this.translateOperation(operation));
  }

  /** Creates a member of `paths` or `webhooks`. */
  createPathItem(name: string, operations: readonly IdentifiedOperation[]): Member {
    return createMember(name, this.translateMethods(operations));
  }

  /** Creates a member of `components.parameters` or `components.headers`, given its type without a schema. */
  createSchemaMember(name: string, part: Parameter | ResponseHeader, fallback: Type): Member {
    return createMember(name, part.schema ? this.translateSchema(part.schema) : fallback, part);
  }

  /** Creates a member of `components.requestBodies`. */
  createRequestBody(name: string, body: RequestBody): Member {
    return createMember(name, translateRequestBody(this.objects.toRequestBody(body)), body);
  }

  /** Creates a member of `components.responses`. */
  createResponse(name: string, response: ResponseContent): Member {
    const type = translateResponse(this.objects.toResponse(response));
    return createMember(name, this.nameHeaders(type, response), response);
  }

  /** Lists the parameter types of an operation. Its type must have been created before. */
  listParameterTypes(operation: BaseOperation): NamedType[] {
    return this.parameterTypes.get(operation) ?? [];
  }

  /** Lists the header types of all responses, sorted by name. The types of the responses must have been created before. */
  listHeaderTypes(): NamedType[] {
    const types = [...this.headerTypes].map(([name, type]) => ({ name, type }));
    return types.sort((one, other) => compareText(one.name, other.name));
  }

  private translateMethods(operations: readonly IdentifiedOperation[]): Type {
    const sorted = [...operations].sort(
      (one, other) => METHODS.indexOf(one.operation.method) - METHODS.indexOf(other.operation.method),
    );
    return createObject(
      sorted.map(({ operation, id }) => {
        if (id === undefined) return createMember(operation.method, this.translateOperation(operation));
        const type = createTypeName(`operations[${printStringLiteral(id)}]`);
        // The doc comments of the operation's function and handler already contain the description.
        return createMember(operation.method, type, { ...operation, description: "" });
      }),
    );
  }

  private translateOperation(operation: BaseOperation): Type {
    const { body, responses, callbacks } = operation;
    const responseMembers = responses.map((each): [string, Member] => {
      const reference = this.objects.findResponseComponent(each);
      return [each.key, reference ? createMember(each.key, reference) : this.createResponse(each.key, each)];
    });
    // Integer keys come first in an object, so statuses precede ranges and `default`.
    const sorted = Object.values(Object.fromEntries(responseMembers));
    return createObject([
      createMember("parameters", this.translateParameters(operation)),
      ...(body ? [this.createBody(body)] : []),
      createMember("responses", sorted.length === 0 ? NEVER : createObject(sorted)),
      ...(callbacks.length > 0 ? [createMember("callbacks", this.translateCallbacks(callbacks))] : []),
    ]);
  }

  private createBody(body: RequestBody): Member {
    const reference = this.objects.findRequestBodyComponent(body);
    const name = "requestBody";
    const member = reference ? createMember(name, reference) : this.createRequestBody(name, body);
    return { ...member, isOptional: !body.required };
  }

  private translateCallbacks(callbacks: readonly Callback[]): Type {
    const members = callbacks.map(({ name, expressions }) => {
      const urls = expressions.map(({ expression, operations }) =>
        this.createPathItem(
          expression,
          operations.map((operation) => ({ operation, id: undefined })),
        ),
      );
      return createMember(name, createObject(urls));
    });
    return createObject(members);
  }

  /** Translates parameters to groups by location, whose types have declarations of their own if they have a name. */
  private translateParameters(operation: BaseOperation): Type {
    const names = this.parameterNames.get(operation);
    const types: NamedType[] = [];
    this.parameterTypes.set(operation, types);
    const groups = translateParameters(operation.parameters.map((each) => this.objects.toParameter(each)));
    return replaceMemberTypes(groups, (location, group) => {
      const name = names?.[location];
      if (name === undefined) return group;
      types.push({ name, type: group });
      return createTypeName(name);
    });
  }

  /** Replaces the headers in the type of a response by the name of a separate declaration. */
  private nameHeaders(type: Type, { headers }: ResponseContent): Type {
    const name = this.headerNames.get(headers);
    if (name === undefined) return type;
    return replaceMemberTypes(type, (key, headersType) => {
      if (key !== "headers" || headersType.kind !== "object") return headersType;
      this.headerTypes.set(name, createObject(headersType.members));
      return createTypeName(`${name} & { [name: string]: unknown }`);
    });
  }
}

function createMember(name: string, type: Type, annotated: AnnotatedObject = {}): Member {
  return { name, type, isOptional: false, docs: createObjectDocLines(pickAnnotations(annotated)) };
}

/** Replaces the types of the members of an object type. Returns any other type unchanged. */
function replaceMemberTypes(type: Type, replace: (name: string, type: Type) => Type): Type {
  if (type.kind !== "object") return type;
  const members = type.members.map((member) => ({ ...member, type: replace(member.name, member.type) }));
  return { ...type, members };
}
