import {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  scanDiscriminators,
  transformSchema,
} from "openapi-typescript";
import type { Api, Emission } from "../model/model.js";
import { BANNER, visible } from "./encode.js";

/**
 * types.ts: `paths`, `components` and `operations`, as openapi-typescript writes them.
 *
 * Only the package's transform is used: its command lints and bundles the document again, which is half of its time.
 * Nothing else of the toolkit knows that package, so that another can take its place.
 */
export function emitTypes(api: Api): Emission {
  // The package patches the document in place. The cast: a bundled document that passed the linter is an OpenAPI3.
  const document = structuredClone(api.directed) as unknown as OpenAPI3;
  const nodes = transformSchema(document, context(document));
  const content = `${BANNER}\n\n${visible(astToString(nodes))}`;
  return { files: [{ path: "types.ts", content }], problems: [] };
}

function context(document: OpenAPI3): GlobalContext {
  const options = { silent: true };
  const settings: Omit<GlobalContext, "redoc"> = {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    conditionalEnums: false,
    dedupeEnums: false,
    defaultNonNullable: true,
    discriminators: scanDiscriminators(document, options),
    emptyObjectsUnknown: false,
    enum: false,
    enumValues: false,
    excludeDeprecated: false,
    exportType: false,
    generatePathParams: false,
    immutable: false,
    injectFooter: [],
    makePathsEnum: false,
    pathParamsAsTypes: false,
    propertiesRequiredByDefault: false,
    readWriteMarkers: false,
    resolve: ($ref) => resolveRef(document, $ref, options),
    rootTypes: false,
    rootTypesKeepCasing: false,
    rootTypesNoSchemaPrefix: false,
    silent: true,
    transform: undefined,
    transformProperty: undefined,
    postTransform: undefined,
    inject: undefined,
  };
  // The cast: `redoc` is read by the package's loader alone, which does not run here.
  return settings as GlobalContext;
}
