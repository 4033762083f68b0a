import { IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What arrived is no request that HTTP lets anybody read, so no handler sees it. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";

  constructor(
    readonly status: 400 | 408 | 413 | 417 | 431,
    message: string,
  ) {
    super(message);
  }
}

/** Answers what cannot be read; all that is known of it may be the connection that it came on. */
export type Refuse = (request: IncomingMessage, response: ServerResponse, reason: Unreadable) => void;

/** Milliseconds in which a client can read its answer while it still sends. */
const FAREWELL = 1000;

/**
 * Answers what Node's parser refuses like any other request, where Node itself would send a status line alone. The
 * connection is closed after it, for nobody knows where the next request would begin.
 *
 * @param server Made with `requireHostHeader: false`, as that is answered here, too.
 * @returns To be told of each request whose turn it is; says whether it was refused.
 */
export function answerUnreadable(
  server: Server,
  refuse: Refuse,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const latest = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();

  const answer = (socket: Socket, reason: Unreadable): void => {
    const before = latest.get(socket);
    const pending = before === undefined || before.writableFinished || before.destroyed ? undefined : before;
    if (pending?.req.complete) {
      // That request is whole, and gets its answer first.
      pending.once("close", () => answer(socket, reason));
    } else if (!socket.writable || pending?.headersSent) {
      socket.destroy();
    } else if (pending) {
      // It is the body of that request that cannot be read.
      leaveAfter(pending, socket);
      refuse(pending.req, pending, reason);
    } else {
      const request = new IncomingMessage(socket);
      request.method = "";
      request.httpVersionMajor = 1;
      request.httpVersionMinor = 1;
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      leaveAfter(response, socket);
      refuse(request, response, reason);
    }
  };

  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    // The parser reports each piece that arrives after the one that it could not read.
    else if (!refused.has(socket)) {
      refused.add(socket);
      answer(socket, reasonOf(error));
    }
  });
  server.on("checkExpectation", (request, response) => {
    refuse(request, response, new Unreadable(417, "Of the header Expect, 100-continue alone is supported."));
  });
  return (request, response) => {
    latest.set(request.socket, response);
    if (request.httpVersion !== "1.1" || request.headers.host !== undefined) return false;
    refuse(request, response, new Unreadable(400, "The request has no header Host."));
    return true;
  };
}

/** Closes the connection with an answer, in a way that lets the client read it. */
function leaveAfter(response: ServerResponse, socket: Socket): void {
  response.shouldKeepAlive = false;
  response.once("finish", () => {
    socket.end();
    // Closed at once, what the client still sends would make it drop the answer.
    setTimeout(() => socket.destroy(), FAREWELL).unref();
  });
}

function reasonOf({ code }: NodeJS.ErrnoException): Unreadable {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Unreadable(431, "Address and headers of a request can have at most 16 KB together.");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Unreadable(413, "The chunks of the body have too many extensions.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Unreadable(408, "The request did not arrive in time.");
    default:
      return new Unreadable(400, "This is not a request that HTTP allows.");
  }
}
