import type {
  Api,
  MediaType,
  Parameter,
  RequestBody,
  ResponseContent,
  ResponseHeader,
} from "../../model/model.js";
import type { JsonObject } from "../../model/json.js";
import type { Schema } from "../../model/schema/schema.js";
import { createPlaceholderSchema } from "./openapi-typescript.js";

/** Matches component names to which openapi-typescript can print a reference. */
const REFERABLE_NAME = /^[A-Za-z0-9_.-]+$/;

/** Converts parts of the model to the OpenAPI objects that openapi-typescript translates. */
export class OpenApiObjects {
  readonly #components: Api["components"];
  readonly #printSchema: (schema: Schema) => string;

  /** @param printSchema returns the type of a schema */
  constructor(components: Api["components"], printSchema: (schema: Schema) => string) {
    this.#components = components;
    this.#printSchema = printSchema;
  }

  /** Returns an inline parameter, so that editors show its type, or a reference if the type has several lines. */
  toParameterOrReference(parameter: Parameter): JsonObject {
    const { component, schema } = parameter;
    const isLong = schema !== undefined && this.#printSchema(schema).includes("\n");
    return isLong && isComponent(component, parameter, this.#components.parameters)
      ? { $ref: `#/components/parameters/${component}` }
      : this.toParameter(parameter);
  }

  /** Returns an inline parameter. */
  toParameter(parameter: Parameter): JsonObject {
    const { name, in: location, required, schema } = parameter;
    return { ...pickAnnotations(parameter), name, in: location, required, ...this.#toContent(schema) };
  }

  /** Returns a reference for a component, otherwise an inline request body. */
  toRequestBodyOrReference(body: RequestBody): JsonObject {
    return isComponent(body.component, body, this.#components.requestBodies)
      ? { $ref: `#/components/requestBodies/${body.component}` }
      : this.toRequestBody(body);
  }

  /** Returns an inline request body. */
  toRequestBody(body: RequestBody): JsonObject {
    const { required, mediaTypes } = body;
    return { ...pickAnnotations(body), required, content: this.#toMediaTypes(mediaTypes) };
  }

  /** Returns a reference for a component, otherwise an inline response. */
  toResponseOrReference(response: ResponseContent): JsonObject {
    const { component, mediaTypes, headers } = response;
    const shared = component === undefined ? undefined : this.#components.responses.get(component);
    // Compared by members, because the response of an operation is another object, which also has statuses.
    const isSame = shared?.mediaTypes === mediaTypes && shared.headers === headers;
    return isSame && component !== undefined && REFERABLE_NAME.test(component)
      ? { $ref: `#/components/responses/${component}` }
      : this.toResponse(response);
  }

  /** Returns an inline response. */
  toResponse(response: ResponseContent): JsonObject {
    const headers = response.headers.map((header) => [header.name, this.#toHeader(header)]);
    return {
      ...pickAnnotations(response),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      content: this.#toMediaTypes(response.mediaTypes),
    };
  }

  #toHeader(header: ResponseHeader): JsonObject {
    const { component, required, schema } = header;
    const annotations = { ...pickAnnotations(header), required };
    if (!schema) return annotations;
    const text = this.#printSchema(schema);
    const shared = component === undefined ? undefined : this.#components.headers.get(component);
    // For a reference, openapi-typescript would not print whether the header is optional.
    const isNamed = component !== undefined && shared?.schema === schema && text.includes("\n");
    const type = isNamed ? `components["headers"][${JSON.stringify(component)}]` : text;
    return { ...annotations, schema: createPlaceholderSchema(type) };
  }

  #toMediaTypes(mediaTypes: readonly MediaType[]): JsonObject {
    return Object.fromEntries(
      mediaTypes.map(({ name, schema, item }) => [name, this.#toContent(schema ?? item?.schema)]),
    );
  }

  #toContent(schema: Schema | undefined): JsonObject {
    return schema ? { schema: createPlaceholderSchema(this.#printSchema(schema)) } : {};
  }
}

/** An object of the document with text for a doc comment. */
export interface Annotated {
  summary?: string;
  description?: string;
  deprecated?: boolean;
  examples?: Parameter["examples"];
}

/** Picks the annotations that openapi-typescript prints as the doc comment of an object. */
export function pickAnnotations({
  summary = "",
  description = "",
  deprecated,
  examples = [],
}: Annotated): JsonObject {
  const text = (summary || description).trim();
  const [example] = examples;
  return {
    ...(text === "" ? {} : { summary: text }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(example === undefined ? {} : { example: example.value }),
  };
}

/** Whether a part is a component that openapi-typescript can print a reference to. */
function isComponent<T>(name: string | undefined, part: T, components: ReadonlyMap<string, T>): boolean {
  return name !== undefined && REFERABLE_NAME.test(name) && components.get(name) === part;
}
