import type { JsonValue } from "../../../scripts/json.js";
import { Compiler, type CompileProblem } from "../../../scripts/emit/validators/compiler/compiler.js";
import { SchemaGraph } from "../../../scripts/model/schema/graph.js";
import type { Dialect, Source } from "../../../scripts/model/schema/resource.js";
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

  constructor(readonly problems: readonly CompileProblem[]) {
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
  const compiler = new Compiler({
    names: new Map([[`${URI}#${pointer}`, "Value"]]),
    formats,
  });
  const schema = new SchemaGraph([{ uri: URI, document, dialect }, ...others]).findByPointer(URI, pointer);
  const name = schema && compiler.addCheck(schema);
  if (compiler.problems.length > 0) throw new Refused(compiler.problems);
  return { code: compiler.printCode(), name };
}

/**
 * Compiles a schema and returns its validator.
 * @throws Refused
 */
export function compileValidator(document: JsonValue, settings: Settings = {}): Validator {
  const { code, name } = compileCode(document, settings);
  if (name === undefined) return () => true;
  const make: unknown = new Function(`"use strict";\n${code}\nreturn validator(${name});`);
  // The cast: the code above returns a validator.
  return (make as () => Validator)();
}
