import { type ApiDocument, type ApiHeader, type ApiOperation, type ApiResponse } from "./api-document.js";
import { Schemas } from "./schemas.js";

/** A response as received, with its request. */
export interface SeenResponse {
  readonly method: string;
  /** Address or path of the request. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** A response that the document does not allow; the message names the operation, the status and the locations. */
export class ResponseViolation extends Error {
  override readonly name = "ResponseViolation";
}

/** Checks responses against an OpenAPI document. */
export interface ResponseChecker {
  /** Every operation × status of the document, as `operation status`. */
  readonly declared: readonly string[];
  /**
   * Checks one response.
   *
   * @returns The `operation status` pair of the response; undefined for a path outside of /v1 or without an operation,
   *   and for HEAD, whose response is that of GET without the body.
   * @throws ResponseViolation
   */
  check(response: SeenResponse): string | undefined;
}

/** Creates the checker of a document. */
export function createResponseChecker(document: ApiDocument): ResponseChecker {
  const operations = document.operations();
  const schemas = new Schemas(document);
  const routes = operations.map((operation) => ({ operation, pattern: createPattern(operation.path) }));

  const find = (method: string, path: string): ApiOperation | undefined =>
    routes.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;

  return {
    declared: operations.flatMap(({ id, responses }) => responses.map(({ status }) => `${id} ${status}`)),
    check(seen) {
      const path = new URL(seen.url, "http://localhost").pathname;
      if (path !== "/v1" && !path.startsWith("/v1/")) return undefined;
      const isHead = seen.method === "HEAD";
      const operation = find(isHead ? "GET" : seen.method, path);
      const name = `${operation?.id ?? "no operation"} (${seen.method} ${path}), status ${seen.status}`;
      const fail = (problems: string[]): never => {
        throw new ResponseViolation([`${name}:`, ...problems.map((problem) => `  ${problem}`)].join("\n"));
      };

      const response = operation
        ? findDeclaredResponse(operation, seen.status)
        : findUnknownPathResponse(operations, seen.status);
      if (!response) {
        return fail([
          operation
            ? `the operation declares no status ${seen.status}`
            : "a path or method that is not in the document must get 400 or 429",
        ]);
      }
      const problems = [
        ...checkHeaders(response, seen.headers, schemas),
        ...(isHead ? [] : checkBody(response, seen, schemas)),
      ];
      if (!operation && !isHead && seen.status === 400) problems.push(...checkErrorCode(seen.body));
      if (problems.length > 0) fail(problems);
      return operation && !isHead ? `${operation.id} ${response.status}` : undefined;
    },
  };
}

function createPattern(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\{[^}]*\}/g, "[^/]+")}$`);
}

function findDeclaredResponse(operation: ApiOperation, status: number): ApiResponse | undefined {
  for (const key of [String(status), `${String(status)[0]}XX`, "default"]) {
    const response = operation.responses.find((candidate) => candidate.status === key);
    if (response) return response;
  }
  return undefined;
}

/** Finds the declaration of a response for an unknown path, which the document describes only in prose. */
function findUnknownPathResponse(
  operations: readonly ApiOperation[],
  status: number,
): ApiResponse | undefined {
  if (status !== 400 && status !== 429) return undefined;
  return operations
    .flatMap(({ responses }) => responses)
    .find((response) => response.status === String(status));
}

function checkErrorCode(body: Uint8Array): string[] {
  const value = parseJson(body);
  const code = typeof value === "object" && value !== null && "code" in value ? value.code : undefined;
  return code === "invalid_request_url" ? [] : [`body/code must be invalid_request_url, not ${String(code)}`];
}

function checkHeaders(response: ApiResponse, headers: Headers, schemas: Schemas): string[] {
  return response.headers.flatMap((header) => {
    const text = headers.get(header.name);
    if (text === null) return header.required ? [`header ${header.name} is missing`] : [];
    return schemas
      .problems(header.schema, decodeHeader(header, text))
      .map((problem) => `header ${header.name} (${JSON.stringify(text)}): ${problem}`);
  });
}

/** Decodes a header by the type of its schema. Text of another type stays text, and the schema rejects it. */
function decodeHeader({ name, schema }: ApiHeader, text: string): unknown {
  const type =
    typeof schema.value === "object" && schema.value !== null && "type" in schema.value
      ? schema.value.type
      : undefined;
  switch (type) {
    case "string":
      return text;
    case "integer":
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    default:
      throw new Error(`The header ${name} has a type that decodeHeader does not support. Add it.`);
  }
}

function checkBody(response: ApiResponse, seen: SeenResponse, schemas: Schemas): string[] {
  const sent = seen.headers.get("Content-Type");
  if (response.content.length === 0) {
    return seen.body.length === 0 ? [] : ["the body should be empty"];
  }
  const content = response.content.find(({ mediaType }) => mediaType === removeParameters(sent ?? ""));
  if (!content) return [`content type ${JSON.stringify(sent)} is not declared`];
  const value = parseJson(seen.body);
  if (value === undefined) return ["the body is not JSON"];
  return schemas.problems(content.schema, value).map((problem) => `body ${problem}`);
}

function removeParameters(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
