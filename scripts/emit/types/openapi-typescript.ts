import { createRequire } from "node:module";
import type { GlobalContext } from "openapi-typescript";
import type * as OpenapiTypeScript from "openapi-typescript";
import type ts from "typescript";
import type { JsonObject } from "../../model/json.js";
import { typescript } from "../../typescript.js";

/**
 * The parts of openapi-typescript that write operations and their messages. This is the only module that imports that
 * package. It receives the types of schemas as text.
 */

type Package = typeof OpenapiTypeScript;

// Uses `require`, because importing a CommonJS module takes longer. Loads single modules, because the package as a whole
// also loads a linter.
const requirePackage = createRequire(import.meta.url);
const requirePart = (name: string): unknown => requirePackage(`openapi-typescript/dist/${name}.cjs`);
// The casts: each module exports the same names as the package.
const { addJSDocComment, tsPropertyIndex } = requirePart("lib/ts") as Pick<
  Package,
  "addJSDocComment" | "tsPropertyIndex"
>;
const { default: transformOperationObject } = requirePart("transform/operation-object") as {
  default: Package["transformOperationObject"];
};
const transformRequestBodyObject = requirePart(
  "transform/request-body-object",
) as Package["transformRequestBodyObject"];
const transformResponseObject = requirePart(
  "transform/response-object",
) as Package["transformResponseObject"];

/** The types of the schemas that `createPlaceholderSchema` has created. */
const typesOfSchemas = new WeakMap<object, string>();

/** Creates a placeholder for a schema, which is printed as a given type. */
export function createPlaceholderSchema(type: string): JsonObject {
  const schema = { type: "string" };
  typesOfSchemas.set(schema, type);
  return schema;
}

/** Creates a node that is printed as a given type. */
export function createTypeNode(type: string): ts.TypeNode {
  const { factory } = typescript;
  return factory.createTypeReferenceNode(factory.createIdentifier(type));
}

/** Creates a property of an object type. Its name is quoted if necessary. */
export function createProperty(name: string, type: ts.TypeNode): ts.PropertySignature {
  return typescript.factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
}

/** Adds a doc comment with the `summary`, `deprecated` and `example` of an object of the document. */
export function addDocComment(annotations: JsonObject, property: ts.PropertySignature): void {
  // The cast: the function reads a few members, if there are any.
  addJSDocComment(annotations as Parameters<typeof addJSDocComment>[0], property);
}

/** Translates objects of an OpenAPI document whose schemas are from `createPlaceholderSchema`. */
export interface Translator {
  /** Returns the members of the operation's type. */
  translateOperation(operation: JsonObject): ts.TypeElement[];
  translateRequestBody(body: JsonObject): ts.TypeNode;
  translateResponse(response: JsonObject): ts.TypeNode;
}

/**
 * Creates a translator.
 *
 * @param resolve returns the target of a `$ref`, of which only members other than schemas matter
 */
export function createTranslator(resolve: (reference: string) => JsonObject | undefined): Translator {
  const settings: Partial<GlobalContext> = {
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    injectFooter: [],
    // The cast: openapi-typescript declares the type that it expects.
    resolve: <T>(reference: string) => resolve(reference) as T | undefined,
    transform: (schema) => {
      const type = typesOfSchemas.get(schema);
      return type === undefined ? undefined : createTypeNode(type);
    },
  };
  // The cast: all settings that are absent here are false by default, or only used for schemas.
  const options = { ctx: settings as GlobalContext, path: "#" };
  // The casts: the objects have the members that the functions read.
  return {
    translateOperation: (operation) => transformOperationObject(operation as never, options),
    translateRequestBody: (body) => transformRequestBodyObject(body as never, options),
    translateResponse: (response) => transformResponseObject(response as never, options),
  };
}
