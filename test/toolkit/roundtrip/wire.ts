import type { Parameter } from "./document.js";
import { type Json, isObject, put } from "./json.js";

/**
 * Value of a parameter after transport by the rules of its style: `value` is undefined when nothing is sent. `reason`
 * explains why the value has no text form.
 */
export type Carried = { value: Json | undefined } | { reason: string };

/** Computes the value that arrives for a sent value, by location, style and explode. */
export function carry(parameter: Parameter, value: Json): Carried {
  const { required, json } = parameter;
  if (json) return carryJson(parameter, value);
  const carried = removeNulls(parameter, value);
  if (carried === undefined) {
    return required ? { reason: "nothing is sent for null, and it is required" } : { value: undefined };
  }
  const reason = Array.isArray(carried)
    ? explainList(parameter, carried)
    : isObject(carried)
      ? explainObject(parameter, carried)
      : explainText(parameter, String(carried));
  if (reason !== undefined) return { reason };
  if (isAbsent(parameter, carried)) {
    return required
      ? { reason: "nothing is sent when it is empty, and it is required" }
      : { value: undefined };
  }
  return { value: carried };
}

/** Computes the transported value of a JSON parameter, which only the location restricts. */
function carryJson(parameter: Parameter, value: Json): Carried {
  if (parameter.in !== "path") return { value };
  const reason = explainText(parameter, JSON.stringify(value));
  return reason === undefined ? { value } : { reason };
}

/** Removes null, which is not sent, as the value or as a member of an object. */
function removeNulls({ style }: Parameter, value: Json): Json | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) return value;
  const result = {};
  for (const [name, member] of Object.entries(value)) {
    const kept = style === "deepObject" ? removeEmpty(member) : (member ?? undefined);
    if (kept !== undefined) put(result, name, kept);
  }
  return result;
}

/** Removes empty lists and objects, which a deepObject cannot represent. */
function removeEmpty(value: Json): Json | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(removeEmpty).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const result = {};
  for (const [name, member] of Object.entries(value)) {
    const kept = removeEmpty(member);
    if (kept !== undefined) put(result, name, kept);
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

function isAbsent({ in: place, style, explode }: Parameter, value: Json): boolean {
  const empty = Array.isArray(value)
    ? value.length === 0
    : isObject(value) && Object.keys(value).length === 0;
  if (!empty) return false;
  return (place === "query" || place === "cookie") && (explode || style === "deepObject");
}

/** Returns the reason why a text cannot be sent in a location. */
function explainText({ in: place, style }: Parameter, text: string): string | undefined {
  if (place === "path" && style !== "matrix") {
    const segment = style === "label" ? `.${text}` : text;
    if (text === "" && style === "simple") return "a path has no empty segments";
    if (segment === "." || segment === "..") return "URLs leave out the segments . and ..";
  }
  if (place !== "header") return undefined;
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(text)) return "HTTP forbids characters of it in a header";
  return text.trim() === text ? undefined : "HTTP takes off the white space around a header";
}

/** Returns the reason why the parts of a list or object are ambiguous. */
function explainPart(parameter: Parameter, part: Json): string | undefined {
  const { in: place, style, explode } = parameter;
  const text = typeof part === "object" ? JSON.stringify(part) : String(part);
  if (place === "header" && text.includes(",")) return "a comma parts the items of a header";
  if (style === "spaceDelimited" && !explode && text.includes(" ")) return "spaces are its delimiter";
  if (style === "pipeDelimited" && !explode && text.includes("|")) return "pipes are its delimiter";
  return place === "header" ? explainText(parameter, text) : undefined;
}

function explainList(parameter: Parameter, list: Json[]): string | undefined {
  const { in: place, style, explode } = parameter;
  if (list.includes(null)) return "a list has no form for null";
  const repeated = (place === "query" || place === "cookie" || style === "matrix") && explode;
  if (list.length === 1 && list[0] === "" && !repeated)
    return "a list of one empty text is written as an empty list";
  if (place === "path" && list.length === 0 && style !== "matrix") return "a path has no empty segments";
  const segment = style === "label" ? `.${list.join(",")}` : String(list[0]);
  if (place === "path" && list.length < 2 && /^\.\.?$/.test(segment))
    return "URLs leave out the segments . and ..";
  return list.map((item) => explainPart(parameter, item)).find((reason) => reason !== undefined);
}

function explainObject(parameter: Parameter, value: { [key: string]: Json }): string | undefined {
  const { in: place, style, explode } = parameter;
  const members = Object.entries(value);
  if (place === "path" && members.length === 0 && style !== "matrix") return "a path has no empty segments";
  if (style === "deepObject") {
    return namesOf(value).some((name) => /[[\]]/.test(name) || name === "")
      ? "deepObject has no form for a name with brackets"
      : undefined;
  }
  if (place === "header" && explode && members.some(([name]) => name.includes("="))) {
    return "an equals sign parts the names of a header";
  }
  const lists = place === "query" && explode ? members.map(([, member]) => member).filter(Array.isArray) : [];
  if (lists.some((list) => list.length === 0 || list.includes(null)))
    return "nothing is sent of an empty list or a null in a list";
  const reasons = members.flatMap(([name, member]) => [
    explainPart(parameter, name),
    explainPart(parameter, member),
  ]);
  return reasons.find((reason) => reason !== undefined);
}

function namesOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(namesOf);
  return isObject(value) ? Object.entries(value).flatMap(([name, member]) => [name, ...namesOf(member)]) : [];
}

/**
 * Whether two values of a parameter have the same text, such as `5` and `"5"`, or `"a"` and `["a"]`. If a schema allows
 * both, the text is ambiguous.
 */
export function haveSameText(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  if (!isObject(value)) return String(value);
  return JSON.stringify(
    Object.entries(value)
      .map(([name, member]) => [name, textOf(member)])
      .sort(),
  );
}
