import { createRequire } from "node:module";
import type { GlobalContext } from "openapi-typescript";
import type * as OpenapiTypeScript from "openapi-typescript";
import type ts from "typescript";
import type { JsonObject } from "../../json.js";
import { ANY_NAME, createTypeName, type Member, NEVER, type Type } from "./type.js";

/*
 * The parts of openapi-typescript that translate operations and their messages. This is the only module that imports that
 * package. An OpenAPI object whose schemas are placeholders becomes a syntax tree of the package, and then a type of `type.ts`,
 * in which each placeholder is replaced by the type that it stands for.
 */

type Package = typeof OpenapiTypeScript;

// Uses `require`, because importing a CommonJS module first parses it for exports, and loads single modules, because the package
// as a whole also loads a linter. Loading takes 0.25 s of processor time, instead of 0.6 s with `import`, and 0.8 s as a whole.
const load = createRequire(import.meta.url);
const requireModule = (name: string): unknown => load(`openapi-typescript/dist/${name}.cjs`);
// Safe casts: each module exports the same names as the package.
const { default: transformOperationObject } = requireModule("transform/operation-object") as {
  default: Package["transformOperationObject"];
};
const transformRequestBodyObject = requireModule(
  "transform/request-body-object",
) as Package["transformRequestBodyObject"];
const transformResponseObject = requireModule(
  "transform/response-object",
) as Package["transformResponseObject"];

const {
  factory,
  isIndexSignatureDeclaration,
  isPropertySignature,
  isTypeLiteralNode,
  SyntaxKind,
  tokenToString,
} = load("typescript") as typeof ts;

/** The meaning of a placeholder: a type, and the lines of the doc comment of a parameter or header that has this type. */
interface Placeholder {
  type: Type;
  docs: readonly string[];
}

/** The placeholders of schemas, and those of the syntax nodes made from them. */
const placeholders = new WeakMap<object, Placeholder>();

/** Creates a placeholder for a schema, which is translated to a given type. */
export function createPlaceholderSchema(type: Type, docs: readonly string[] = []): JsonObject {
  const schema = { type: "string" };
  placeholders.set(schema, { type, docs });
  return schema;
}

const CONTEXT: Partial<GlobalContext> = {
  discriminators: { objects: {}, refsHandled: [] },
  emptyObjectsUnknown: true,
  injectFooter: [],
  transform: (schema) => {
    const placeholder = placeholders.get(schema);
    if (!placeholder) return undefined;
    const node = factory.createTypeReferenceNode("placeholder");
    placeholders.set(node, placeholder);
    return node;
  },
};
// Safe cast: all settings that are absent here are false by default, or only used for schemas and references.
const OPTIONS = { ctx: CONTEXT as GlobalContext, path: "#" };

// The casts `as never` below: the objects have the members that the functions of the package read. They have no references, and
// schemas only from `createPlaceholderSchema`.

/** Translates parameters to groups, one for each location that has some. */
export function translateParameters(parameters: readonly JsonObject[]): Member[] {
  const operation = transformOperationObject({ parameters } as never, OPTIONS).flatMap(toMember);
  const groups = operation.find(({ name }) => name === "parameters")?.type;
  const members = groups?.kind === "object" ? groups.members : [];
  return members.filter(({ type }) => type !== NEVER);
}

export function translateRequestBody(body: JsonObject): Type {
  return toType(transformRequestBodyObject(body as never, OPTIONS));
}

export function translateResponse(response: JsonObject): Type {
  return toType(transformResponseObject(response as never, OPTIONS));
}

function toType(node: ts.TypeNode | undefined): Type {
  const placeholder = node && placeholders.get(node);
  if (placeholder) return placeholder.type;
  if (node?.kind === SyntaxKind.NeverKeyword) return NEVER;
  if (!node || !isTypeLiteralNode(node))
    return createTypeName((node && tokenToString(node.kind)) ?? "unknown");
  const signatures = node.members.filter(isIndexSignatureDeclaration);
  return {
    kind: "object",
    members: node.members.flatMap(toMember),
    signatures: signatures.map((each) => ({ pattern: ANY_NAME, key: "name", type: toType(each.type) })),
  };
}

function toMember(node: ts.TypeElement): Member[] {
  if (!isPropertySignature(node) || !("text" in node.name)) return [];
  const { name, type, questionToken } = node;
  const docs = (type && placeholders.get(type)?.docs) ?? [];
  return [{ name: name.text, type: toType(type), isOptional: questionToken !== undefined, docs }];
}
