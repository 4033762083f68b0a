import { RequestRefused } from "./errors.js";
import { decodeUtf8, parseJson } from "./json.js";
import type { HttpField } from "./types.js";
import { decodeQueryParameter, define, scalar, SentPairs, type Values } from "./wire.js";

/** Adds a value that was sent under a name: to a list where one is declared, or where the name comes again. */
export function addValue(values: Values, field: HttpField | undefined, name: string, value: unknown): void {
  const known = Object.hasOwn(values, name) ? values[name] : undefined;
  if (field?.type === "array" && field.or === undefined)
    define(values, name, Array.isArray(known) ? [...known, value] : [value]);
  else if (known === undefined) define(values, name, value);
  // More than one where one is declared: the validator says so.
  else define(values, name, [known, value].flat());
}

/**
 * The value of a part that is no file; text where nothing is declared.
 *
 * @throws RequestRefused when it is not UTF-8, or not JSON where the document says so
 */
export function fieldValue(
  field: HttpField | undefined,
  name: string,
  bytes: Uint8Array,
  contentType: string,
): unknown {
  checkCharset(contentType);
  const type = field?.type === "array" ? field.itemType : field?.type;
  if (type === "json" || (type === "mixed" && looksLikeJson(bytes))) return jsonValue(name, bytes);
  return typedText(
    field,
    name,
    decoded(name, () => decodeUtf8(bytes)),
  );
}

/**
 * Decodes a form (`application/x-www-form-urlencoded`). Fields that nothing declares are text.
 *
 * @throws RequestRefused when its escapes are not UTF-8, or a field is not JSON where the document says so
 */
export function decodeForm(fields: readonly HttpField[], form: string): Values {
  decoded("form", () => decodeURIComponent(form));
  if (form.includes("\0") || form.includes("%00")) throw unreadable("form", "text without NUL characters");
  const sent = new SentPairs(form);
  const declared = new Set(
    fields.flatMap(({ name, style, properties = {} }) =>
      style === "form" ? [name, ...Object.keys(properties)] : [name],
    ),
  );
  const values: Values = {};
  for (const field of fields) {
    const value = formValue(field, sent, declared);
    if (value !== undefined) define(values, field.name, value);
  }
  const open = fields.some((field) => field.type === "object" && field.style === "form" && field.open);
  const deep = fields.filter(({ style }) => style === "deepObject").map(({ name }) => `${name}[`);
  for (const name of open ? [] : sent.keys()) {
    if (declared.has(name) || deep.some((start) => name.startsWith(start))) continue;
    const all = sent.getAll(name);
    define(values, name, all.length === 1 ? all[0] : all);
  }
  return values;
}

function formValue(field: HttpField, sent: SentPairs, declared: ReadonlySet<string>): unknown {
  const { name, type, style = "form", explode = true } = field;
  if (type !== "mixed" && type !== "json" && (field.itemType !== "json" || field.style !== undefined)) {
    return decodeQueryParameter(
      { ...field, type, in: "body", required: false, style, explode },
      sent,
      declared,
    );
  }
  const all = sent.getAll(name).map((one) => fieldValue(field, name, Buffer.from(one), ""));
  if (type === "array") return all.length === 0 || (all.length === 1 && field.or) ? all[0] : all;
  // Several where one is declared: the validator says so.
  return all.length <= 1 ? all[0] : all;
}

function typedText(field: HttpField | undefined, name: string, value: string): unknown {
  if (value.includes("\0")) throw unreadable(name, "a string without NUL characters");
  const type = field?.type === "array" ? field.itemType : field?.type === "mixed" ? field.or : field?.type;
  return typeof type === "object" || type === "json" || type === "object" ? value : scalar(type, value);
}

function looksLikeJson(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7b || bytes[0] === 0x5b;
}

function jsonValue(name: string, bytes: Uint8Array): unknown {
  return decoded(name, () => parseJson(bytes), "JSON");
}

/** Runs a decoder; says of which field it was when it cannot decode. */
function decoded<T>(name: string, decode: () => T, expected = "valid UTF-8"): T {
  try {
    return decode();
  } catch {
    throw unreadable(name, expected);
  }
}

function unreadable(name: string, expected: string): RequestRefused {
  return new RequestRefused("invalid_value", `body failed validation: body.${name} should be ${expected}.`);
}

/** Refuses a content type that says that its text is not UTF-8, of which ASCII is a part. */
export function checkCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset === undefined || ["utf-8", "utf8", "us-ascii", "ascii"].includes(charset)) return;
  throw new RequestRefused(
    "unsupported_media_type",
    `Unsupported charset ${charset}; send the body in UTF-8.`,
  );
}
