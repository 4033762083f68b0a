import type {
  Api,
  MediaType,
  Parameter,
  RequestBody,
  ResponseContent,
  ResponseHeader,
} from "../../model/model.js";
import { printStringLiteral } from "../../code/encode.js";
import type { JsonObject } from "../../json.js";
import type { Schema } from "../../model/schema/schema.js";
import { createPlaceholderSchema } from "./openapi-typescript.js";
import { createTypeName, printType, type Type } from "./type.js";

/** An object of the document with text for a doc comment. */
export interface AnnotatedObject {
  summary?: string;
  description?: string;
  deprecated?: boolean;
  examples?: Parameter["examples"];
}

/**
 * Converts parts of the model to OpenAPI objects for openapi-typescript, which translates only their structure. Each schema is
 * a placeholder for a type that is already translated.
 */
export class OpenApiObjects {
  constructor(
    private readonly components: Api["components"],
    private readonly translateSchema: (schema: Schema) => Type,
  ) {}

  /** Converts a parameter. Refers to its component if the type takes several lines. */
  toParameter(parameter: Parameter): JsonObject {
    const { name, in: location, required, schema, component } = parameter;
    const shared = this.components.parameters.get(component ?? "");
    const reference = shared === parameter ? createComponentType("parameters", component) : undefined;
    return {
      ...pickAnnotations(parameter),
      name,
      in: location,
      required,
      ...this.toSchemaMember(schema, reference),
    };
  }

  /** Converts a request body, with its doc comment. */
  toRequestBody(body: RequestBody): JsonObject {
    const { required, mediaTypes } = body;
    return { ...pickAnnotations(body), required, content: this.toMediaTypes(mediaTypes) };
  }

  /** Converts a response, with its headers and doc comment. */
  toResponse(response: ResponseContent): JsonObject {
    const headers = response.headers.map((header) => [header.name, this.toHeader(header)]);
    return {
      ...pickAnnotations(response),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      content: this.toMediaTypes(response.mediaTypes),
    };
  }

  /** Returns the type of the component of a request body; undefined for an inline one. */
  findRequestBodyComponent(body: RequestBody): Type | undefined {
    const { component } = body;
    const shared = this.components.requestBodies.get(component ?? "");
    return shared === body ? createComponentType("requestBodies", component) : undefined;
  }

  /** Returns the type of the component of a response; undefined for an inline one. */
  findResponseComponent({ component, mediaTypes, headers }: ResponseContent): Type | undefined {
    const shared = this.components.responses.get(component ?? "");
    // Compared by members, because the response of an operation is another object, which also has statuses.
    const isSame = shared?.mediaTypes === mediaTypes && shared.headers === headers;
    return isSame ? createComponentType("responses", component) : undefined;
  }

  private toHeader(header: ResponseHeader): JsonObject {
    const { component, required, schema } = header;
    const shared = this.components.headers.get(component ?? "");
    const reference =
      schema && shared?.schema === schema ? createComponentType("headers", component) : undefined;
    return { ...pickAnnotations(header), required, ...this.toSchemaMember(schema, reference) };
  }

  private toMediaTypes(mediaTypes: readonly MediaType[]): JsonObject {
    return Object.fromEntries(
      // A stream has the type of its items.
      mediaTypes.map(({ name, schema, item }) => [name, this.toSchemaMember(schema ?? item?.schema)]),
    );
  }

  /**
   * Creates the member `schema`: a placeholder for the type, or for the reference if the type takes several lines, so that
   * editors show short types.
   */
  private toSchemaMember(schema: Schema | undefined, reference?: Type): JsonObject {
    const type = schema && this.translateSchema(schema);
    if (!type) return {};
    const isLong = reference !== undefined && printType(type).includes("\n");
    return { schema: createPlaceholderSchema(isLong ? reference : type) };
  }
}

/** Creates the type of a component. A part that equals one of `components` always has a name. */
function createComponentType(section: string, name = ""): Type {
  return createTypeName(`components["${section}"][${printStringLiteral(name)}]`);
}

/** Picks the annotations that openapi-typescript prints as the doc comment of an object. */
export function pickAnnotations({
  summary = "",
  description = "",
  deprecated,
  examples = [],
}: AnnotatedObject): JsonObject {
  const text = (summary || description).trim();
  const [example] = examples;
  return {
    ...(text === "" ? {} : { summary: text }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(example === undefined ? {} : { example: example.value }),
  };
}
