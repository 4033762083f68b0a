import { stringLiteral } from "../../code/encode.js";
import type {
  Api,
  Exchange,
  JsonValue,
  MediaType,
  Parameter,
  RequestBody,
  ResponseContent,
  ResponseHeader,
} from "../../model/model.js";
import { METHODS } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";
import { linesOf, paragraphLines } from "./docs.js";
import { ANY_NAME, type Member, NEVER, object, print, type Type, UNKNOWN, word } from "./type.js";

/** Names of the types of parameters by group. */
export type GroupNames = Readonly<Partial<Record<Parameter["in"], string>>>;

/** The groups of parameters, in openapi-typescript's order. */
const GROUPS: readonly Parameter["in"][] = ["query", "header", "path", "cookie"];

/** The type of a parameter without a schema. */
const STRING = word("string");

/** Describes operations, messages and components as types in openapi-typescript's layout. */
export class Layout {
  private readonly groupTypes = new Map<Exchange, Map<string, Type>>();

  /**
   * @param typeOf returns the type of a schema
   * @param groupNames names of the exported types of parameters, by operation and group
   */
  constructor(
    private readonly components: Api["components"],
    private readonly typeOf: (schema: Schema) => Type,
    private readonly groupNames: ReadonlyMap<Exchange, GroupNames>,
  ) {}

  /** A member of `operations`. */
  operation(name: string, exchange: Exchange): Member {
    return required(name, this.exchange(exchange));
  }

  /** The types of the groups of parameters of an operation that was described before, by name. */
  parameterTypes(exchange: Exchange): ReadonlyMap<string, Type> {
    return this.groupTypes.get(exchange) ?? new Map();
  }

  /**
   * A member of `paths` or `webhooks`.
   *
   * @param exchanges its operations, and the key of each in `operations`; without one it is described in place
   */
  pathItem(name: string, exchanges: readonly { exchange: Exchange; id: string | undefined }[]): Member {
    return required(name, this.methods(exchanges));
  }

  /** A member of `components.parameters`. */
  parameterComponent(name: string, parameter: Parameter): Member {
    const { schema } = parameter;
    return required(name, schema ? this.typeOf(schema) : STRING, docsOf(parameter));
  }

  /** A member of `components.requestBodies`. */
  requestBodyComponent(name: string, body: RequestBody): Member {
    return required(name, this.requestBody(body), docsOf(body));
  }

  /** A member of `components.responses`. */
  responseComponent(name: string, response: ResponseContent): Member {
    return required(name, this.response(response), docsOf(response));
  }

  /** A member of `components.headers`. */
  headerComponent(name: string, header: ResponseHeader): Member {
    return required(name, this.typeOrUnknown(header.schema), docsOf(header));
  }

  private methods(exchanges: readonly { exchange: Exchange; id: string | undefined }[]): Type {
    const members = METHODS.flatMap((method) =>
      exchanges
        .filter(({ exchange }) => exchange.method === method)
        .map(({ exchange, id }) =>
          id === undefined
            ? required(method, this.exchange(exchange))
            : // The description is at the operation's function and handler, where editors show it.
              required(method, memberType("operations", id), docsOf({ ...exchange, description: "" })),
        ),
    );
    return object(members);
  }

  private exchange(exchange: Exchange): Type {
    const { parameters, body, responses, callbacks } = exchange;
    const members = [required("parameters", this.parameterGroups(parameters, exchange))];
    if (body) members.push(this.bodyMember(body));
    const byStatus = responses.map((response) => this.responseMember(response));
    members.push(required("responses", byStatus.length === 0 ? NEVER : object(byStatus)));
    if (callbacks.length > 0) {
      const byName = callbacks.map(({ name, expressions }) => {
        const byExpression = expressions.map(({ expression, exchanges }) =>
          required(expression, this.methods(exchanges.map((each) => ({ exchange: each, id: undefined })))),
        );
        return required(name, object(byExpression));
      });
      members.push(required("callbacks", object(byName)));
    }
    return object(members);
  }

  private parameterGroups(parameters: readonly Parameter[], exchange: Exchange): Type {
    const names = this.groupNames.get(exchange);
    const groups = GROUPS.flatMap((group): Member[] => {
      const members = parameters
        .filter((parameter) => parameter.in === group)
        .map((parameter) => this.parameterMember(parameter));
      if (members.length === 0) return [];
      const isOptional = members.every((member) => member.isOptional);
      const name = names?.[group];
      if (name === undefined) return [{ name: group, type: object(members), isOptional, docs: [] }];
      const types = this.groupTypes.get(exchange) ?? new Map<string, Type>();
      this.groupTypes.set(exchange, types.set(name, object(members)));
      return [{ name: group, type: word(name), isOptional, docs: [] }];
    });
    return object(groups);
  }

  /** A parameter in place, so that editors show its type; a type of several lines is shared. */
  private parameterMember(parameter: Parameter): Member {
    const { name, component, schema } = parameter;
    const type = schema ? this.typeOf(schema) : STRING;
    const isShared =
      component !== undefined &&
      this.components.parameters.get(component) === parameter &&
      hasSeveralLines(type);
    return {
      name,
      type: isShared ? memberType("components", "parameters", component) : type,
      isOptional: parameter.in !== "path" && !parameter.required,
      docs: docsOf(parameter),
    };
  }

  private bodyMember(body: RequestBody): Member {
    const { component } = body;
    const isOptional = !body.required;
    return component !== undefined && this.components.requestBodies.get(component) === body
      ? {
          name: "requestBody",
          type: memberType("components", "requestBodies", component),
          isOptional,
          docs: [],
        }
      : { name: "requestBody", type: this.requestBody(body), isOptional, docs: docsOf(body) };
  }

  private requestBody({ mediaTypes }: RequestBody): Type {
    const content =
      mediaTypes.length === 0
        ? [{ name: "*/*", type: NEVER, isOptional: true, docs: [] }]
        : this.content(mediaTypes);
    return object([required("content", object(content))]);
  }

  private responseMember(response: ResponseContent & { key: string }): Member {
    const { key, component } = response;
    const shared = component === undefined ? undefined : this.components.responses.get(component);
    const isSame = shared?.mediaTypes === response.mediaTypes && shared.headers === response.headers;
    return isSame && component !== undefined
      ? required(key, memberType("components", "responses", component))
      : required(key, this.response(response), docsOf(response));
  }

  private response({ headers, mediaTypes }: ResponseContent): Type {
    const headerTypes: Type = {
      kind: "object",
      members: headers.map((header) => this.headerMember(header)),
      signatures: [{ parameter: "name", names: ANY_NAME, type: UNKNOWN }],
    };
    const content = this.content(mediaTypes);
    return object([
      required("headers", headerTypes),
      content.length > 0
        ? required("content", object(content))
        : // By this member openapi-fetch knows that there is no body.
          { name: "content", type: NEVER, isOptional: true, docs: [] },
    ]);
  }

  private headerMember(header: ResponseHeader): Member {
    const { name, component, schema } = header;
    const type = this.typeOrUnknown(schema);
    const shared = component === undefined ? undefined : this.components.headers.get(component);
    const isShared = component !== undefined && shared?.schema === schema && hasSeveralLines(type);
    return {
      name,
      type: isShared ? memberType("components", "headers", component) : type,
      isOptional: !header.required,
      docs: docsOf(header),
    };
  }

  private content(mediaTypes: readonly MediaType[]): Member[] {
    return mediaTypes.map(({ name, schema, item }) =>
      required(name, this.typeOrUnknown(schema ?? item?.schema)),
    );
  }

  private typeOrUnknown(schema: Schema | undefined): Type {
    return schema ? this.typeOf(schema) : UNKNOWN;
  }
}

function required(name: string, type: Type, docs: readonly string[] = []): Member {
  return { name, type, isOptional: false, docs };
}

/** A member of a type of types.ts, e.g. `components["headers"]["Etag"]`. */
function memberType(type: string, ...keys: string[]): Type {
  return word(type + keys.map((key) => `[${stringLiteral(key)}]`).join(""));
}

function hasSeveralLines(type: Type): boolean {
  return print(type).includes("\n");
}

/** The annotations of a part as the lines of a doc comment, as openapi-typescript orders them. */
function docsOf(part: {
  summary?: string;
  description: string;
  deprecated?: boolean;
  examples?: Parameter["examples"];
}): string[] {
  const { summary = "", description, deprecated, examples: [example] = [] } = part;
  return [
    ...paragraphLines([summary, description]),
    ...(deprecated === true ? ["@deprecated"] : []),
    ...(example === undefined ? [] : linesOf(`@example ${exampleText(example.value)}`)),
  ];
}

function exampleText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
