import { jsonExpression, propertyKey } from "../../code/encode.js";
import { breakLongLines } from "../../code/layout.js";
import type {
  BodyField,
  Operation,
  Parameter,
  RequestBody,
  Response,
  SecurityAlternative,
} from "../../model/model.js";

/** The `operations` table: what the server runtime needs to decode, validate and encode each operation. */
export function operationsTable(operations: Operation[], declaresSecurity: boolean): string {
  const entries = operations.map(
    (operation) =>
      `  ${propertyKey(operation.name)}: ${jsonExpression(operationEntry(operation, declaresSecurity))},\n`,
  );
  return breakLongLines(
    `/** The operations of the document, as data. */\nexport const operations = {\n${entries.join("")}} as const;`,
  );
}

function operationEntry(operation: Operation, declaresSecurity: boolean): object {
  return {
    id: operation.name,
    method: operation.method.toUpperCase(),
    path: operation.path,
    ...(operation.safe ? { safe: true } : {}),
    ...(operation.when.length > 0 ? { when: operation.when } : {}),
    ...(declaresSecurity ? { security: operation.security.map(securityEntry) } : {}),
    parameters: operation.parameters.map(parameterEntry),
    ...(operation.body ? { body: bodyEntry(operation.body) } : {}),
    responses: Object.fromEntries(
      operation.responses.map(({ key, mediaTypes }) => [key, mediaTypes.map(({ name }) => name)]),
    ),
    ...byStatus("headers", operation, headerStyles),
    ...byStatus("streams", operation, streamFormats),
  };
}

/** Scopes by the name of the security scheme. */
function securityEntry(alternative: SecurityAlternative): object {
  return Object.fromEntries(alternative.map(({ scheme, scopes }) => [scheme, scopes]));
}

function parameterEntry(parameter: Parameter): object {
  const { name, in: location, required, style, explode, type, allowEmptyValue } = parameter;
  return {
    name,
    in: location,
    required,
    style,
    explode,
    type,
    ...shapeEntry(parameter),
    ...(allowEmptyValue ? { allowEmptyValue } : {}),
  };
}

/** The properties of a parameter or field that control the decoding of lists and objects. */
function shapeEntry({
  type,
  itemType,
  properties,
  scalarType,
  additionalProperties,
}: Parameter | BodyField): object {
  return {
    ...(type === "array" || type === "object" ? { itemType } : {}),
    ...(type === "object" ? { properties } : {}),
    ...(scalarType === undefined ? {} : { scalarType }),
    ...(additionalProperties ? { additionalProperties } : {}),
  };
}

function bodyEntry({ required, mediaTypes }: RequestBody): object {
  const withFields = mediaTypes.filter(({ fields }) => fields.length > 0);
  return {
    required,
    mediaTypes: Object.fromEntries(mediaTypes.map(({ name, kind }) => [name, kind])),
    ...(withFields.length === 0
      ? {}
      : { fields: Object.fromEntries(withFields.map(({ name, fields }) => [name, fields.map(fieldEntry)])) }),
  };
}

function fieldEntry(field: BodyField): object {
  const { name, type, style, explode, file } = field;
  return {
    name,
    type,
    ...shapeEntry(field),
    ...(style === undefined ? {} : { style, explode }),
    ...(file ? { file } : {}),
  };
}

/** A table of what some responses declare beyond media types, by status; left out when it would be empty. */
function byStatus(
  name: string,
  { responses }: Operation,
  entriesOf: (response: Response) => [string, string][],
): object {
  const found = responses.flatMap((response) => {
    const entries = entriesOf(response);
    return entries.length === 0 ? [] : [[response.key, Object.fromEntries(entries)] as const];
  });
  return found.length === 0 ? {} : { [name]: Object.fromEntries(found) };
}

/** Headers that are neither plain text nor a list of it. */
function headerStyles({ headers }: Response): [string, string][] {
  return headers.flatMap(({ name, type, explode }): [string, string][] => {
    if (type === "json") return [[name, "json"]];
    return type === "object" ? [[name, explode ? "simple*" : "simple"]] : [];
  });
}

/** Media types whose bodies are sent item by item: the format of an event's data, or `lines`. */
function streamFormats({ mediaTypes }: Response): [string, string][] {
  return mediaTypes.flatMap(({ name, kind, item }): [string, string][] =>
    item ? [[name, kind === "jsonl" ? "lines" : item.data]] : [],
  );
}
