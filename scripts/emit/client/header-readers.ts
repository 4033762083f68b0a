import { Code, printJsonExpression, printStringLiteral } from "../../code/encode.js";
import { printDeclaration } from "../../code/print-source.js";
import { getOrCreate } from "../../maps.js";
import { compareText } from "../../text.js";
import type { HeaderScalarType, Response, ResponseHeader } from "../../model/model.js";
import { reserveName, toIdentifier } from "../../model/names.js";
import type { Imports } from "../common/imports.js";

/** Maximum length of the name of a constant, without the suffix that makes it unique. */
const MAX_NAME_LENGTH = 60;

/**
 * Constants of operations.ts with the readers of declared response headers. Responses that declare the same headers share
 * a constant. Its name consists of the names of the headers, so that it changes only when they change.
 */
export class HeaderReaders {
  /** Names of the constants by their value. */
  private readonly names = new Map<string, string>();
  private readonly usedNames: Set<string>;

  /** @param usedNames the other names in operations.ts */
  constructor(
    private readonly imports: Imports,
    usedNames: Iterable<string>,
  ) {
    this.usedNames = new Set(usedNames);
  }

  /** Returns the constant for the headers of a response; undefined when it declares none. */
  declareReaders({ headers }: Response): Code | undefined {
    if (headers.length === 0) return undefined;
    const sorted = [...headers].sort((one, other) => compareText(one.name, other.name));
    const readers = sorted.map((header) => [header.name, new Code(printReader(header, this.imports))]);
    const text = printJsonExpression(Object.fromEntries(readers));
    return new Code(getOrCreate(this.names, text, () => this.chooseName(sorted)));
  }

  /** Prints the declarations of the constants, in the order of their names. */
  printDeclarations(): string[] {
    const sorted = [...this.names].sort(([, one], [, other]) => compareText(one, other));
    // Without `as const`, a header named `constructor` would get the type of `Object.prototype.constructor`.
    return sorted.map(([text, name]) => printDeclaration(`const ${name} = ${text} as const;`));
  }

  /** Returns an unused name, e.g. `etagRateLimitHeaders` for ETag, X-Rate and X-Limit. */
  private chooseName(headers: ResponseHeader[]): string {
    const words = headers
      .flatMap(({ name }) => name.toLowerCase().split(/[^a-z0-9]+/))
      .filter((word) => word !== "" && word !== "x");
    const base = `${toIdentifier([...new Set(words)].join(" ")).slice(0, MAX_NAME_LENGTH)}Headers`;
    return reserveName(base, this.usedNames);
  }
}

function printReader(header: ResponseHeader, imports: Imports): string {
  const { name, type, scalarTypes, properties, explode } = header;
  if (type === "array" && /^set-cookie$/i.test(name)) return imports.importRuntimeValue("asCookies");
  if (type === "json") return imports.importRuntimeValue("asJson");
  const reader = printScalarReader(scalarTypes, imports);
  if (type === "array") return imports.printCall("asList", reader);
  if (type !== "object") return reader;
  const readers = Object.entries(properties)
    .map(([key, types]) => [key, printScalarReader(types, imports)] as const)
    .filter(([, memberReader]) => memberReader !== reader)
    .map(([key, memberReader]) => [key, new Code(memberReader)]);
  return imports.printCall(
    "asObject",
    String(explode),
    printJsonExpression(Object.fromEntries(readers)),
    ...(reader === "String" ? [] : [reader]),
  );
}

function printScalarReader(types: readonly HeaderScalarType[], imports: Imports): string {
  if (types.length > 1) return imports.printCall("asScalar", ...types.map(printStringLiteral));
  if (types[0] === "boolean") return imports.importRuntimeValue("asBoolean");
  return types[0] === "number" ? "Number" : "String";
}
