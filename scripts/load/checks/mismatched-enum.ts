import { isObject, isScalar, type JsonObject, type JsonValue } from "../../json.js";
import type { SchemaCheck, SchemaMistake } from "./schema-check.js";
import type { SourceText } from "../text/source-text.js";

/** Corrects each `enum` with values that the `type` beside it excludes, such as the numbers 1 and 2 for a string. */
export const mismatchedEnum: SchemaCheck = (schema, pointer, source) => {
  const { enum: values, items } = schema;
  const type = Array.isArray(values) ? getSingleType(schema) : undefined;
  if (!Array.isArray(values) || type === undefined || values.every((value) => isOfType(value, type)))
    return [];
  const createMistakes = (message: string, correct: () => void): SchemaMistake[] => [
    { relativePointer: "/enum", describe: () => message, correct },
  ];
  const canMove = isObject(items) && items.$ref === undefined && items.enum === undefined;
  if (type === "array" && canMove && values.every(isScalar))
    return createMistakes(
      "The values of this `enum` are not lists, so it is read as the `enum` of `items`. Move it there.",
      () => {
        delete schema.enum;
        // A copy, because the items of another list can be a YAML alias of these.
        schema.items = { ...items, enum: values };
      },
    );
  const converted = values.map((value, index) => {
    if (isOfType(value, type)) return value;
    return type === "string" && typeof value === "number"
      ? getNumberText(source, `${pointer}/enum/${index}`, value)
      : convertScalar(value, type);
  });
  const example = converted.find((value, index) => value !== values[index]);
  if (example !== undefined)
    return createMistakes(
      `This \`enum\` has values that are not of its type, which is ${type}. They are converted, for example to ${JSON.stringify(example)}. Write them like that.`,
      () => {
        // A default with the same mistake needs no warning of its own.
        const corrected = converted.find((_, index) => values[index] === schema.default);
        if (corrected !== undefined) schema.default = corrected;
        schema.enum = converted;
      },
    );
  if (values.some((value) => value !== null && isOfType(value, type))) return [];
  return createMistakes(
    `No value of \`enum\` fits \`type\`, which is ${type}, so \`enum\` is ignored. Correct one of them.`,
    () => delete schema.enum,
  );
};

/** Returns the `type` of a schema without null; undefined for several types. */
function getSingleType({ type }: JsonObject): string | undefined {
  const types = [type].flat().filter((type) => type !== "null");
  return types.length === 1 && typeof types[0] === "string" ? types[0] : undefined;
}

/** Returns a number as it is written, for example 08 or 1.0; in standard form if a YAML alias stands for it. */
function getNumberText(source: SourceText, pointer: string, value: number): string {
  const text = source.matchValue(pointer, /[-+.\w]+/y);
  return text !== undefined && Number(text) === value ? text : String(value);
}

/** Converts a Boolean to a string, or the text of a number or a Boolean to its value; returns any other value unchanged. */
function convertScalar(value: JsonValue, type: string): JsonValue {
  if (type === "string" && typeof value === "boolean") return String(value);
  if (typeof value !== "string") return value;
  if (type === "boolean" && /^(true|false)$/.test(value)) return value === "true";
  const number = value.trim() === "" ? NaN : Number(value);
  return isOfType(number, type) ? number : value;
}

/** Whether a value has a type, or is null, which `nullable` can allow. */
function isOfType(value: JsonValue, type: string): boolean {
  if (value === null) return true;
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return Number.isFinite(value);
  return (Array.isArray(value) ? "array" : typeof value) === type;
}
