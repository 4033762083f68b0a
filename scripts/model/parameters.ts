import { type BuildContext, componentName } from "./context.js";
import { buildExamples } from "./examples.js";
import { isToken, headerNameProblem } from "./grammar.js";
import type { Parameter, ParameterStyle } from "./model.js";
import { type Node, child, entries, flag, items, text } from "./node.js";
import type { Direction } from "./schema/schema.js";
import { alternativeType, itemShape, propertyShapes, restShape, wireType } from "./wire.js";

/** The styles that OpenAPI allows in each place; the first is the default. */
const STYLES: Record<Parameter["in"], readonly ParameterStyle[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** Styles that are exploded by default. */
const EXPLODED: ReadonlySet<string> = new Set(["form", "deepObject", "cookie"]);

/** Header parameters that OpenAPI ignores, because other parts of the document describe them. */
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** The parameters of an operation: those of its path item, replaced by its own of the same name and place. */
export function buildParameters(
  owners: readonly Node[],
  direction: Direction,
  context: BuildContext,
): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const item of owners.flatMap((owner) => items(child(owner, "parameters")))) {
    const parameter = buildParameter(item, direction, context);
    if (parameter) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...parameters.values()];
}

/** The parameter at a place; undefined for one that cannot be read or that OpenAPI ignores. */
export function buildParameter(
  item: Node,
  direction: Direction,
  context: BuildContext,
): Parameter | undefined {
  const node = context.deref(item);
  const name = text(node, "name");
  const place = text(node, "in");
  if (place === "querystring") {
    context.error(
      item,
      "a parameter in: querystring is not supported; declare one in: query for each of its keys",
    );
    return undefined;
  }
  if (!node || name === undefined || !isPlace(place)) {
    context.error(item, "a parameter needs a name and one of the places path, query, header, cookie");
    return undefined;
  }
  if (place === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  return context.once(node, direction, () => readParameter(node, name, place, direction, context));
}

function readParameter(
  node: Node,
  name: string,
  place: Parameter["in"],
  direction: Direction,
  context: BuildContext,
): Parameter | undefined {
  const style = text(node, "style") ?? STYLES[place][0];
  if (!isStyle(style, place)) {
    context.error(node, `style ${JSON.stringify(style)} is not one that a ${place} parameter can have`);
    return undefined;
  }
  const content = entries(child(node, "content"))[0]?.[1];
  const owner = (content && context.deref(content)) ?? node;
  const schemaNode = child(owner, "schema");
  const schema = context.schema(schemaNode, direction);
  const explode = child(node, "explode")?.value;
  const type = content ? "json" : wireType(schema);
  const nests = style === "deepObject";
  const rest = type === "object" ? restShape(schema, nests) : undefined;
  const parameter: Parameter = {
    name,
    in: place,
    component: componentName(node, "parameters"),
    required: place === "path" || flag(node, "required"),
    deprecated: flag(node, "deprecated"),
    style,
    explode: typeof explode === "boolean" ? explode : EXPLODED.has(style),
    type,
    itemType: type === "array" ? itemShape(schema, nests) : (rest ?? "string"),
    properties: type === "object" ? propertyShapes(schema, nests) : {},
    or: content ? undefined : alternativeType(schema),
    open: rest !== undefined,
    allowReserved: place === "query" && flag(node, "allowReserved"),
    allowEmptyValue: place === "query" && flag(node, "allowEmptyValue"),
    schema,
    description: text(node, "description") ?? "",
    examples: buildExamples(owner, schema, context),
  };
  reportGaps(node, parameter, context);
  return parameter;
}

/** Reports cases that the specification leaves open, and how they are handled. */
function reportGaps(
  node: Node,
  { name, in: place, style, type, itemType, properties }: Parameter,
  context: BuildContext,
): void {
  const title = `the ${place} parameter ${JSON.stringify(name)}`;
  const shapes = [itemType, ...Object.values(properties)];
  if ((type === "array" || type === "object") && shapes.includes("json")) {
    context.warn(
      node,
      `${title} has lists or objects inside of others, for which the style ${style} has no form: they are written as JSON`,
    );
  }
  const wrong = place === "header" ? headerNameProblem(name) : undefined;
  if (wrong !== undefined) context.error(node, `${title} ${wrong}`);
  if (place === "cookie" && !isToken(name)) {
    context.warn(
      node,
      `${title} has a name that no cookie can have: it is sent percent-encoded, which other software may not read`,
    );
  }
}

function isPlace(place: string | undefined): place is Parameter["in"] {
  return place !== undefined && Object.hasOwn(STYLES, place);
}

function isStyle(style: string | undefined, place: Parameter["in"]): style is ParameterStyle {
  return STYLES[place].some((allowed) => allowed === style);
}
