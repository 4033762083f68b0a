import type { Parameter, ParameterStyle } from "./model.js";
import { type Node, child, deref, entries, flag, items, text } from "./node.js";
import type { Report } from "./report.js";
import { itemType, propertyTypes, wireType } from "./schema.js";

/** Styles that OpenAPI allows per place; the first is the default. */
const STYLES: Record<Parameter["in"], readonly ParameterStyle[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

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
  return {
    name,
    in: place,
    required: place === "path" || flag(node, "required"),
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "deepObject",
    type: content ? "json" : wireType(document, schema),
    itemType: itemType(document, schema),
    properties: propertyTypes(document, schema),
    schemaPointer: schema?.pointer ?? "",
    description: text(node, "description") ?? "",
  };
}

function isPlace(place: string | undefined): place is Parameter["in"] {
  return place !== undefined && Object.hasOwn(STYLES, place);
}

function isStyle(style: string | undefined, place: Parameter["in"]): style is ParameterStyle {
  return STYLES[place].some((allowed) => allowed === style);
}
