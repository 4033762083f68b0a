import { InvalidRequestError } from "../errors.js";
import { checkStrings, decodeUtf8, parseJson } from "../json.js";
import type { FieldType, HttpField } from "../types.js";
import {
  decodeFormTextLeniently,
  decodeQueryParameter,
  type EncodedPairs,
  isReserved,
  listReservedNames,
  type ReservedNames,
  parsePairs,
} from "../parameters/query-values.js";
import {
  convertScalar,
  createParameterError,
  isJsonOrScalar,
  isListType,
  isObjectType,
  setOwn,
  type Values,
} from "../parameters/text-values.js";

/** Adds a value by name: to a list if one is declared, or if the name was sent before. */
export function addValue(values: Values, field: HttpField | undefined, name: string, value: unknown): void {
  const existing = Object.hasOwn(values, name) ? values[name] : undefined;
  if (field && isAlwaysList(field.type))
    setOwn(values, name, Array.isArray(existing) ? [...existing, value] : [value]);
  else if (existing === undefined) setOwn(values, name, value);
  // The validator reports several values where one is declared.
  else setOwn(values, name, [existing, value].flat());
}

/**
 * Decodes a part that is not a file; text if the document does not declare it.
 *
 * @throws InvalidRequestError if it is not UTF-8, or is declared as JSON and is not JSON
 */
export function decodeFieldValue(
  field: HttpField | undefined,
  name: string,
  bytes: Uint8Array,
  contentType: string,
): unknown {
  checkCharset(contentType);
  const type = isListType(field?.type) ? field.type.items : (field?.type ?? "string");
  if (type === "json" || (isJsonOrScalar(type) && looksLikeJson(bytes)))
    return decodeField(name, () => parseJson(bytes), "JSON");
  const text = decodeField(name, () => decodeUtf8(bytes));
  checkStrings(text, `body.${name}`);
  const scalarType = isJsonOrScalar(type) ? type.jsonOr : type;
  return typeof scalarType === "object" ? text : convertScalar(scalarType, text);
}

/**
 * Decodes a form (`application/x-www-form-urlencoded`). Fields without an entry are text.
 *
 * @throws InvalidRequestError if its percent-encoding is not UTF-8, or a field is declared as JSON and is not JSON
 */
export function decodeForm(entries: readonly HttpField[], form: string): Values {
  try {
    decodeURIComponent(form);
  } catch {
    throw new InvalidRequestError(
      "invalid_value",
      "body failed validation: body should be valid UTF-8, percent-encoded.",
    );
  }
  const pairs = parsePairs(form);
  const { fields, additionalField } = separateAdditionalField(entries);
  const reservedNames = listReservedNames(fields);
  const values: Values = {};
  for (const field of fields) {
    const value = decodeFormField(field, pairs, reservedNames);
    if (value !== undefined) setOwn(values, field.name, value);
  }
  // An exploded object with undeclared properties has received the undeclared fields.
  if (
    fields.some(
      ({ type, style }) => isObjectType(type) && style === "form" && type.additionalProperties !== undefined,
    )
  )
    return values;
  for (const [name, texts] of pairs) {
    if (isReserved(name, reservedNames)) continue;
    const value = additionalField && decodeFormField({ ...additionalField, name }, pairs, reservedNames);
    const all = texts.map(decodeFormTextLeniently);
    setOwn(values, name, value ?? (all.length === 1 ? all[0] : all));
  }
  return values;
}

/** Separates the entry for all other fields from the entries of declared fields. */
export function separateAdditionalField(entries: readonly HttpField[]): {
  fields: HttpField[];
  additionalField: HttpField | undefined;
} {
  return {
    fields: entries.filter(({ additional }) => additional !== true),
    additionalField: entries.find(({ additional }) => additional === true),
  };
}

function decodeFormField(field: HttpField, sent: EncodedPairs, reservedNames: ReservedNames): unknown {
  const { name, type, style = "form", explode = true } = field;
  const isJson = type === "json" || (isListType(type) && type.items === "json" && field.style === undefined);
  if (!isJson && !isJsonOrScalar(type))
    return decodeQueryParameter(
      { ...field, type, in: "body", required: false, style, explode },
      sent,
      reservedNames,
    );
  const values = (sent.get(name) ?? []).map((text) =>
    decodeFieldValue(field, name, Buffer.from(decodeFormTextLeniently(text)), ""),
  );
  // The validator reports several values where one is declared.
  return values.length === 0 || (values.length === 1 && !isAlwaysList(type)) ? values[0] : values;
}

/** Whether a value is a list even if it is sent once. */
function isAlwaysList(type: FieldType): boolean {
  return isListType(type) && type.scalarType === undefined;
}

function looksLikeJson(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7b || bytes[0] === 0x5b;
}

/** Runs a decoder, and names the field in its error. */
function decodeField<T>(name: string, decode: () => T, expected = "valid UTF-8"): T {
  try {
    return decode();
  } catch {
    throw createParameterError({ in: "body", name }, expected);
  }
}

/** Refuses a content type with a charset other than UTF-8 or its subset ASCII. */
export function checkCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset === undefined || ["utf-8", "utf8", "us-ascii", "ascii"].includes(charset)) return;
  throw new InvalidRequestError(
    "unsupported_media_type",
    `Unsupported charset ${charset}; send the body in UTF-8.`,
  );
}
