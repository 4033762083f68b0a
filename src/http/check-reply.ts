import type { Exchange, HttpOperation, Reply, ResponseValidators } from "./types.js";
import { describe, type Expectations } from "./validation.js";

/** An answer of a handler that the document does not allow. It is the server's fault, never the client's. */
export class ReplyMismatch extends Error {
  override readonly name = "ReplyMismatch";
}

/** The response validators of one operation, by status as the document spells it. */
export type ReplyChecks = Readonly<Record<string, ResponseValidators | undefined>>;

/**
 * Holds an answer against what its operation declares: the status, the headers, the media type and the body as JSON
 * writes it. It takes about as long as sending the answer does, and is meant for tests and development.
 *
 * @throws ReplyMismatch whose message names the operation, the status and the place
 */
export function checkReply(
  operation: HttpOperation,
  checks: ReplyChecks,
  reply: Reply,
  exchange: Exchange,
  expectations: Expectations,
): void {
  const refuse = (reason: string): never => {
    throw new ReplyMismatch(`${operation.id} answered with status ${reply.status}: ${reason}`);
  };
  const key = [String(reply.status), `${String(reply.status)[0]}XX`, "default"].find((each) =>
    Object.hasOwn(operation.responses, each),
  );
  if (key === undefined) return refuse("the document declares no such status.");
  const validators = checks[key] ?? {};
  const headers = headersOf({ ...exchange.headers, ...reply.headers });
  if (validators.headers && !validators.headers(headers)) {
    refuse(describe(validators.headers.errors ?? [], "headers", headers, expectations));
  }
  const declared = operation.responses[key] ?? [];
  if (reply.body === undefined) {
    if (declared.length > 0) refuse("the body is missing.");
    return;
  }
  const contentType = reply.contentType ?? declared[0];
  if (contentType === undefined) return refuse("the document declares no body.");
  const name = declared.find((each) => essence(each) === essence(contentType));
  if (name === undefined && !declared.some((each) => each.includes("*"))) {
    refuse(`the document declares no ${contentType}.`);
  }
  const validator = validators.body?.[name ?? ""];
  // Forms and streams are written piece by piece: there is no value that could be looked at as a whole.
  if (!validator || !/[/+]json$/.test(essence(contentType)) || reply.body instanceof Uint8Array) return;
  const body: unknown = JSON.parse(JSON.stringify(reply.body));
  if (!validator(body)) refuse(describe(validator.errors ?? [], "body", body, expectations));
}

/** Headers that are sent, by their names in lower case. */
function headersOf(headers: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function essence(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}
