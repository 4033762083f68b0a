import type { GlobalContext } from "openapi-typescript";
import type ts from "typescript";
import { compiler } from "../../compiler.js";
import { transformSchemaObject, tsLiteral, tsPropertyIndex } from "./packages.js";
import type { JsonValue } from "../../model/model.js";
import { isObject } from "../../model/node.js";

/**
 * A schema in the few forms that openapi-typescript reads faithfully: `$ref`, `const`, `enum`, a scalar type, an array
 * with `items`, an object with `properties` and `required`, `allOf`, `oneOf`, `{}` and the booleans. What else a type
 * can say is said with SPECIAL. Text of the document cannot spell a symbol.
 */
export type Prepared = boolean | PreparedSchema;
export interface PreparedSchema {
  type?: string;
  $ref?: string;
  const?: JsonValue;
  enum?: JsonValue[];
  items?: Prepared;
  properties?: Record<string, Prepared>;
  required?: string[];
  additionalProperties?: boolean;
  allOf?: Prepared[];
  oneOf?: Prepared[];
  [SPECIAL]?: Special;
}

export const SPECIAL = Symbol("special");

/** Names that a property can have: all of them, or those between a prefix and a suffix. */
export interface Names {
  prefix: string;
  suffix: string;
}

export type Special =
  /** One value. */
  | { kind: "literal"; value: JsonValue }
  /** Any value that JSON has. */
  | { kind: "anything" }
  | { kind: "never" }
  /** Anything but a scalar, where other types say more. */
  | { kind: "object" }
  /** An object without properties. */
  | { kind: "empty" }
  /** A component schema, or the alias that stands for one. */
  | { kind: "component"; name: string }
  | { kind: "alias"; name: string }
  /** A list that starts with these items, of which as many are there at least; then come others. */
  | { kind: "tuple"; items: Prepared[]; least: number; rest: Prepared | undefined }
  /** An object with properties, and others of these names. */
  | {
      kind: "members";
      properties: PreparedSchema;
      hasOptional: boolean;
      signatures: { names: Names; types: Prepared[] }[];
    };

type Options = Parameters<typeof transformSchemaObject>[1];

const { factory } = compiler;
const keyword = (kind: ts.KeywordTypeSyntaxKind): ts.TypeNode => factory.createKeywordTypeNode(kind);
const UNKNOWN = keyword(compiler.SyntaxKind.UnknownKeyword);
const NULL = factory.createLiteralTypeNode(factory.createNull());
const EMPTY = factory.createTypeLiteralNode([]);

/** The `transform` hook of openapi-typescript: gives what SPECIAL says. It is asked more than once for a schema. */
export function specialTypes(): NonNullable<GlobalContext["transform"]> {
  const known = new WeakMap<Special, ts.TypeNode>();
  return (schema, options) => {
    // The cast: whatever the package hands over was prepared here.
    const special = (schema as PreparedSchema)[SPECIAL];
    if (!special) return undefined;
    const node = known.get(special) ?? nodeOf(special, options);
    known.set(special, node);
    return node;
  };
}

function nodeOf(special: Special, options: Options): ts.TypeNode {
  switch (special.kind) {
    case "literal":
      return literalType(special.value);
    case "anything":
      return factory.createUnionTypeNode([EMPTY, NULL]);
    case "never":
      return keyword(compiler.SyntaxKind.NeverKeyword);
    case "object":
      return keyword(compiler.SyntaxKind.ObjectKeyword);
    case "empty":
      return factory.createTypeReferenceNode("Record", [
        keyword(compiler.SyntaxKind.StringKeyword),
        keyword(compiler.SyntaxKind.NeverKeyword),
      ]);
    case "component":
      return componentType(special.name);
    case "alias":
      return factory.createTypeReferenceNode(special.name);
    case "tuple":
      return tupleType(special, options);
    case "members":
      return membersType(special, options);
  }
}

function typeOf(schema: Prepared, options: Options): ts.TypeNode {
  // The cast: the package reads booleans as well, its type does not say so.
  return transformSchemaObject(schema as Parameters<typeof transformSchemaObject>[0], options);
}

function literalType(value: JsonValue): ts.TypeNode {
  if (typeof value === "string") return factory.createLiteralTypeNode(factory.createStringLiteral(value));
  if (Array.isArray(value)) return factory.createTupleTypeNode(value.map(literalType));
  if (!isObject(value)) return tsLiteral(value);
  const members = Object.entries(value).map(([name, member]) =>
    factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, literalType(member)),
  );
  return factory.createTypeLiteralNode(members);
}

/** `components["schemas"]["Name"]`, whatever signs the name has. */
function componentType(name: string): ts.TypeNode {
  let type: ts.TypeNode = factory.createTypeReferenceNode("components");
  for (const key of ["schemas", name]) {
    type = factory.createIndexedAccessTypeNode(
      type,
      factory.createLiteralTypeNode(factory.createStringLiteral(key)),
    );
  }
  return type;
}

function tupleType({ items, least, rest }: Special & { kind: "tuple" }, options: Options): ts.TypeNode {
  const elements = items.map((item, index) => {
    const type = typeOf(item, options);
    return index < least ? type : factory.createOptionalTypeNode(type);
  });
  if (rest !== undefined) {
    elements.push(factory.createRestTypeNode(factory.createArrayTypeNode(typeOf(rest, options))));
  }
  return factory.createTupleTypeNode(elements);
}

/**
 * One object type with properties and index signatures. TypeScript wants the type of a signature to allow that of each
 * property that it covers; an intersection of the two would refuse every value.
 */
function membersType(special: Special & { kind: "members" }, options: Options): ts.TypeNode {
  const { properties, hasOptional, signatures } = special;
  const own = properties.properties ?? {};
  const literal = Object.keys(own).length === 0 ? undefined : typeOf(properties, options);
  const members = literal && compiler.isTypeLiteralNode(literal) ? [...literal.members] : [];
  for (const { names, types } of signatures) {
    const isAny = names.prefix === "" && names.suffix === "";
    const covered = Object.entries(own).filter(
      ([name]) => isAny || (name.startsWith(names.prefix) && name.endsWith(names.suffix)),
    );
    const all = [...types, ...covered.map(([, type]) => type)].map((type) => typeOf(type, options));
    const isOpen = all.some((type) => type.kind === compiler.SyntaxKind.UnknownKeyword);
    if (covered.length > 0 && hasOptional) all.push(keyword(compiler.SyntaxKind.UndefinedKeyword));
    const type = isOpen ? UNKNOWN : all.length === 1 ? all[0] : factory.createUnionTypeNode(distinct(all));
    const parameter = factory.createParameterDeclaration(
      undefined,
      undefined,
      "key",
      undefined,
      keyType(names),
    );
    members.push(factory.createIndexSignature(undefined, [parameter], type ?? UNKNOWN));
  }
  return factory.createTypeLiteralNode(members);
}

/** Keywords are written once; of anything else TypeScript makes the best itself. */
function distinct(types: ts.TypeNode[]): ts.TypeNode[] {
  const kinds = new Set<ts.SyntaxKind>();
  return types.filter((type) => {
    if (!compiler.isToken(type)) return true;
    return kinds.has(type.kind) ? false : kinds.add(type.kind);
  });
}

function keyType({ prefix, suffix }: Names): ts.TypeNode {
  const string = keyword(compiler.SyntaxKind.StringKeyword);
  if (prefix === "" && suffix === "") return string;
  return factory.createTemplateLiteralType(factory.createTemplateHead(prefix), [
    factory.createTemplateLiteralTypeSpan(string, factory.createTemplateTail(suffix)),
  ]);
}
