import { createRequire } from "node:module";
import type * as OpenapiTypeScript from "openapi-typescript";

// Required, because importing a CommonJS package first searches its text for exports.
const load = createRequire(import.meta.url);

type Package = typeof OpenapiTypeScript;

/** A module of openapi-typescript: the package as a whole loads a linter, which is not used here. */
function part(name: string): unknown {
  return load(`openapi-typescript/dist/${name}.cjs`);
}

// The casts: each module gives what the package gives under the same names.
export const { addJSDocComment, tsLiteral, tsPropertyIndex } = part("lib/ts") as Pick<
  Package,
  "addJSDocComment" | "tsLiteral" | "tsPropertyIndex"
>;
export const transformHeaderObject = part("transform/header-object") as Package["transformHeaderObject"];
export const { default: transformOperationObject } = part("transform/operation-object") as {
  default: Package["transformOperationObject"];
};
export const transformParameterObject = part(
  "transform/parameter-object",
) as Package["transformParameterObject"];
export const transformPathItemObject = part(
  "transform/path-item-object",
) as Package["transformPathItemObject"];
export const transformRequestBodyObject = part(
  "transform/request-body-object",
) as Package["transformRequestBodyObject"];
export const transformResponseObject = part(
  "transform/response-object",
) as Package["transformResponseObject"];
export const { default: transformSchemaObject } = part("transform/schema-object") as {
  default: Package["transformSchemaObject"];
};
