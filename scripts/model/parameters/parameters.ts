import { type BuildContext, getComponentName } from "../context.js";
import { buildExamples } from "../examples.js";
import { isToken, describeHeaderNameProblem } from "../http-grammar.js";
import type { Parameter, ParameterStyle } from "../model.js";
import { type DocumentNode, getMember, isTrue, listItems, getText } from "../node.js";
import { hasNestedValues, inferValueType, isObjectType } from "./value-type.js";
import { chooseAlternativeScalarType, impliesTypeOrText, readSerializedSchema } from "./serialized-type.js";

/** Styles that OpenAPI allows for each parameter location; the first one is the default. */
const STYLES_BY_LOCATION: Record<Parameter["in"], readonly ParameterStyle[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** Header parameters that OpenAPI ignores, because other parts of the document describe them. */
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** Builds the parameters of a path item and its operation, whose parameters replace those of the path item. */
export function buildParameters(
  pathItem: DocumentNode,
  operation: DocumentNode,
  context: BuildContext,
): Parameter[] {
  const owners = [pathItem, operation];
  for (const owner of owners) reportDuplicateParameters(owner, context);
  const parameters = new Map<string, Parameter>();
  for (const item of owners.flatMap((owner) => listItems(getMember(owner, "parameters")))) {
    const parameter = buildParameter(item, context);
    if (parameter) parameters.set(formatParameterKey(parameter.in, parameter.name), parameter);
  }
  const query = [...parameters.values()].filter((parameter) => parameter.in === "query");
  reportSharedNames(operation, query, context);
  return [...parameters.values()];
}

/** Warns about exploded objects in a query with a member that has the name of another parameter, so that both get the same value. */
function reportSharedNames(
  operation: DocumentNode,
  query: readonly Parameter[],
  context: BuildContext,
): void {
  const names = new Set(query.map(({ name }) => name));
  for (const { name, style, explode, type } of query) {
    if (style !== "form" || !explode || !isObjectType(type)) continue;
    const shared = Object.keys(type.properties).find((member) => member !== name && names.has(member));
    if (shared !== undefined)
      context.warn(
        operation,
        `The members of the query parameter ${JSON.stringify(name)} are sent under their own names, so ${JSON.stringify(shared)} is also the value of the parameter of this name. Rename one of them, or use the style deepObject.`,
      );
  }
}

/** Formats what identifies a parameter. Names of headers are case-insensitive (RFC 9110, section 5.1). */
export function formatParameterKey(location: string, name: string): string {
  return `${location} ${location === "header" ? name.toLowerCase() : name}`;
}

/** Reports parameters that share name and location in the list of an operation or a path item, which OpenAPI forbids. */
function reportDuplicateParameters(owner: DocumentNode, context: BuildContext): void {
  const list = getMember(owner, "parameters");
  if (!list) return;
  // Once, because all operations of a path item share its list.
  context.buildOnce("parameter list", list, () => {
    const declared = new Set<string>();
    for (const item of listItems(list)) {
      const node = context.deref(item);
      const name = getText(node, "name");
      const location = getText(node, "in");
      if (name === undefined || location === undefined) continue;
      const key = formatParameterKey(location, name);
      if (declared.has(key))
        context.warn(
          item,
          `The ${location} parameter ${JSON.stringify(name)} is declared twice. This declaration is used, so remove the other one.`,
        );
      declared.add(key);
    }
  });
}

/** Builds a parameter; undefined if it is invalid or OpenAPI ignores it. */
export function buildParameter(item: DocumentNode, context: BuildContext): Parameter | undefined {
  const node = context.deref(item);
  const name = getText(node, "name");
  const location = getText(node, "in");
  if (location === "querystring") {
    context.error(
      item,
      "A parameter in: querystring is not supported. Declare one in: query for each of its keys.",
    );
    return undefined;
  }
  if (!node || name === undefined || !isLocation(location)) {
    context.error(item, "A parameter needs a name and one of the locations path, query, header and cookie.");
    return undefined;
  }
  if (location === "header" && name === "" && !isTrue(node, "required")) {
    context.warn(node, "A header needs a name, so this parameter is ignored. Name or remove it.");
    return undefined;
  }
  if (location === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  return context.buildOnce("parameter", node, () => buildValidatedParameter(node, name, location, context));
}

function buildValidatedParameter(
  node: DocumentNode,
  name: string,
  location: Parameter["in"],
  context: BuildContext,
): Parameter | undefined {
  const style = getText(node, "style") ?? STYLES_BY_LOCATION[location][0];
  if (!isStyle(style, location)) {
    const allowed = STYLES_BY_LOCATION[location].join(" or ");
    context.error(
      getMember(node, "style") ?? node,
      `The style ${JSON.stringify(style)} is not allowed for a ${location} parameter. Use ${allowed}.`,
    );
    return undefined;
  }
  const { schema, type: declaredType, owner } = readSerializedSchema(node, context);
  const isUntyped = location === "query" && owner === node && !(schema && impliesTypeOrText(schema));
  const untypedType = style === "deepObject" ? "object" : "array";
  const type = isUntyped ? untypedType : declaredType;
  const declaredScalarType = owner === node ? chooseAlternativeScalarType(schema) : undefined;
  const scalarType = isUntyped ? "string" : declaredScalarType;
  const parameter: Parameter = {
    pointer: node.pointer,
    name,
    in: location,
    component: getComponentName(node, "parameters"),
    required: location === "path" || isTrue(node, "required"),
    deprecated: isTrue(node, "deprecated"),
    style,
    explode: readExplode(node, style),
    type: inferValueType(schema, type, style === "deepObject", scalarType),
    isUntyped,
    allowReserved: location === "query" && isTrue(node, "allowReserved"),
    allowEmptyValue: location === "query" && isTrue(node, "allowEmptyValue"),
    schema,
    description: getText(node, "description") ?? "",
    examples: buildExamples(owner, schema, context),
  };
  reportSerializationProblems(node, parameter, context);
  return parameter;
}

/** Reads `explode` of a parameter or a field. Its default depends on the style. */
export function readExplode(node: DocumentNode | undefined, style: ParameterStyle): boolean {
  const explode = getMember(node, "explode")?.value;
  return typeof explode === "boolean" ? explode : ["form", "deepObject", "cookie"].includes(style);
}

/** Reports names, values and options that OpenAPI, HTTP or the client cannot represent. */
function reportSerializationProblems(
  node: DocumentNode,
  { name, in: location, style, explode, type }: Parameter,
  context: BuildContext,
): void {
  const title = `The ${location} parameter ${JSON.stringify(name)}`;
  if (style !== "deepObject" && hasNestedValues(type, location === "query" && explode))
    context.warn(
      node,
      `${title} has nested lists or objects, which the style ${style} cannot represent. They are written as JSON.`,
    );
  if (style === "deepObject" && typeof type === "string")
    context.warn(
      node,
      `${title} has the style deepObject, but its schema allows no object. It is written in the style form.`,
    );
  const problem = location === "header" ? describeHeaderNameProblem(name) : undefined;
  if (problem !== undefined) context.error(node, `${title} ${problem}`);
  if (location === "cookie" && !isToken(name))
    context.warn(
      node,
      `${title} has a name that is not a valid cookie name. It is sent percent-encoded, which other software may not decode.`,
    );
  const isAllowed = location === "path" || (location === "cookie" && style === "form");
  if (isAllowed && isTrue(node, "allowReserved") && context.isOpenApi32)
    context.warn(
      `${node.pointer}/allowReserved`,
      `allowReserved of the ${location} parameter ${JSON.stringify(name)} is ignored. The client encodes reserved characters.`,
    );
}

function isLocation(location: string | undefined): location is Parameter["in"] {
  return location !== undefined && Object.hasOwn(STYLES_BY_LOCATION, location);
}

function isStyle(style: string | undefined, location: Parameter["in"]): style is ParameterStyle {
  return STYLES_BY_LOCATION[location].some((allowed) => allowed === style);
}
