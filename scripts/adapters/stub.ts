import { Node, type TypeNode } from "ts-morph";
import { escapeCommentText } from "../code/encode.js";
import type { HandledOperation } from "../model/model.js";
import type { ImplementationBody, NewMember } from "./implementation.js";

const MAX_COMMENT_LENGTH = 160;

/**
 * Creates a stub: a handler that is not implemented.
 *
 * @param body the object or class that gets the stub; undefined for an object with a type annotation in a new file
 * @param annotation the part of its annotation that names the interface
 */
export function createStub(
  { name, method, path, summary }: HandledOperation,
  body?: ImplementationBody,
  annotation?: TypeNode,
): NewMember {
  const title = `${method.toUpperCase()} ${path}`;
  const comment = `/** ${encodeComment(summary ? `${title}: ${summary}` : title)} */`;
  const signature = printSignature(name, body, annotation);
  return { name, lines: [comment, ...signature, `  ${printStatement(name)}`, "}"] };
}

function printStatement(name: string): string {
  return `throw Object.assign(new Error(${JSON.stringify(`${name} is not implemented`)}), { status: 501 });`;
}

/** Whether the body of a member is that of its stub, except for the formatting. */
export function isUntouchedStub(member: Node, name: string): boolean {
  const normalize = (text = ""): string => text.replace(/[\s;]|,(?=\s*[)}])/g, "").replaceAll("'", '"');
  const body = Node.isMethodDeclaration(member) ? member.getBodyText() : undefined;
  return normalize(body) === normalize(printStatement(name));
}

function printSignature(
  name: string,
  body: ImplementationBody | undefined,
  annotation: TypeNode | undefined,
): string[] {
  const isObject = Node.isObjectLiteralExpression(body);
  if (!annotation || (isObject && body.getContextualType())) return [`async ${name}(_request, _context) {`];
  const type = annotation.getText().replace(/\s+/g, " ");
  // A function without parameters fits every type of handler. A type with a comment cannot be repeated on one line.
  if (isObject || /\/[/*]/.test(type)) return [`async ${name}(): Promise<never> {`];
  // The return type is explicit because a class would infer `Promise<void>`.
  const parameters = `Parameters<${type}["${name}"]>`;
  return [
    `async ${name}(`,
    `  _request: ${parameters}[0],`,
    `  _context: ${parameters}[1],`,
    "): Promise<never> {",
  ];
}

/** Encodes text of the document for a one-line comment: it cannot end the comment, start a line or a JSDoc tag. */
function encodeComment(text: string): string {
  const line = escapeCommentText(text)
    .replace(/\s+/g, " ")
    .replace(/(^|[\s{])@+/g, "$1");
  const characters = [...line];
  if (characters.length <= MAX_COMMENT_LENGTH) return line;
  return `${characters.slice(0, MAX_COMMENT_LENGTH - 1).join("")}…`;
}
