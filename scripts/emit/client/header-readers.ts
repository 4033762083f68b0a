import { compareText } from "../../diagnostic.js";
import type { Response, ResponseHeader, ScalarType } from "../../model/model.js";
import { camelCase } from "../../model/names.js";
import { type ObjectProperty, printObjectLiteral, type ImportFromRuntime } from "./object-literal.js";

/** Maximum length of the name of a constant, without the suffix that makes it unique. */
const MAX_NAME_LENGTH = 60;

/**
 * Constants of operations.ts with the readers of declared response headers. Responses that declare the same headers share
 * a constant. Its name consists of the names of the headers, so that it changes only when they change.
 */
export class HeaderReaders {
  /** Names of the constants by their value. */
  readonly #names = new Map<string, string>();
  readonly #usedNames = new Set<string>();

  /** @param usedNames the other names in operations.ts */
  constructor(usedNames: Iterable<string>) {
    for (const name of usedNames) this.#usedNames.add(name);
  }

  /** Returns the name of the constant for the headers of a response; undefined when it declares none. */
  declareReaders({ headers }: Response, importFromRuntime: ImportFromRuntime): string | undefined {
    if (headers.length === 0) return undefined;
    const sorted = [...headers].sort((one, other) => compareText(one.name, other.name));
    const text = printObjectLiteral(
      sorted.map((header): ObjectProperty => [header.name, printReader(header, importFromRuntime)]),
    );
    const existing = this.#names.get(text);
    if (existing !== undefined) return existing;
    const name = this.#reserveName(sorted);
    this.#names.set(text, name);
    return name;
  }

  /** Declarations of the constants, in the order of their names. */
  declarations(): string[] {
    const sorted = [...this.#names].sort(([, one], [, other]) => compareText(one, other));
    // Without `as const`, a header named `constructor` would get the type of `Object.prototype.constructor`.
    return sorted.map(([text, name]) => `const ${name} = ${text} as const;`);
  }

  /** Returns an unused name, e.g. `etagRateLimitHeaders` for ETag, X-Rate and X-Limit. */
  #reserveName(headers: ResponseHeader[]): string {
    const words = headers
      .flatMap(({ name }) => name.split(/[^A-Za-z0-9]+/))
      .filter((word) => !/^x?$/i.test(word));
    const base = camelCase([...new Set(words.map((word) => word.toLowerCase()))].join(" ")).slice(
      0,
      MAX_NAME_LENGTH,
    );
    let name = `${base}Headers`;
    for (let serial = 2; this.#usedNames.has(name); serial += 1) name = `${base}Headers${serial}`;
    this.#usedNames.add(name);
    return name;
  }
}

function printReader(
  { name, type, itemType, properties, explode }: ResponseHeader,
  importFromRuntime: ImportFromRuntime,
): string {
  if (type === "string") return "String";
  if (/^set-cookie$/i.test(name)) return importFromRuntime("asCookies");
  if (type === "json") return importFromRuntime("asJson");
  if (type === "array")
    return `${importFromRuntime("asList")}(${printScalarReader(itemType, importFromRuntime)})`;
  if (type !== "object") return printScalarReader(type, importFromRuntime);
  const typedProperties = Object.entries(properties).filter(([, each]) => each !== "string");
  const readers = typedProperties.map(([key, each]): ObjectProperty => [
    key,
    printScalarReader(each, importFromRuntime),
  ]);
  return `${importFromRuntime("asObject")}(${explode}, ${printObjectLiteral(readers)})`;
}

function printScalarReader(type: ScalarType, importFromRuntime: ImportFromRuntime): string {
  if (type === "boolean") return importFromRuntime("asBoolean");
  if (type === "numberOrBoolean") return importFromRuntime("asNumberOrBoolean");
  return type === "string" ? "String" : "Number";
}
