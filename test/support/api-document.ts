import { readFileSync } from "node:fs";
import path from "node:path";

/** The top folder of the project. */
export const PROJECT = path.resolve(import.meta.dirname, "../..");

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** A value in the document, and its JSON pointer after all references were resolved. */
export interface Node {
  readonly pointer: string;
  readonly value: unknown;
}

/** A header that a response declares. */
export interface ApiHeader {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Node;
  readonly examples: readonly Node[];
}

/** The content that an operation declares for a media type. */
export interface ApiContent {
  readonly mediaType: string;
  readonly schema: Node;
  readonly examples: readonly Node[];
}

/** A response of an operation, by its status, range (`4XX`) or `default`. */
export interface ApiResponse {
  readonly status: string;
  readonly headers: readonly ApiHeader[];
  readonly content: readonly ApiContent[];
}

/** A parameter of an operation. */
export interface ApiParameter {
  readonly name: string;
  readonly schema: Node;
  readonly examples: readonly Node[];
}

/** One operation of the document. */
export interface ApiOperation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** The path template, e.g. `/v1/pages/{page_id}`. */
  readonly path: string;
  readonly parameters: readonly ApiParameter[];
  readonly body: readonly ApiContent[] | undefined;
  readonly responses: readonly ApiResponse[];
}

/** An OpenAPI document, read without code of the toolkit that is under test. */
export class ApiDocument {
  readonly root: unknown;

  constructor(root: unknown) {
    this.root = root;
  }

  /** Reads the committed bundled document. */
  static committed(): ApiDocument {
    const text = readFileSync(path.join(PROJECT, "generated/openapi.json"), "utf8");
    return new ApiDocument(JSON.parse(text));
  }

  /** Lists the operations in the order of the document. */
  operations(): ApiOperation[] {
    const paths = this.#child({ pointer: "", value: this.root }, "paths");
    return this.#children(paths).flatMap(([template, item]) =>
      this.#children(item)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => this.#operation(template, method, item, operation)),
    );
  }

  #operation(template: string, method: string, item: Node, operation: Node): ApiOperation {
    const parameters = [item, operation].flatMap((node) => this.#children(this.#child(node, "parameters")));
    const body = this.#child(operation, "requestBody");
    return {
      id: String(this.#child(operation, "operationId").value),
      method: method.toUpperCase(),
      path: template,
      parameters: parameters.map(([, parameter]) => ({
        name: String(this.#child(parameter, "name").value),
        schema: this.#child(parameter, "schema"),
        examples: this.#examples(parameter),
      })),
      body: body.value === undefined ? undefined : this.#content(body),
      responses: this.#children(this.#child(operation, "responses")).map(([status, response]) => ({
        status,
        headers: this.#headers(response),
        content: this.#content(response),
      })),
    };
  }

  #headers(response: Node): ApiHeader[] {
    return this.#children(this.#child(response, "headers")).map(([name, header]) => ({
      name,
      required: this.#child(header, "required").value === true,
      schema: this.#child(header, "schema"),
      examples: this.#examples(header),
    }));
  }

  #content(node: Node): ApiContent[] {
    return this.#children(this.#child(node, "content")).map(([mediaType, content]) => ({
      mediaType,
      schema: this.#child(content, "schema"),
      examples: this.#examples(content),
    }));
  }

  /** Reads `example`, or the values of `examples`. */
  #examples(node: Node): Node[] {
    const one = this.#child(node, "example");
    const named = this.#children(this.#child(node, "examples"));
    return [
      ...(one.value === undefined ? [] : [one]),
      ...named.map(([, example]) => this.#child(example, "value")),
    ];
  }

  #children(node: Node): [string, Node][] {
    if (typeof node.value !== "object" || node.value === null) return [];
    return Object.keys(node.value).map((key) => [key, this.#child(node, key)]);
  }

  #child(node: Node, key: string): Node {
    const value = readMember(node.value, key);
    const pointer = `${node.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const target = readMember(value, "$ref");
    return typeof target === "string" ? this.#at(target) : { pointer, value };
  }

  #at(reference: string): Node {
    if (!reference.startsWith("#/")) throw new Error(`The bundled document refers to ${reference}.`);
    return reference
      .slice(2)
      .split("/")
      .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<Node>((node, step) => this.#child(node, step), { pointer: "", value: this.root });
  }
}

function readMember(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}
