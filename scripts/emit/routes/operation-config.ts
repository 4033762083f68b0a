import { omitEmpty, printJsonExpression, printPropertyKey } from "../../code/encode.js";
import { printDeclaration } from "../../code/print-source.js";
import type {
  BodyField,
  MediaType,
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
export function printOperationConfigs(operations: readonly Operation[], declaresSecurity: boolean): string {
  const entries = operations.map(
    (operation) =>
      `  ${printPropertyKey(operation.name)}: ${printJsonExpression(createOperationConfig(operation, declaresSecurity))},\n`,
  );
  return printDeclaration(`export const operations = {\n${entries.join("")}} as const;`, [
    "The operations of the document, as data.",
  ]);
}

/** Creates the entry of an operation. Members that are undefined are not printed. */
function createOperationConfig(operation: Operation, declaresSecurity: boolean): object {
  return {
    name: operation.name,
    method: operation.method.toUpperCase(),
    path: operation.path,
    safe: operation.safe || undefined,
    conditions: omitEmpty(operation.conditions),
    security: declaresSecurity ? operation.security.map(groupScopesByScheme) : undefined,
    parameters: operation.parameters.map(createParameterEntry),
    body: operation.body && createBodyEntry(operation.body),
    responseMediaTypes: Object.fromEntries(
      operation.responses.map(({ key, mediaTypes }) => [key, mediaTypes.map(({ name }) => name)]),
    ),
    responseHeaderStyles: groupByResponseKey(operation, listHeaderStyles),
    responseStreamFormats: groupByResponseKey(operation, listStreamFormats),
  };
}

function groupScopesByScheme(alternative: SecurityAlternative): object {
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
    allowEmptyValue: allowEmptyValue || undefined,
  };
}

function createBodyEntry({ required, mediaTypes }: RequestBody): object {
  const fields = mediaTypes.map((mediaType) => [mediaType.name, omitEmpty(listFieldEntries(mediaType))]);
  return {
    required,
    mediaTypes: Object.fromEntries(mediaTypes.map(({ name, kind }) => [name, kind])),
    fields: omitEmpty(Object.fromEntries(fields)),
  };
}

function listFieldEntries({ fields, additionalField }: MediaType): object[] {
  const entries = fields.map(createFieldEntry);
  return additionalField ? [...entries, { ...createFieldEntry(additionalField), undeclared: true }] : entries;
}

function createFieldEntry(field: BodyField): object {
  const { name, type, style, explode, file } = field;
  return {
    name,
    type,
    style,
    explode: style === undefined ? undefined : explode,
    file: file && true,
    text: file === "file or text" ? true : undefined,
  };
}

/** Groups the entries of responses by key: a status, a range or `default`. Returns undefined if no response has entries. */
function groupByResponseKey(
  { responses }: Operation,
  listEntries: (response: Response) => [string, string][],
): object | undefined {
  return omitEmpty(
    Object.fromEntries(responses.map((each) => [each.key, omitEmpty(Object.fromEntries(listEntries(each)))])),
  );
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
    item ? [[name, kind === "sse" ? `${item.data}-events` : kind]] : [],
  );
}
