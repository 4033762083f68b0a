import path from "node:path";
import ts from "typescript";

/** Paths of types in types.ts, such as `components.schemas.Pet.name`, that are unintentionally `never`. */
export interface Findings {
  never: string[];
  /** Compiler errors of the file. */
  complaints: string[];
  /** Number of inspected types. */
  looked: number;
}

/** Text of openapi-typescript for undeclared parts. */
const MEANT =
  /^(?:query|header|path|cookie|requestBody|content|responses|parameters|get|put|post|delete|options|head|patch|trace|schemas|requestBodies|headers|pathItems|\*\/\*)$/;

/** Visits every type of a generated types.ts with TypeScript's checker. */
export function findNever(file: string): Findings {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const never: string[][] = [];
  const seen = new Set<ts.Type>();

  const visit = (type: ts.Type, place: string[]): void => {
    if (type.flags & ts.TypeFlags.Never) {
      never.push(place);
      return;
    }
    if (seen.has(type)) return;
    seen.add(type);
    if (type.isUnion()) {
      for (const member of type.types) visit(member, place);
      return;
    }
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return;
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      // The cast: arrays and tuples are references with type arguments.
      for (const item of checker.getTypeArguments(type as ts.TypeReference)) visit(item, [...place, "[]"]);
      return;
    }
    for (const property of checker.getPropertiesOfType(type)) {
      const value = checker.getTypeOfSymbol(property);
      // Ignores an optional property that must be missing.
      if (value.flags & ts.TypeFlags.Undefined) never.push([...place, property.getName()]);
      else visit(value, [...place, property.getName()]);
    }
    // Ignores objects without properties, which documents can describe.
    if (checker.getPropertiesOfType(type).length === 0) return;
    for (const { type: value } of checker.getIndexInfosOfType(type)) visit(value, [...place, "[key]"]);
  };
  if (source) {
    const module = checker.getSymbolAtLocation(source);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      if (symbol.getName() !== "$defs") visit(checker.getDeclaredTypeOfSymbol(symbol), [symbol.getName()]);
    }
  }
  const complaints = ts.getPreEmitDiagnostics(program).map(({ file: where, start, messageText }) => {
    const line = where?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    return `${path.basename(where?.fileName ?? "")}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  return {
    never: never
      .filter((place) => !isIntended(place))
      .map((place) => place.join("."))
      .sort(),
    complaints,
    looked: seen.size,
  };
}

/** Whether `never` is intended, as for an operation without a body. */
function isIntended(place: string[]): boolean {
  const [root, section] = place;
  const last = place.at(-1) ?? "";
  return !(root === "components" && section === "schemas" && place.length > 2) && MEANT.test(last);
}
