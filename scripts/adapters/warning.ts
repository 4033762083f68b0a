import type { Node } from "ts-morph";
import type { Diagnostic } from "../diagnostic.js";

/** Creates a warning at the start of a node, or at an offset in its file. */
export function createWarning(node: Node, message: string, offset = node.getStart()): Diagnostic {
  const source = node.getSourceFile();
  const { line, column } = source.getLineAndColumnAtPos(offset);
  const position = { file: source.getFilePath(), line, col: column, pointer: "" };
  return { severity: "warning", message, position };
}
