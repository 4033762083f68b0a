import type {
  BodyKind,
  HeaderStyle,
  HttpField,
  HttpOperation,
  HttpParameter,
  StreamFormat,
} from "../../../src/http/types.js";
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
function createOperationConfig(operation: Operation, declaresSecurity: boolean): HttpOperation {
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

function groupScopesByScheme(alternative: SecurityAlternative): Record<string, string[]> {
  return Object.fromEntries(alternative.map(({ scheme, scopes }) => [scheme, scopes]));
}

function createParameterEntry(parameter: Parameter): HttpParameter {
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

function createBodyEntry({ required, mediaTypes }: RequestBody): HttpOperation["body"] {
  const fields = mediaTypes.map((mediaType) => [mediaType.name, omitEmpty(listFieldEntries(mediaType))]);
  return {
    required,
    // Safe cast: only responses have the kind `sse`.
    mediaTypes: Object.fromEntries(mediaTypes.map(({ name, kind }) => [name, kind as BodyKind])),
    fields: omitEmpty(Object.fromEntries(fields)),
  };
}

function listFieldEntries({ fields, additionalField }: MediaType): HttpField[] {
  const entries = fields.map(createFieldEntry);
  return additionalField ? [...entries, { ...createFieldEntry(additionalField), additional: true }] : entries;
}

function createFieldEntry(field: BodyField): HttpField {
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
function groupByResponseKey<T>(
  { responses }: Operation,
  listEntries: (response: Response) => [string, T][],
): Record<string, Record<string, T>> | undefined {
  const groups = responses.map((response) => [response.key, listEntries(response)] as const);
  const nonEmpty = groups.filter(([, entries]) => entries.length > 0);
  return omitEmpty(Object.fromEntries(nonEmpty.map(([key, entries]) => [key, Object.fromEntries(entries)])));
}

/** Lists the headers that are neither text nor a list of texts. */
function listHeaderStyles({ headers }: Response): [string, HeaderStyle][] {
  return headers.flatMap(({ name, type, explode }): [string, HeaderStyle][] => {
    if (type === "json") return [[name, "json"]];
    return type === "object" ? [[name, explode ? "simple*" : "simple"]] : [];
  });
}

/** Lists the media types whose bodies are streams. */
function listStreamFormats({ mediaTypes }: Response): [string, StreamFormat][] {
  return mediaTypes.flatMap(({ name, kind, item }): [string, StreamFormat][] => {
    if (item && kind === "sse") return [[name, `${item.data}-events`]];
    return kind === "lines" || kind === "sequence" ? [[name, kind]] : [];
  });
}
