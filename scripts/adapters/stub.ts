import type { HandledOperation } from "./groups.js";
import { commentText } from "./comment.js";

/** How a stub gets the types of its parameters. */
export type StubTyping =
  /** From the annotation around the object. */
  | { kind: "contextual" }
  /** From the interface, written as in the file, e.g. `PagesHandlers<Ctx>`. */
  | { kind: "interface"; text: string }
  /** Not at all: it takes no parameters, which fits every interface. */
  | { kind: "none" };

/** The message of the error that a stub throws. */
export function stubMessage(name: string): string {
  return `${name} is not implemented`;
}

/** The lines of a stub without a comma after it, indented by two spaces per level. */
export function stubLines(operation: HandledOperation, typing: StubTyping): string[] {
  const { name, method, path, summary } = operation;
  const title = `${method.toUpperCase()} ${path}`;
  return [
    `/** ${commentText(summary ? `${title}: ${summary}` : title)} */`,
    ...signature(name, typing),
    `  throw Object.assign(new Error(${JSON.stringify(stubMessage(name))}), { status: 501 });`,
    "}",
  ];
}

function signature(name: string, typing: StubTyping): string[] {
  switch (typing.kind) {
    case "contextual":
      return [`async ${name}(_request, _context) {`];
    case "none":
      // With the return type spelt out it fits in a class too, where it would be inferred as `Promise<void>`.
      return [`async ${name}(): Promise<never> {`];
    case "interface": {
      const parameters = `Parameters<${typing.text}["${name}"]>`;
      return [
        `async ${name}(`,
        `  _request: ${parameters}[0],`,
        `  _context: ${parameters}[1],`,
        "): Promise<never> {",
      ];
    }
  }
}
