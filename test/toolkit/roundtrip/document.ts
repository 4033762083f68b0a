import { type Json, type JsonObject, type Schema, deref, isObject, own } from "./json.js";

/** An operation of the document. It is read here without the toolkit's model, so that the tests find losses of the model. */
export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body: { required: boolean; contents: Content[] } | undefined;
  responses: DeclaredResponse[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required: boolean;
  style: string;
  explode: boolean;
  /** Whether it has `content` instead of a schema. */
  json: boolean;
  schema: Schema;
}

export interface Content {
  mediaType: string;
  /** Schema of the body, or of the items of a stream. */
  schema: Schema | undefined;
  /** `type` of the schema that a reference leads to. */
  type: Json | undefined;
}

export interface DeclaredResponse {
  /** `200`, `4XX` or `default`. */
  key: string;
  contents: Content[];
  headers: Parameter[];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** Names of parameters that OpenAPI ignores. */
const IGNORED = ["accept", "content-type", "authorization"];

/** Lists the operations of a document. */
export function listOperations(document: JsonObject): Operation[] {
  return members(document.paths).flatMap(([path, reference]) => {
    if (!path.startsWith("/")) return [];
    const item = deref(document, reference);
    return METHODS.flatMap((method) => {
      const operation = own(item, method);
      return isObject(operation) ? [readOperation(document, method, path, item, operation)] : [];
    });
  });
}

function readOperation(
  document: JsonObject,
  method: string,
  path: string,
  item: Json | undefined,
  operation: JsonObject,
): Operation {
  const parameters = new Map<string, Parameter>();
  for (const owner of [item, operation]) {
    const list = own(owner, "parameters");
    for (const reference of Array.isArray(list) ? list : []) {
      const parameter = readParameter(document, deref(document, reference));
      if (parameter) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  const body = deref(document, operation.requestBody);
  return {
    method,
    path,
    // The toolkit ignores a path parameter that is not in the path.
    parameters: [...parameters.values()].filter(
      ({ in: place, name }) => place !== "path" || path.includes(`{${name}}`),
    ),
    body: isObject(body)
      ? { required: body.required === true, contents: readContents(document, body) }
      : undefined,
    responses: members(operation.responses)
      .filter(([key]) => !key.startsWith("x-"))
      .map(([key, reference]) => {
        const response = deref(document, reference);
        return { key, contents: readContents(document, response), headers: readHeaders(document, response) };
      }),
  };
}

function readParameter(document: JsonObject, parameter: Json | undefined): Parameter | undefined {
  const name = own(parameter, "name");
  const place = own(parameter, "in");
  if (typeof name !== "string") return undefined;
  if (place !== "path" && place !== "query" && place !== "header" && place !== "cookie") return undefined;
  if (place === "header" && IGNORED.includes(name.toLowerCase())) return undefined;
  const [content] = readContents(document, parameter);
  const style = own(parameter, "style");
  const explode = own(parameter, "explode");
  const actual =
    typeof style === "string" ? style : place === "query" || place === "cookie" ? "form" : "simple";
  return {
    name,
    in: place,
    required: place === "path" || own(parameter, "required") === true,
    style: actual,
    explode:
      typeof explode === "boolean"
        ? explode
        : actual === "form" || actual === "deepObject" || actual === "cookie",
    json: content !== undefined,
    schema: content?.schema ?? own(parameter, "schema") ?? true,
  };
}

function readContents(document: JsonObject, owner: Json | undefined): Content[] {
  return members(own(owner, "content")).map(([mediaType, reference]) => {
    const content = deref(document, reference);
    const schema = own(content, "itemSchema") ?? own(content, "schema");
    return { mediaType, schema, type: own(deref(document, schema), "type") };
  });
}

function readHeaders(document: JsonObject, response: Json | undefined): Parameter[] {
  return members(own(response, "headers")).flatMap(([name, reference]) => {
    const header = deref(document, reference);
    if (!isObject(header)) return [];
    return readParameter(document, { ...header, name, in: "header", style: "simple" }) ?? [];
  });
}

function members(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}
