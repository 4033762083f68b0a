import { printStringLiteral } from "../../../code/encode.js";
import { breakLongLines } from "../../../code/break-lines.js";

/** Lines of code; a nested block is indented by two spaces. */
export type Block = (string | Block)[];

/** Prints a block at an indentation level and breaks long lines. */
export function printBlock(block: Block, indent = 0): string {
  return block
    .map((line) =>
      typeof line === "string"
        ? breakLongLine(`${"  ".repeat(indent)}${line}`)
        : printBlock(line, indent + 1),
    )
    .filter((text) => text !== "")
    .join("\n");
}

/** Maximum line length of the project, in characters. */
const MAX_LINE_LENGTH = 110;

function breakLongLine(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const condition = /^( *)if \((.*)\) \{$/.exec(line);
  if (!condition) return breakLongLines(line);
  const [, indent = "", text = ""] = condition;
  return [`${indent}if (`, ...splitOperands(text).map((part) => `${indent}  ${part}`), `${indent}) {`].join(
    "\n",
  );
}

/** Splits a condition at its outermost `&&` and `||`. Each operand keeps the operator that follows it. */
function splitOperands(text: string): string[] {
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

/** Wraps a block in an `if` statement. An empty block stays empty. */
export function wrapInIf(condition: string, block: Block): Block {
  return block.length === 0 ? [] : [`if (${condition}) {`, block, "}"];
}

/** A path in the value: the names of properties, and expressions for steps that are computed at run time. */
export type Path = readonly (string | { readonly expression: string })[];

/** Prints the expression for the JSON pointer of a value. In generated code, `path` is the pointer of the argument. */
export function printPath(path: Path): string {
  const parts = ["path"];
  let literal = "";
  const flush = (): void => {
    if (literal !== "") parts.push(printStringLiteral(literal));
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

/** Names that every object inherits, so that reading such a member also finds inherited ones. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Prints the expression that reads a member of an object. */
export function printMember(object: string, name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
    ? `${object}.${name}`
    : `${object}[${printStringLiteral(name)}]`;
}

/**
 * Prints the condition that an object has an own member. JSON has no undefined, so reading the member suffices for most
 * names.
 */
export function printHasMember(object: string, name: string): string {
  return INHERITED.has(name)
    ? `Object.hasOwn(${object}, ${printStringLiteral(name)})`
    : `${printMember(object, name)} !== undefined`;
}

/** Prints the condition that an object does not have an own member. */
export function printLacksMember(object: string, name: string): string {
  return INHERITED.has(name)
    ? `!Object.hasOwn(${object}, ${printStringLiteral(name)})`
    : `${printMember(object, name)} === undefined`;
}

/** Computes a hash of eight characters for names. Not cryptographic. */
export function computeShortHash(text: string): string {
  // Two 32-bit hashes in the manner of FNV-1a, over UTF-16 code units.
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
