import { isToken, whyNoHeader } from "./grammar.js";
import type { Parameter, ParameterStyle } from "./model.js";
import { type Node, child, deref, entries, flag, items, text } from "./node.js";
import type { Report } from "./report.js";
import { alternativeType, itemShape, propertyShapes, restShape, wireType } from "./schema.js";

/** Styles that OpenAPI allows per place; the first is the default. */
const STYLES: Record<Parameter["in"], readonly ParameterStyle[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** Styles that are exploded unless the document says otherwise. */
const EXPLODED: ReadonlySet<string> = new Set(["form", "deepObject", "cookie"]);

/** Header parameters of these names are to be ignored, says OpenAPI: other parts of the document describe them. */
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** The parameters of an operation: those of its path item, replaced by its own of the same name and place. */
export function buildParameters(pathItem: Node, operation: Node, report: Report): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const owner of [pathItem, operation]) {
    for (const item of items(child(owner, "parameters"))) {
      const parameter = buildParameter(item, report);
      if (parameter) parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...parameters.values()];
}

function buildParameter(item: Node, report: Report): Parameter | undefined {
  const node = deref(report.document, item);
  const name = text(node, "name");
  const place = text(node, "in");
  if (place === "querystring") {
    report.error(
      item,
      "a parameter in: querystring is not supported; declare one in: query for each of its keys",
    );
    return undefined;
  }
  if (!node || name === undefined || !isPlace(place)) {
    report.error(item, "a parameter needs a name and one of the places path, query, header, cookie");
    return undefined;
  }
  if (place === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  const style = text(node, "style") ?? STYLES[place][0];
  if (!isStyle(style, place)) {
    report.error(node, `style ${JSON.stringify(style)} is not one that a ${place} parameter can have`);
    return undefined;
  }
  const content = entries(child(node, "content"))[0]?.[1];
  const schema = child(content ?? node, "schema");
  const explode = child(node, "explode")?.value;
  const document = report.document;
  const type = content ? "json" : wireType(document, schema);
  const nests = style === "deepObject";
  const rest = type === "object" ? restShape(document, schema, nests) : undefined;
  const parameter: Parameter = {
    name,
    in: place,
    required: place === "path" || flag(node, "required"),
    style,
    explode: typeof explode === "boolean" ? explode : EXPLODED.has(style),
    type,
    itemType: type === "array" ? itemShape(document, schema, nests) : (rest ?? "string"),
    properties: type === "object" ? propertyShapes(document, schema, nests) : {},
    or: content ? undefined : alternativeType(document, schema),
    open: rest !== undefined,
    allowReserved: place === "query" && flag(node, "allowReserved"),
    allowEmptyValue: place === "query" && flag(node, "allowEmptyValue"),
    schemaPointer: schema?.pointer ?? "",
    description: text(node, "description") ?? "",
  };
  reportGaps(node, parameter, report);
  return parameter;
}

/** Says what the specification leaves open, and what is done there. */
function reportGaps(
  node: Node,
  { name, in: place, style, type, itemType, properties }: Parameter,
  report: Report,
): void {
  const title = `the ${place} parameter ${JSON.stringify(name)}`;
  const shapes = [itemType, ...Object.values(properties)];
  if ((type === "array" || type === "object") && shapes.includes("json")) {
    report.warn(
      node,
      `${title} has lists or objects inside of others, for which the style ${style} has no form: they are written as JSON`,
    );
  }
  const wrong = place === "header" ? whyNoHeader(name) : undefined;
  if (wrong !== undefined) report.error(node, `${title} ${wrong}`);
  if (place === "cookie" && !isToken(name)) {
    report.warn(
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
