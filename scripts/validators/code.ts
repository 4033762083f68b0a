import { stringLiteral } from "../code/encode.js";
import { breakLongLines } from "../code/layout.js";

/** Lines of code; a nested block is indented by two spaces. */
export type Block = (string | Block)[];

/** Lays a block out, `indent` levels deep; lines that are too long are broken. */
export function print(block: Block, indent = 0): string {
  return block
    .map((line) =>
      typeof line === "string" ? fit(`${"  ".repeat(indent)}${line}`) : print(line, indent + 1),
    )
    .filter((text) => text !== "")
    .join("\n");
}

/** The project's own width of lines. */
const WIDTH = 110;

function fit(line: string): string {
  if (line.length <= WIDTH) return line;
  const condition = /^( *)if \((.*)\) \{$/.exec(line);
  if (!condition) return breakLongLines(line);
  const [, indent = "", text = ""] = condition;
  return [`${indent}if (`, ...operands(text).map((part) => `${indent}  ${part}`), `${indent}) {`].join("\n");
}

/** The operands of `&&` and `||` that stand in no brackets, each with the operator behind it. */
function operands(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      do at += text.charAt(at) === "\\" ? 2 : 1;
      while (at < text.length && text.charAt(at) !== '"');
    } else if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    else if (depth === 0 && /^ (?:&&|\|\|) /.test(text.slice(at, at + 4))) {
      parts.push(text.slice(start, at + 3));
      start = at + 4;
    }
  }
  return [...parts, text.slice(start)];
}

/** `if (condition) { ... }`; nothing where the block is empty. */
export function when(condition: string, block: Block): Block {
  return block.length === 0 ? [] : [`if (${condition}) {`, block, "}"];
}

/** A place in the value: text that is known when the code is made, and expressions for what is known when it runs. */
export type Path = readonly (string | { readonly expression: string })[];

/** The expression for a JSON pointer, given that `path` holds the one of the function's own value. */
export function pathExpression(path: Path): string {
  const parts = ["path"];
  let literal = "";
  const flush = (): void => {
    if (literal !== "") parts.push(stringLiteral(literal));
    literal = "";
  };
  for (const part of path) {
    if (typeof part === "string") literal += `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    else {
      literal += "/";
      flush();
      parts.push(part.expression);
    }
  }
  flush();
  return parts.join(" + ");
}

/** Names that every object inherits: whether an object has one of its own cannot be told by reading it. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** An expression for the member of an object; the object has it as its own, or it reads as undefined. */
export function member(object: string, name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `${object}.${name}` : `${object}[${stringLiteral(name)}]`;
}

/** Whether an object has a member of its own. JSON knows no undefined, so reading most names tells. */
export function has(object: string, name: string): string {
  return INHERITED.has(name)
    ? `Object.hasOwn(${object}, ${stringLiteral(name)})`
    : `${member(object, name)} !== undefined`;
}

/** Whether an object lacks a member of its own. */
export function lacks(object: string, name: string): string {
  return INHERITED.has(name)
    ? `!Object.hasOwn(${object}, ${stringLiteral(name)})`
    : `${member(object, name)} === undefined`;
}

/** A short text that stands for a long one: the same on every machine, and whatever else there is. */
export function hash(text: string): string {
  // FNV-1a over UTF-16 code units, twice, so that 64 bits of it are used.
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  const digits = (part: number): string => (part >>> 0).toString(36);
  return `${digits(one)}${digits(two)}`.slice(0, 8);
}
