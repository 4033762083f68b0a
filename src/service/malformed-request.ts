import { IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { CLOSE_DELAY_MS } from "../budgets.js";

/** A request that violates HTTP, so that no handler can receive it. */
export class MalformedRequestError extends Error {
  override readonly name = "MalformedRequestError";

  constructor(
    readonly status: 400 | 408 | 413 | 417 | 431,
    message: string,
  ) {
    super(message);
  }
}

/** The reason for refusing a request with another expectation than 100-continue (RFC 9110, section 10.1.1). */
const UNKNOWN_EXPECTATION = new MalformedRequestError(
  417,
  "Only 100-continue is supported in the header Expect.",
);

/** Responds to a malformed request. If the parser rejected its head, `request` has at most a URL and an Accept header. */
export type RefuseRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  reason: MalformedRequestError,
) => void;

/**
 * Responds to requests that Node's parser rejects, for which Node itself would send only a status line. The connection is
 * closed afterwards, because the beginning of the next request is unknown.
 *
 * @param server must have `requireHostHeader: false`, because this function responds to a missing Host
 * @returns a function to call before each request is handled, which returns whether it refused the request
 */
export function refuseMalformedRequests(
  server: Server,
  refuse: RefuseRequest,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const lastResponses = new WeakMap<Socket, ServerResponse>();
  const refusedSockets = new WeakSet<Socket>();

  const respond = (socket: Socket, reason: MalformedRequestError, packet?: Buffer): void => {
    const last = lastResponses.get(socket);
    const pending = last === undefined || last.writableFinished || last.destroyed ? undefined : last;
    if (pending?.req.complete) {
      // The previous request is complete and gets its response first.
      pending.once("close", () => respond(socket, reason, packet));
    } else if (!socket.writable || pending?.headersSent) {
      socket.destroy();
    } else if (pending) {
      // The body of the previous request is malformed.
      closeAfter(pending, socket);
      refuse(pending.req, pending, reason);
    } else {
      const request = new IncomingMessage(socket);
      request.method = "";
      request.httpVersionMajor = 1;
      request.httpVersionMinor = 1;
      readHead(request, packet?.toString("latin1") ?? "");
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      closeAfter(response, socket);
      refuse(request, response, reason);
    }
  };

  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) => {
    // The parser reports every later chunk too.
    if (refusedSockets.has(socket)) return;
    refusedSockets.add(socket);
    respond(socket, describeParserError(error), error.rawPacket);
  });
  const unexpected = new WeakSet<IncomingMessage>();
  // Node emits this instead of "request" for an unknown expectation. The listeners of "request" limit bodies and connections.
  server.on("checkExpectation", (request, response) => {
    unexpected.add(request);
    server.emit("request", request, response);
  });
  return (request, response) => {
    lastResponses.set(request.socket, response);
    const reason = checkHost(request) ?? (unexpected.has(request) ? UNKNOWN_EXPECTATION : undefined);
    if (reason === undefined) return false;
    refuse(request, response, reason);
    return true;
  };
}

/** Checks the Host of a request (RFC 9112, section 3.2). `headers` of Node has only the first one. */
function checkHost({ rawHeaders, httpVersion }: IncomingMessage): MalformedRequestError | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) return new MalformedRequestError(400, "The request has more than one header Host.");
  if (hosts.length === 1 || httpVersion !== "1.1") return undefined;
  return new MalformedRequestError(400, "The request has no header Host.");
}

/** Closes the connection after a response, but leaves the client time to read it. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  response.shouldKeepAlive = false;
  response.once("finish", () => {
    socket.end();
    // If the connection were closed at once, data that the client still sends would reset it and discard the response.
    setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref();
  });
}

/** Sets the URL and the Accept header of a request that the parser rejected, if its last packet has them. */
function readHead(request: IncomingMessage, packet: string): void {
  // Only ASCII characters, because logs contain the path, and others can be control characters of terminals.
  request.url = /^[A-Z]+ ([!-~]+)/.exec(packet)?.[1] ?? "";
  // Without a pattern for the spaces, which would take 4.5 s for 60,000 of them, because each could also belong to the value.
  const accept = /\r\naccept:([^\r\n]*)\r\n/i.exec(packet)?.[1]?.trim();
  if (accept) request.headers.accept = accept;
}

function describeParserError({ code }: NodeJS.ErrnoException): MalformedRequestError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new MalformedRequestError(
        431,
        "The URL and headers of a request can have at most 16 KB together. Send fewer or shorter headers and cookies.",
      );
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new MalformedRequestError(413, "The chunks of the body have too many extensions.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new MalformedRequestError(408, "The request did not arrive in time.");
    default:
      return new MalformedRequestError(400, "The request is not valid HTTP.");
  }
}
