import type { Problem } from "../../../scripts/diagnostic.js";
import type { JsonValue } from "../../../scripts/json.js";
import { Compiler } from "../../../scripts/emit/validators/compiler/compiler.js";
import type { CompileOptions } from "../../../scripts/emit/validators/compiler/context.js";
import { SchemaGraph } from "../../../scripts/model/schema/graph.js";
import type { Dialect, Source } from "../../../scripts/model/schema/resource.js";
import type { Schema } from "../../../scripts/model/schema/schema.js";
import type { Validator } from "../../../src/http/index.js";

/** Base URI of the schemas of tests. */
const URI = "https://example.test/schema.json";

export interface Settings {
  dialect?: Dialect;
  formats?: ReadonlyMap<string, RegExp>;
  /** Other documents that references can target. */
  others?: readonly Source[];
  /** JSON pointer of the schema in the document. */
  pointer?: string;
}

/** The error for a schema that cannot be compiled. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ pointer, message }) => `#${pointer}: ${message}`).join("\n"));
  }
}

/**
 * Compiles a schema and returns the code and the name of its function; without a function every value is valid.
 * @throws Refused
 */
export function compileCode(
  document: JsonValue,
  settings: Settings = {},
): { code: string; name: string | undefined } {
  const {
    dialect = "json-schema",
    formats = new Map<string, RegExp>(),
    others = [],
    pointer = "",
  } = settings;
  const schema = new SchemaGraph([{ uri: URI, document, dialect }, ...others]).findByPointer(URI, pointer);
  return printCode(schema, { names: new Map([[`${URI}#${pointer}`, "Value"]]), formats });
}

function printCode(
  schema: Schema | undefined,
  options: CompileOptions,
): { code: string; name: string | undefined } {
  const compiler = new Compiler(options);
  const name = schema && compiler.addCheck(schema);
  const errors = compiler.problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Refused(errors);
  return { code: compiler.printCode(), name };
}

/**
 * Compiles a schema and returns its validator.
 * @throws Refused
 */
export function compileValidator(document: JsonValue, settings: Settings = {}): Validator {
  return createValidator(compileCode(document, settings));
}

/**
 * Compiles a schema of a model and returns its validator.
 * @throws Refused
 */
export function compileSchema(schema: Schema | undefined): Validator {
  return createValidator(printCode(schema, { names: new Map(), formats: new Map() }));
}

function createValidator({ code, name }: ReturnType<typeof printCode>): Validator {
  if (name === undefined) return () => true;
  const make: unknown = new Function(`"use strict";\n${code}\nreturn validator(${name});`);
  // The cast: the code above returns a validator.
  return (make as () => Validator)();
}
