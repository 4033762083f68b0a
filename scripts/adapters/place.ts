import type ts from "typescript";
import type { Position } from "../diagnostic.js";

/** The place of an offset in a parsed file. */
export function placeOf(file: string, tree: ts.SourceFile, start: number): Position {
  const { line, character } = tree.getLineAndCharacterOfPosition(start);
  return { file, line: line + 1, col: character + 1, pointer: "" };
}
