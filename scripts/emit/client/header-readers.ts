import { compareText } from "../../diagnostic.js";
import type { Response, ResponseHeader, ScalarType } from "../../model/model.js";
import { camelCase } from "../../model/names.js";
import { type Entry, table, type Use } from "./tables.js";

/** Longest name of a constant, before it is made unique. */
const MAX_NAME_LENGTH = 60;

/**
 * The readers of declared response headers. Many responses declare the same headers, so each set is a constant. Its name
 * is made from the headers, so that only a change to them changes it.
 */
export class HeaderReaders {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** Names that the file uses for something else. */
  constructor(taken: Iterable<string>) {
    for (const name of taken) this.#taken.add(name);
  }

  /** The constant with the readers of a response's headers; undefined when it declares none. */
  nameFor({ headers }: Response, use: Use): string | undefined {
    if (headers.length === 0) return undefined;
    const sorted = [...headers].sort((one, other) => compareText(one.name, other.name));
    const text = table(sorted.map((header): Entry => [header.name, headerReader(header, use)]));
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = this.#freeName(sorted);
    this.#names.set(text, name);
    return name;
  }

  /** Declarations of the constants, in the order of their names. */
  declarations(): string[] {
    const sorted = [...this.#names].sort(([, one], [, other]) => compareText(one, other));
    // `as const`, because a header named `constructor` would get the type of Object's member of that name.
    return sorted.map(([text, name]) => `const ${name} = ${text} as const;`);
  }

  /** `etagRateLimitHeaders` for ETag, X-Rate and X-Limit. */
  #freeName(headers: ResponseHeader[]): string {
    const words = headers
      .flatMap(({ name }) => name.split(/[^A-Za-z0-9]+/))
      .filter((word) => !/^x?$/i.test(word));
    const base = camelCase([...new Set(words.map((word) => word.toLowerCase()))].join(" ")).slice(
      0,
      MAX_NAME_LENGTH,
    );
    let name = `${base}Headers`;
    for (let serial = 2; this.#taken.has(name); serial += 1) name = `${base}Headers${serial}`;
    this.#taken.add(name);
    return name;
  }
}

function headerReader({ name, type, itemType, properties, explode }: ResponseHeader, use: Use): string {
  if (type === "string") return "String";
  if (/^set-cookie$/i.test(name)) return use("asCookies");
  if (type === "json") return use("asJson");
  if (type === "array") return `${use("asList")}(${scalarReader(itemType, use)})`;
  if (type !== "object") return scalarReader(type, use);
  const typed = Object.entries(properties).filter(([, each]) => each !== "string");
  const readers = typed.map(([key, each]): Entry => [key, scalarReader(each, use)]);
  return `${use("asObject")}(${explode}, ${table(readers)})`;
}

function scalarReader(type: ScalarType, use: Use): string {
  if (type === "boolean") return use("asBoolean");
  if (type === "numberOrBoolean") return use("asNumberOrBoolean");
  return type === "string" ? "String" : "Number";
}
