import type { Random } from "../../support/random.js";

/** A parsed regular expression, with only what generating a matching text needs. */
type Node =
  | { kind: "one"; characters: string[] }
  | { kind: "sequence"; parts: Node[] }
  | { kind: "choice"; options: Node[] }
  | { kind: "repeat"; part: Node; least: number; most: number };

/** Candidate characters for a character class, which needs only some of its characters. The routes refuse U+0000. */
const CANDIDATES = [
  ..."abcxyzABCXYZ0123456789 -_.,:;/?#@!$&'()*+=%~^|\\\"<>[]{}`\t\n",
  "é",
  "ß",
  "漢",
  "字",
  "🚀",
  "\u00a0",
  "\u0007",
];

/**
 * Generates texts that may match a pattern. It ignores assertions, so the caller must test each text.
 *
 * @throws when the pattern is not a regular expression
 */
export function generateTexts(pattern: string, random: Random, count: number): string[] {
  const node = new Parser(pattern).all();
  return Array.from({ length: count }, (_, index) => write(node, random, index));
}

/** Compiles a `pattern` with the flag u, as JSON Schema requires, or without it if only that is valid. */
export function compileExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

/** Writes a matching text. `eagerness` grows with each attempt, so that unlimited patterns give longer texts. */
function write(node: Node, random: Random, eagerness: number): string {
  switch (node.kind) {
    case "one":
      return node.characters[random.below(node.characters.length)] ?? "";
    case "sequence":
      return node.parts.map((part) => write(part, random, eagerness)).join("");
    case "choice": {
      const option = node.options[random.below(node.options.length)];
      return option ? write(option, random, eagerness) : "";
    }
    case "repeat": {
      const most = Math.min(node.most, node.least + 1 + eagerness);
      const times = node.least + random.below(most - node.least + 1);
      return Array.from({ length: times }, () => write(node.part, random, eagerness)).join("");
    }
  }
}

const NOTHING: Node = { kind: "sequence", parts: [] };

class Parser {
  private position = 0;

  constructor(private readonly source: string) {
    compileExpression(source);
  }

  all(): Node {
    const options: Node[] = [];
    let parts: Node[] = [];
    for (;;) {
      const next = this.source[this.position];
      if (next === undefined || next === ")") break;
      if (next === "|") {
        this.position += 1;
        options.push({ kind: "sequence", parts });
        parts = [];
      } else parts.push(this.repeated(this.atom()));
    }
    options.push({ kind: "sequence", parts });
    return { kind: "choice", options };
  }

  private take(found: RegExp): string | undefined {
    found.lastIndex = this.position;
    const match = found.exec(this.source);
    if (!match) return undefined;
    this.position += match[0].length;
    return match[0];
  }

  private atom(): Node {
    if (this.take(/\^|\$|\\[bB]/y) !== undefined) return NOTHING;
    const group = this.take(/\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]*:))?/y);
    if (group !== undefined) {
      const inside = this.all();
      this.position += 1;
      return /^\(\?<?[=!]/.test(group) ? NOTHING : inside;
    }
    const text =
      this.take(/\[(?:\\[^]|[^\]\\])*\]/y) ??
      this.take(/\\(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[^])|[^]/uy) ??
      "";
    return { kind: "one", characters: listCharacters(text) };
  }

  private repeated(part: Node): Node {
    const sign = this.take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (sign === undefined) return part;
    const [least = 0, most] = [...sign.matchAll(/\d+/g)].map(([digits]) => Number(digits));
    if (sign.startsWith("{")) {
      const end = most ?? (sign.includes(",") ? Infinity : least);
      return { kind: "repeat", part, least, most: end };
    }
    return sign.startsWith("?")
      ? { kind: "repeat", part, least: 0, most: 1 }
      : { kind: "repeat", part, least: sign.startsWith("+") ? 1 : 0, most: Infinity };
  }
}

/** Lists the candidate characters of a class or an escape, or the literal itself. */
function listCharacters(source: string): string[] {
  const alone = compileExpression(`^(?:${source})$`);
  const found = CANDIDATES.filter((character) => alone.test(character));
  if (found.length > 0) return found;
  for (let code = 1; code < 0x3000; code += 1) {
    const character = String.fromCharCode(code);
    if (alone.test(character)) return [character];
  }
  return [source];
}
