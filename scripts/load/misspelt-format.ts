import { getOwnValue } from "../json.js";
import type { SchemaCheck } from "./schema-check.js";

/** The formats of JSON Schema and of OpenAPI's format registry whose names are often misspelt. */
const KNOWN_FORMATS = (
  "binary byte base64url date date-time date-time-local time time-local duration email idn-email hostname idn-hostname " +
  "ipv4 ipv6 uri uri-reference uri-template iri iri-reference json-pointer relative-json-pointer regex uuid password " +
  "float double int32 int64"
).split(" ");

const FORMATS_BY_LETTERS = new Map(KNOWN_FORMATS.map((format) => [toLetters(format), format]));

/** Finds names such as `datetime` and `UUID`. Any other unknown name is a format of the author's own. */
export const misspeltFormat: SchemaCheck = (schema) => {
  const format = getOwnValue(schema, "format");
  const known = typeof format === "string" ? FORMATS_BY_LETTERS.get(toLetters(format)) : undefined;
  if (known === undefined || known === format) return [];
  const message = `The format ${JSON.stringify(format)} is unknown and has no effect. Did you mean \`${known}\`?`;
  return [{ path: "/format", describe: () => message }];
};

/** Removes what is often written differently: letter case and separators. */
function toLetters(format: string): string {
  return format.toLowerCase().replace(/[-_ ]/g, "");
}
