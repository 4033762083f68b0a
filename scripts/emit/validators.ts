import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import type { Api, Emission, JsonObject, JsonValue, Operation, Parameter, Problem } from "../model/model.js";
import { isObject } from "../model/node.js";
import { BANNER, jsonExpression, propertyKey, visible } from "./encode.js";
import { FORMATS } from "./formats.js";
import { JSON_EQUAL } from "./json-equal.js";
import { toDraft2020 } from "./draft-2020.js";
import { findUnsupported } from "./unsupported.js";

const DOCUMENT = "openapi.json";
const PLACES: readonly [member: string, place: Parameter["in"]][] = [
  ["path", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
];

/**
 * validators.js and validators.d.ts: the request validators of every operation, compiled ahead of time by Ajv.
 * A schema that cannot be compiled is a problem.
 */
export function emitValidators(api: Api): Emission {
  const ajv = new Ajv2020({
    allErrors: false,
    strict: false,
    validateSchema: false,
    logger: false,
    // Without it a required property named toString would be found on every object.
    ownProperties: true,
    // JSON.parse reads 1e400 as Infinity, which JSON cannot write.
    strictNumbers: true,
    formats: FORMATS,
    code: { source: true, esm: true },
  });
  ajv.addSchema(toDraft2020(api.directed), DOCUMENT);
  const compiler = new Compiler(ajv);
  compiler.problems.push(...findUnsupported(api.document));
  const tables = api.groups
    .flatMap((group) => group.operations)
    .map((operation) => `${propertyKey(operation.name)}: ${compiler.operation(operation)}`);
  if (compiler.problems.length > 0) return { files: [], problems: compiler.problems };
  const code =
    compiler.exports.size === 0 ? "" : standalone.default(ajv, Object.fromEntries(compiler.exports));
  const content = [
    BANNER,
    visible(importRuntime(code)),
    "/** Request validators by operation; each is undefined where there is nothing to check. */",
    `export const validators = { ${tables.join(",\n")} };`,
    "/** What a value that misses a pattern should have been, where the document says it with x-expected. */",
    `export const expectations = ${jsonExpression(expectedByPattern(api.document))};`,
  ].join("\n");
  const files = [
    { path: "validators.js", content },
    { path: "validators.d.ts", content: declarations(api) },
  ];
  return { files, problems: [] };
}

/** Compiles each schema once, whatever number of operations uses it, under a short export name. */
class Compiler {
  readonly exports = new Map<string, string>();
  readonly problems: Problem[] = [];
  private readonly names = new Map<string, string>();

  constructor(private readonly ajv: Ajv2020) {}

  operation(operation: Operation): string {
    const members: string[] = [];
    for (const [member, place] of PLACES) {
      const parameters = operation.parameters.filter((parameter) => parameter.in === place);
      if (parameters.length === 0) continue;
      const schema: JsonObject = {
        type: "object",
        properties: Object.fromEntries(
          parameters.map(({ name, schemaPointer }) => [name, schemaPointer ? reference(schemaPointer) : {}]),
        ),
        required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
      };
      members.push(`${member}: ${this.compile(schema, parameters[0]?.schemaPointer ?? "")}`);
    }
    const bodies = (operation.body?.mediaTypes ?? []).flatMap(({ name, kind, schemaPointer }) =>
      kind === "json" && schemaPointer
        ? [`${propertyKey(name)}: ${this.compile(reference(schemaPointer), schemaPointer)}`]
        : [],
    );
    if (bodies.length > 0) members.push(`body: { ${bodies.join(", ")} }`);
    return `{ ${members.join(", ")} }`;
  }

  /** Name of the exported function that checks `schema`; `pointer` is where a problem with it is reported. */
  private compile(schema: JsonObject, pointer: string): string {
    const key = JSON.stringify(schema);
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = `check${this.names.size + 1}`;
    this.names.set(key, name);
    try {
      this.ajv.addSchema(schema, name);
      this.ajv.getSchema(name);
      this.exports.set(name, name);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problems.push({
        severity: "error",
        pointer,
        message: `the schema cannot be compiled to a validator: ${reason}`,
      });
    }
    return name;
  }
}

function reference(pointer: string): JsonObject {
  return { $ref: `${DOCUMENT}#${encodeURI(pointer)}` };
}

/**
 * Ajv writes `require` for its helpers even into ES modules; as imports they work everywhere. Comparing is done by a
 * function of our own.
 */
function importRuntime(code: string): string {
  const imports = new Map<string, string>();
  const body = code.replace(/require\("(ajv\/dist\/runtime\/[a-z0-9]+)"\)\.default/g, (_, path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name === "equal") {
      imports.set(name, JSON_EQUAL);
      return "jsonEqual";
    }
    imports.set(name, `import ${name} from "${path}.js";`);
    // Node gives the module's exports, bundlers and test runners its default export.
    return `(${name}.default ?? ${name})`;
  });
  return [...imports.values(), body.replace(/^"use strict";/, "")].join("\n");
}

function expectedByPattern(value: JsonValue, found: Record<string, string> = {}): Record<string, string> {
  if (Array.isArray(value)) for (const item of value) expectedByPattern(item, found);
  if (!isObject(value)) return found;
  const expected = value["x-expected"];
  if (typeof expected === "string" && typeof value.pattern === "string") found[value.pattern] = expected;
  for (const member of Object.values(value)) expectedByPattern(member, found);
  return found;
}

function declarations(api: Api): string {
  const names = api.groups
    .flatMap((group) => group.operations)
    .map((operation) => propertyKey(operation.name));
  return `${BANNER}

/** Checks a value; after false, \`errors\` says why. Compiled by Ajv. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ValidationError[] | null;
}

/** One reason why a value was refused, as Ajv describes it. */
export interface ValidationError {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  schemaPath: string;
  message?: string;
}

/** What is checked of a request: parameters by place, the body by media type. */
export interface RequestValidators {
  path?: Validator;
  query?: Validator;
  headers?: Validator;
  cookies?: Validator;
  body?: Record<string, Validator>;
}

export const validators: Record<${names.length === 0 ? "never" : names.map((name) => (name.startsWith('"') ? name : `"${name}"`)).join(" | ")}, RequestValidators>;
export const expectations: Record<string, string>;
`;
}
