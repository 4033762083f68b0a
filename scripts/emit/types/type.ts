import { propertyKey, stringLiteral, templateText } from "../../code/encode.js";
import type { JsonValue } from "../../model/model.js";
import { isObject } from "../../model/node.js";
import { formatDocComment } from "./docs.js";

/** A TypeScript type, before it is printed. */
export type Type =
  /** A keyword, a literal or a name, which needs no parentheses. */
  | { kind: "word"; text: string }
  | { kind: "array"; item: Type }
  /** A list that starts with certain items, of which as many as `least` are present, and continues with `rest`. */
  | { kind: "tuple"; items: readonly Type[]; requiredCount: number; rest: Type | undefined }
  | { kind: "object"; members: readonly Member[]; signatures: readonly Signature[] }
  | { kind: "union" | "intersection"; types: readonly Type[] };

/** A property of an object type. */
export interface Member {
  name: string;
  type: Type;
  isOptional: boolean;
  /** Lines of its doc comment. */
  docs: readonly string[];
}

/** An index signature: the type of all properties whose names fit. */
export interface Signature {
  names: NamePattern;
  type: Type;
}

/** Names of properties: all of them, or those with a prefix and a suffix. */
export interface NamePattern {
  prefix: string;
  suffix: string;
}

export const ANY_NAME: NamePattern = { prefix: "", suffix: "" };

export const UNKNOWN = createWord("unknown");
export const NEVER = createWord("never");
export const NULL = createWord("null");
const EMPTY_OBJECT: Type = { kind: "object", members: [], signatures: [] };
/** The type of any JSON value. In contrast to `unknown`, a property of this type must be present. */
export const ANY_JSON_VALUE: Type = { kind: "union", types: [EMPTY_OBJECT, NULL] };
/** An object without properties. */
export const NO_PROPERTIES: Type = {
  kind: "object",
  members: [],
  signatures: [{ names: ANY_NAME, type: NEVER }],
};

/** A type that is a single word. */
export function createWord(text: string): Type {
  return { kind: "word", text };
}

/** The type of one JSON value. */
export function createLiteral(value: JsonValue): Type {
  if (typeof value === "string") return createWord(stringLiteral(value));
  if (Array.isArray(value)) {
    return { kind: "tuple", items: value.map(createLiteral), requiredCount: value.length, rest: undefined };
  }
  if (!isObject(value)) return createWord(String(value));
  const members = Object.entries(value).map(([name, member]) => ({
    name,
    type: createLiteral(member),
    isOptional: false,
    docs: [],
  }));
  return members.length === 0 ? NO_PROPERTIES : { kind: "object", members, signatures: [] };
}

/** Creates a union without duplicates and `never`. */
export function createUnion(types: readonly Type[]): Type {
  const parts = removeRepeatedWords(
    types.flatMap((type) => (type.kind === "union" ? type.types : [type])).filter((type) => type !== NEVER),
  );
  if (parts.includes(UNKNOWN)) return UNKNOWN;
  const [only, ...others] = parts;
  if (only === undefined) return NEVER;
  return others.length === 0 ? only : { kind: "union", types: parts };
}

/** Creates an intersection without duplicates and `unknown`. */
export function createIntersection(types: readonly Type[]): Type {
  if (types.includes(NEVER)) return NEVER;
  const parts = removeRepeatedWords(
    types
      .flatMap((type) => (type.kind === "intersection" ? type.types : [type]))
      .filter((type) => type !== UNKNOWN),
  );
  const [only, ...others] = parts;
  if (only === undefined) return UNKNOWN;
  return others.length === 0 ? only : { kind: "intersection", types: parts };
}

/** Removes duplicate types of one word. */
function removeRepeatedWords(types: readonly Type[]): Type[] {
  const words = new Set<string>();
  return types.filter((type) => {
    if (type.kind !== "word") return true;
    if (words.has(type.text)) return false;
    words.add(type.text);
    return true;
  });
}

/** Indentation of a type: its depth, and the white space of one level. */
export interface Indent {
  depth: number;
  step: string;
}

/** Prints a type. Lines after the first one have the given indentation. */
export function printType(type: Type, indent: Indent): string {
  switch (type.kind) {
    case "word":
      return type.text;
    case "array":
      return `${printOperand(type.item, indent)}[]`;
    case "tuple": {
      const items = type.items.map((item, index) =>
        index < type.requiredCount ? printType(item, indent) : `${printOperand(item, indent)}?`,
      );
      const rest = type.rest === undefined ? [] : [`...${printOperand(type.rest, indent)}[]`];
      return `[${[...items, ...rest].join(", ")}]`;
    }
    case "object":
      return printObject(type, indent);
    case "union":
      return printUnion(type.types, indent);
    case "intersection":
      return type.types.map((each) => printOperand(each, indent)).join(" & ");
  }
}

/** Prints a union in one line, or with one line per alternative if it is too long. */
function printUnion(types: readonly Type[], indent: Indent): string {
  const texts = types.map((each) =>
    each.kind === "intersection" ? `(${printType(each, indent)})` : printType(each, indent),
  );
  const line = texts.join(" | ");
  if (line.length <= MAX_WIDTH || line.includes("\n")) return line;
  const start = `\n${indent.step.repeat(indent.depth + 1)}| `;
  return texts.map((text) => start + text).join("");
}

/** Maximum width of a union in one line. A longer union has one line per alternative, which keeps diffs small. */
const MAX_WIDTH = 80;

/** Prints a type as the operand of an array or an intersection, in parentheses if it needs them. */
function printOperand(type: Type, indent: Indent): string {
  const text = printType(type, indent);
  return type.kind === "union" || type.kind === "intersection" ? `(${text})` : text;
}

function printObject({ members, signatures }: Type & { kind: "object" }, indent: Indent): string {
  if (members.length + signatures.length === 0) return "{}";
  const inner = { ...indent, depth: indent.depth + 1 };
  const start = indent.step.repeat(inner.depth);
  const lines = members.map((member) => start + printMember(member, inner));
  for (const { names, type } of signatures) {
    lines.push(`${start}[key: ${printNamePattern(names)}]: ${printType(type, inner)};`);
  }
  return `{\n${lines.join("\n")}\n${indent.step.repeat(indent.depth)}}`;
}

/** The text of a property with its doc comment, without indentation in front. */
function printMember({ name, type, isOptional, docs }: Member, indent: Indent): string {
  const comment = formatDocComment(docs).map((line) => `${line}\n${indent.step.repeat(indent.depth)}`);
  return `${comment.join("")}${propertyKey(name)}${isOptional ? "?" : ""}: ${printType(type, indent)};`;
}

function printNamePattern({ prefix, suffix }: NamePattern): string {
  if (prefix === "" && suffix === "") return "string";
  return `\`${templateText(prefix)}\${string}${templateText(suffix)}\``;
}
