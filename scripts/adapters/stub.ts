import type { HandledOperation } from "./handlers.js";

/** Source of the types of a stub's parameters. */
export type StubTyping =
  /** The annotation around the object. */
  | { kind: "contextual" }
  /** The interface as the file names it, e.g. `PagesHandlers<Ctx>`. */
  | { kind: "interface"; text: string }
  /** None: the stub has no parameters, which fits every interface. */
  | { kind: "none" };

const MAX_COMMENT_LENGTH = 160;

/** The message of the error that a stub throws. */
export function stubMessage(name: string): string {
  return `${name} is not implemented`;
}

/** The lines of a stub, without a comma after it and with two spaces per level. */
export function stubLines({ name, method, path, summary }: HandledOperation, typing: StubTyping): string[] {
  const title = `${method.toUpperCase()} ${path}`;
  return [
    `/** ${commentText(summary ? `${title}: ${summary}` : title)} */`,
    ...signature(name, typing),
    `  throw Object.assign(new Error(${JSON.stringify(stubMessage(name))}), { status: 501 });`,
    "}",
  ];
}

function signature(name: string, typing: StubTyping): string[] {
  if (typing.kind === "contextual") return [`async ${name}(_request, _context) {`];
  // The return type is explicit because a class would infer `Promise<void>`.
  if (typing.kind === "none") return [`async ${name}(): Promise<never> {`];
  const parameters = `Parameters<${typing.text}["${name}"]>`;
  return [
    `async ${name}(`,
    `  _request: ${parameters}[0],`,
    `  _context: ${parameters}[1],`,
    "): Promise<never> {",
  ];
}

/** Encodes text of the document for a one-line comment: it cannot end the comment, start a line or a JSDoc tag. */
function commentText(text: string): string {
  const line = text
    // First: removing a character later could join a `*` and a `/`.
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    // Invisible and direction-changing characters, and halves of surrogate pairs.
    .replace(/[\p{Cf}\p{Cs}]/gu, "")
    .replace(/(^|[\s{])@+/g, "$1")
    .trim();
  const characters = [...line];
  let safe =
    characters.length > MAX_COMMENT_LENGTH
      ? `${characters.slice(0, MAX_COMMENT_LENGTH - 1).join("")}…`
      : line;
  // Repeated: removing `*/` from `**//` leaves another one.
  while (safe.includes("*/")) safe = safe.replaceAll("*/", "");
  return safe;
}
