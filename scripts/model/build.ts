import { DiagnosticError, hasErrors, locateProblems, type Position, type Problem } from "../diagnostic.js";
import type { JsonObject } from "../json.js";
import { METASCHEMAS } from "../json-schema/generated/metaschemas.js";
import { DOCUMENT_URI } from "../json-schema/uri.js";
import { groupBy } from "../maps.js";
import { buildMultipartSchemas } from "./bodies/multipart-schemas.js";
import { buildComponents } from "./components.js";
import { BuildContext, type Report } from "./context.js";
import type { Api } from "./model.js";
import { getMember, getText } from "./node.js";
import { buildGroups } from "./operation-groups.js";
import { buildOperations } from "./operations.js";
import { mergePathItems } from "./paths/merge-path-items.js";
import { distinguishOperations, distinguishSimilarPaths } from "./paths/same-route.js";
import { buildServers } from "./paths/servers.js";
import { repairDocument } from "./repair-document.js";
import { describeDialectProblem } from "./schema/dialects.js";
import { matchesNoValue } from "./schema/discriminator-values.js";
import { checkMutualUnions } from "./schema/mutual-unions.js";
import { reportRefusedProperties } from "./schema/refused-properties.js";
import { SchemaGraph } from "./schema/graph.js";
import type { Source } from "./schema/resource.js";
import { buildSecuritySchemes } from "./security.js";
import { reportUnsupportedFeatures } from "./unsupported-features.js";
import { buildWebhooks } from "./webhooks.js";

/**
 * Builds the model of a bundled document, which is not changed, and collects the warnings about it.
 * @throws DiagnosticError with every problem found
 */
export function buildApi(
  source: JsonObject,
  locate: (pointer: string) => Position,
): { api: Api; warnings: Problem[] } {
  const problems: Problem[] = [];
  const createReport =
    (severity: Problem["severity"]): Report =>
    (location, message) => {
      const pointer = typeof location === "string" ? location : location.pointer;
      problems.push({ severity, message, pointer });
    };
  const reports = { error: createReport("error"), warn: createReport("warning") };
  const document = repairDocument(mergePathItems(source, reports.warn), reports);
  const dialect = String(document.openapi).startsWith("3.0") ? "openapi-3.0" : "openapi-3.1";
  const metaschemas = Object.entries(METASCHEMAS).map(([uri, schema]): Source => ({
    uri,
    document: schema,
    dialect: "json-schema",
  }));
  const schemas = new SchemaGraph([{ uri: DOCUMENT_URI, document, dialect }, ...metaschemas]);
  const context = new BuildContext(document, schemas, reports);
  // OpenAPI 3.0 has no `jsonSchemaDialect`. An empty schema has the dialect that it declares.
  const dialectProblem = dialect === "openapi-3.0" ? undefined : describeDialectProblem({}, "", document);
  if (dialectProblem !== undefined)
    context.error("/jsonSchemaDialect", `The schemas cannot be read: ${dialectProblem}.`);
  reportUnsupportedFeatures(context);
  checkMutualUnions(schemas.components().values());
  reportMismatchedDiscriminatorValues(context);
  reportRefusedProperties(context);
  const exact = distinguishSimilarPaths(buildOperations(context), context);
  const operations = distinguishOperations(exact, context);
  const groups = buildGroups(operations, context);
  const typeNames = operations.map(({ typeName }) => typeName);
  const webhooks = buildWebhooks(typeNames, context);
  if (hasErrors(problems)) throw new DiagnosticError(locateProblems(problems, locate));
  const info = getMember(context.root, "info");
  const api: Api = {
    title: getText(info, "title") ?? "",
    version: getText(info, "version") ?? "",
    description: getText(info, "description") ?? "",
    document,
    schemas,
    multipartSchemas: buildMultipartSchemas(operations, schemas),
    components: buildComponents(context),
    servers: buildServers([context.root], context),
    securitySchemes: buildSecuritySchemes(context),
    groups,
    operations: groups.flatMap((group) => group.operations),
    webhooks,
  };
  return { api, warnings: problems };
}

/** Warns about each component that a discriminator selects only by values that its property, such as an integer, cannot have. */
function reportMismatchedDiscriminatorValues({ schemas, warn }: BuildContext): void {
  for (const { discriminator, pointer } of schemas.components().values()) {
    if (!discriminator) continue;
    const { propertyName, mapping } = discriminator;
    for (const [target, entries] of groupBy(mapping, ([, schema]) => schema)) {
      const values = entries.map(([value]) => value);
      if (!matchesNoValue(target, propertyName, values)) continue;
      const list = values.map((value) => JSON.stringify(value)).join(", ");
      warn(
        `${pointer}/discriminator`,
        `The property ${propertyName} of ${target.component} cannot be ${list}, which selects this schema. Correct \`mapping\` or the type of the property.`,
      );
    }
  }
}
