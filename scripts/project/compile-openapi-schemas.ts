import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import type { JsonObject } from "../json.js";
import { Compiler } from "../emit/validators/compiler/compiler.js";
import { SchemaGraph } from "../model/schema/graph.js";
import type { Source } from "../model/schema/resource.js";

const PACKAGES = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const VALIDATORS_OUT = fileURLToPath(new URL("../load/structure/generated/", import.meta.url));
const METASCHEMAS_OUT = fileURLToPath(new URL("../json-schema/generated/", import.meta.url));

const VERSIONS = ["3.0", "3.1", "3.2"] as const;

const DRAFT_URI = "https://json-schema.org/draft/2020-12";
/** Names of the metaschema of draft 2020-12 and of its vocabularies. */
const METASCHEMA_NAMES =
  "schema meta/applicator meta/content meta/core meta/format-annotation meta/meta-data meta/unevaluated meta/validation".split(
    " ",
  );

/** URI of our schema for Schema Objects. The official schemas of OpenAPI 3.1 and 3.2 accept any object there. */
const SCHEMA_OBJECT_URI = "https://openapi-compiler.example/schema-object";

/**
 * Compiles the official schemas of the OpenAPI versions to a TypeScript module that exports `validateOpenApi`, an object of validators.
 * They share the functions of JSON Schema, and are minified, because the module is part of the package.
 */
export function printOpenApiValidatorsModule(): string {
  const documents = VERSIONS.map((version) =>
    readJson(`@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`),
  );
  const roots = documents.map((document) => ({ uri: String(document["$id"] ?? document["id"]), document }));
  const compiler = new Compiler({
    names: new Map(roots.map(({ uri }, index) => [`${uri}#`, `OpenApi${index}`])),
    formats: new Map(),
    maxErrors: 100_000,
    listDeclaredNames: true,
  });
  const graph = new SchemaGraph(createSources(roots));
  const validators = roots.map(({ uri }, index) => {
    const schema = graph.findByPointer(uri, "");
    const name = schema && compiler.addCheck(schema);
    if (name === undefined) throw new Error(`The official schema ${uri} is missing or cannot be compiled.`);
    return `"${VERSIONS[index]}": validator(${name})`;
  });
  const errors = compiler.problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    throw new Error(`The official schemas of OpenAPI cannot be compiled: ${JSON.stringify(errors)}`);
  const code = `${compiler.printCode()}\nexport const validateOpenApi = { ${validators.join(", ")} };`;
  return [
    "// Validates the structure of OpenAPI documents. Compiled by `npm run compile-schemas`: do not edit.",
    "// @ts-nocheck: compiled JavaScript has no types. It is in a TypeScript file so that builds include it.",
    transformSync(code, { minify: true, format: "esm", target: "es2022" }).code,
  ].join("\n");
}

/** Prints a TypeScript module with the metaschemas by URI, to which the schemas of documents can refer. */
export function printMetaschemasModule(): string {
  return [
    "// The metaschemas of JSON Schema draft 2020-12. Copied by `npm run compile-schemas`: do not edit.",
    'import type { JsonValue } from "../../json.js";',
    `export const METASCHEMAS: Readonly<Record<string, JsonValue>> = ${JSON.stringify(readMetaschemas())};\n`,
  ].join("\n");
}

function readMetaschemas(): Record<string, JsonObject> {
  return Object.fromEntries(
    METASCHEMA_NAMES.map((name) => [
      `${DRAFT_URI}/${name}`,
      readJson(`ajv/dist/refs/json-schema-2020-12/${name}.json`),
    ]),
  );
}

interface Root {
  uri: string;
  document: JsonObject;
}

/** Creates the sources of the validators: the schemas of the versions, our schema of the Schema Object and the metaschemas. */
function createSources([oldest, ...others]: readonly Root[]): Source[] {
  const schemas = [
    ...others.map(({ uri, document }): [string, JsonObject] => {
      // Safe cast: the official schemas define their objects there.
      const definitions = document["$defs"] as JsonObject;
      return [uri, { ...document, $defs: { ...definitions, schema: { $ref: SCHEMA_OBJECT_URI } } }];
    }),
    [SCHEMA_OBJECT_URI, createSchemaObject(others[0]?.uri ?? "")] as const,
    ...Object.entries(readMetaschemas()),
  ];
  return [
    // The draft 4 schema of OpenAPI 3.0 has only keywords that mean the same in a Schema Object of OpenAPI 3.0.
    ...(oldest ? [{ ...oldest, dialect: "openapi-3.0" as const }] : []),
    ...schemas.map(([uri, document]) => ({ uri, document, dialect: "json-schema" as const })),
  ];
}

/** Creates the schema of the Schema Object: draft 2020-12 with OpenAPI's keywords, and no others except `x-` extensions. */
function createSchemaObject(openApiUri: string): JsonObject {
  const text = { type: "string" };
  const flag = { type: "boolean" };
  const extensions = { "^x-": true };
  return {
    $dynamicAnchor: "meta",
    type: ["object", "boolean"],
    $ref: `${DRAFT_URI}/schema`,
    properties: {
      discriminator: {
        type: "object",
        required: ["propertyName"],
        properties: {
          propertyName: text,
          mapping: { type: "object", additionalProperties: text },
          defaultMapping: text,
        },
        patternProperties: extensions,
        additionalProperties: false,
      },
      xml: {
        type: "object",
        properties: {
          name: text,
          namespace: text,
          prefix: text,
          attribute: flag,
          wrapped: flag,
          nodeType: { enum: ["element", "attribute", "text", "cdata", "none"] },
        },
        patternProperties: extensions,
        additionalProperties: false,
      },
      externalDocs: { $ref: `${openApiUri}#/$defs/external-documentation` },
      example: true,
      // From 3.0; many documents of 3.1 still have it.
      nullable: flag,
    },
    patternProperties: extensions,
    unevaluatedProperties: false,
  };
}

/** Reads a schema of a package by its path, because the packages do not export their schemas. */
function readJson(file: string): JsonObject {
  // Safe cast: a schema is a JSON object.
  return JSON.parse(readFileSync(path.join(PACKAGES, file), "utf8")) as JsonObject;
}

if (process.argv[1] === import.meta.filename) {
  await mkdir(VALIDATORS_OUT, { recursive: true });
  await mkdir(METASCHEMAS_OUT, { recursive: true });
  await writeFile(path.join(METASCHEMAS_OUT, "metaschemas.ts"), printMetaschemasModule());
  await writeFile(path.join(VALIDATORS_OUT, "openapi.ts"), printOpenApiValidatorsModule());
}
