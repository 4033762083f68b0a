import { jsonExpression, propertyKey } from "../../code/encode.js";
import { breakLongLines } from "../../code/break-lines.js";
import type {
  BodyField,
  Operation,
  Parameter,
  RequestBody,
  Response,
  SecurityAlternative,
} from "../../model/model.js";

/**
 * Prints the `operations` table, which tells the server runtime how to decode, validate and encode the messages of each
 * operation.
 *
 * @param declaresSecurity whether the document has security schemes; otherwise no entry has the property `security`
 */
export function printOperationsTable(operations: Operation[], declaresSecurity: boolean): string {
  const entries = operations.map(
    (operation) =>
      `  ${propertyKey(operation.name)}: ${jsonExpression(createOperationEntry(operation, declaresSecurity))},\n`,
  );
  return breakLongLines(
    `/** The operations of the document, as data. */\nexport const operations = {\n${entries.join("")}} as const;`,
  );
}

function createOperationEntry(operation: Operation, declaresSecurity: boolean): object {
  return {
    id: operation.name,
    method: operation.method.toUpperCase(),
    path: operation.path,
    ...(operation.safe ? { safe: true } : {}),
    ...(operation.conditions.length > 0 ? { conditions: operation.conditions } : {}),
    ...(declaresSecurity ? { security: operation.security.map(createSecurityEntry) } : {}),
    parameters: operation.parameters.map(createParameterEntry),
    ...(operation.body ? { body: createBodyEntry(operation.body) } : {}),
    responses: Object.fromEntries(
      operation.responses.map(({ key, mediaTypes }) => [key, mediaTypes.map(({ name }) => name)]),
    ),
    ...groupByStatus("headers", operation, listHeaderStyles),
    ...groupByStatus("streams", operation, listStreamFormats),
  };
}

/** Creates an object with the required scopes by the name of the security scheme. */
function createSecurityEntry(alternative: SecurityAlternative): object {
  return Object.fromEntries(alternative.map(({ scheme, scopes }) => [scheme, scopes]));
}

function createParameterEntry(parameter: Parameter): object {
  const { name, in: location, required, style, explode, type, allowEmptyValue } = parameter;
  return {
    name,
    in: location,
    required,
    style,
    explode,
    type,
    ...pickShapeProperties(parameter),
    ...(allowEmptyValue ? { allowEmptyValue } : {}),
  };
}

/** Picks the properties of a parameter or field that control the decoding of lists and objects. */
function pickShapeProperties({
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

function createBodyEntry({ required, mediaTypes }: RequestBody): object {
  const withFields = mediaTypes.filter(({ fields }) => fields.length > 0);
  return {
    required,
    mediaTypes: Object.fromEntries(mediaTypes.map(({ name, kind }) => [name, kind])),
    ...(withFields.length === 0
      ? {}
      : {
          fields: Object.fromEntries(
            withFields.map(({ name, fields }) => [name, fields.map(createFieldEntry)]),
          ),
        }),
  };
}

function createFieldEntry(field: BodyField): object {
  const { name, type, style, explode, file } = field;
  return {
    name,
    type,
    ...pickShapeProperties(field),
    ...(style === undefined ? {} : { style, explode }),
    ...(file ? { file } : {}),
  };
}

/** Creates a property with the entries of each response by status. Returns an empty object if no response has entries. */
function groupByStatus(
  name: string,
  { responses }: Operation,
  listEntries: (response: Response) => [string, string][],
): object {
  const entriesByStatus = responses.flatMap((response) => {
    const entries = listEntries(response);
    return entries.length === 0 ? [] : [[response.key, Object.fromEntries(entries)] as const];
  });
  return entriesByStatus.length === 0 ? {} : { [name]: Object.fromEntries(entriesByStatus) };
}

/** Lists the headers that are neither text nor a list of texts, with the `HeaderStyle` of the server runtime. */
function listHeaderStyles({ headers }: Response): [string, string][] {
  return headers.flatMap(({ name, type, explode }): [string, string][] => {
    if (type === "json") return [[name, "json"]];
    return type === "object" ? [[name, explode ? "simple*" : "simple"]] : [];
  });
}

/** Lists the media types whose bodies are streams, with the `StreamFormat` of the server runtime. */
function listStreamFormats({ mediaTypes }: Response): [string, string][] {
  return mediaTypes.flatMap(({ name, kind, item }): [string, string][] =>
    item ? [[name, kind === "jsonl" ? "lines" : item.data]] : [],
  );
}
