import { groupBy } from "../maps.js";

/**
 * A statement, or a member of an object, a class or a type, in generated code. Nested lines have more indentation, because all
 * emitters print code in this way.
 */
interface Chunk {
  /** Its first line up to the end of its name. */
  key: string;
  /** Offsets of its comment, or of its first line, and of its end without a comma. */
  start: number;
  end: number;
  /** The number of blank lines before it. */
  gap: number;
}

/** The difference between two excerpts cannot be applied to the whole text. */
export class MergeConflictError extends Error {
  override readonly name = "MergeConflictError";
}

/**
 * Applies a change of an excerpt of a generated file to the whole file. The excerpt has some statements and members of the
 * whole file, which are the same there. Imports, and statements with the same key such as all `router.get(...)`, may differ there if
 * the change leaves them alone.
 *
 * @throws MergeConflictError if the excerpt is not a part of the whole file, or if statements or members were added, removed or
 *   moved
 */
export function mergeExcerpt(before: string, after: string, whole: string): string {
  return mergeBlock(before, after, whole, "");
}

/** @param indent indentation of the statements or members of the block */
function mergeBlock(before: string, after: string, whole: string, indent: string): string {
  const older = splitChunks(before, indent);
  const newer = splitChunks(after, indent);
  const target = groupBy(splitChunks(whole, indent), ({ key }) => key);
  if (older.length !== newer.length) throw new MergeConflictError();
  const merged = older.flatMap((chunk, index) => {
    const next = newer[index];
    const text = before.slice(chunk.start, chunk.end);
    const nextText = next && after.slice(next.start, next.end);
    const [found, ...others] = target.get(chunk.key) ?? [];
    if (text === nextText && (IMPORT_OR_EMPTY.test(text) || others.length > 0)) return [];
    if (!found || others.length > 0 || nextText === undefined) throw new MergeConflictError();
    if (next?.key !== chunk.key || next.gap !== chunk.gap) throw new MergeConflictError();
    if (text !== nextText && indent === "" && SHARED_STATEMENT.test(chunk.key))
      throw new MergeConflictError();
    const { start, end } = found;
    return [{ start, end, text: mergeChunk(text, nextText, whole.slice(start, end), indent) }];
  });
  let result = "";
  let copied = 0;
  for (const { start, end, text } of merged.sort((one, other) => one.start - other.start)) {
    result += whole.slice(copied, start) + text;
    copied = end;
  }
  return result + whole.slice(copied);
}

/** Matches an import and an empty section, of which the whole file can have more. */
const IMPORT_OR_EMPTY = /^import |\bnever>?;$|\{\}$/;

/**
 * Matches statements that others outside the excerpt can share: imports, and because of their content the readers of response
 * headers. Names with `$` belong to one schema, and the excerpt contains everything that depends on it.
 */
const SHARED_STATEMENT = /^import |^const \w+ $/;

function mergeChunk(before: string, after: string, whole: string, indent: string): string {
  if (before === whole) return after;
  const [older, newer, target] = [before, after, whole].map((text) => splitNested(text, indent));
  if (!older || !newer || !target || older.head !== newer.head || older.foot !== newer.foot)
    throw new MergeConflictError();
  const isSameBlock = removeTypeParameters(older.head) === removeTypeParameters(target.head);
  if (!isSameBlock || older.foot !== target.foot) throw new MergeConflictError();
  return target.head + mergeBlock(older.nested, newer.nested, target.nested, `${indent}  `) + target.foot;
}

/** An unused type parameter begins with an underscore, so type parameters depend on the members. */
function removeTypeParameters(head: string): string {
  return head.replace(/<.*>/, "");
}

/** Splits a block of code into the chunks that begin at an indentation. */
function splitChunks(block: string, indent: string): Chunk[] {
  const chunks: Chunk[] = [];
  let last: Chunk | undefined;
  for (const match of block.matchAll(createChunkPattern(indent))) {
    const [, gap = "", key = ""] = match;
    if (last) last.end = findChunkEnd(block, match.index);
    last = { key, start: match.index + gap.length, end: block.length, gap: gap.length };
    chunks.push(last);
  }
  if (last) last.end = findChunkEnd(block, block.length);
  return chunks;
}

/** Returns the end of the chunk before an offset, without its line end and a comma. */
function findChunkEnd(block: string, offset: number): number {
  const lineEnd = block.endsWith("\n", offset) ? offset - 1 : offset;
  return block.endsWith(",", lineEnd) ? lineEnd - 1 : lineEnd;
}

/**
 * Creates the pattern of the blank lines and the comment before a chunk, and of its first line up to the end of the name,
 * which may be quoted. A line with closing brackets belongs to the chunk before.
 */
function createChunkPattern(indent: string): RegExp {
  const comment = `(?:${indent}//.*\\n|${indent}/\\*.*\\n(?:${indent} \\*.*\\n)*)*`;
  return new RegExp(
    `^(\\n*)${comment}${indent}(?=[^\\s})\\]])(?!/[/*])((?:"(?:[^"\\\\\\n]|\\\\.)*"|[^=:({<"\\n])*)`,
    "gm",
  );
}

/** Splits a chunk into its first line, with the comment before it, the lines with more indentation, and the last line. */
function splitNested(
  text: string,
  indent: string,
): { head: string; nested: string; foot: string } | undefined {
  const [first = ""] = createChunkPattern(indent).exec(text) ?? [];
  const start = text.indexOf("\n", first.length) + 1;
  const last = text.lastIndexOf("\n") + 1;
  const isFoot = text.startsWith(indent, last) && /[\])}]/.test(text.charAt(last + indent.length));
  const end = isFoot ? last : text.length;
  if (start === 0 || start >= end) return undefined;
  return { head: text.slice(0, start), nested: text.slice(start, end), foot: text.slice(end) };
}
