import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A request as bytes, so that asking costs next to nothing. */
export function requestBytes(method: string, target: string, key: string, body?: unknown): Buffer {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${target} HTTP/1.1`,
    "Host: bench",
    `Authorization: Bearer ${key}`,
    ...(body === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
}

/** One connection to a server, one request at a time. It reads what our answers are: with a Content-Length. */
export class RawClient {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #missing = 0;
  #waiting: { resolve(body: Buffer): void; reject(error: Error): void } | undefined;
  #headLength = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay();
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", (error) => this.#waiting?.reject(error));
    socket.on("close", () => this.#waiting?.reject(new Error("The server closed the connection.")));
  }

  static async open(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new RawClient(socket);
  }

  /** Sends a request and gives the body of the answer. Fails when its status is not 200. */
  ask(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk);
    if (this.#missing === 0) {
      const all = Buffer.concat(this.#received);
      this.#received = [all];
      const end = all.indexOf("\r\n\r\n");
      if (end === -1) return;
      const head = all.toString("latin1", 0, end);
      if (!head.startsWith("HTTP/1.1 200 ")) {
        this.#waiting?.reject(new Error(`The answer was ${all.toString("utf8", 0, 1000)}`));
        return;
      }
      this.#headLength = end + 4;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
      this.#missing = this.#headLength + length - all.length;
    } else this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    const body = Buffer.concat(this.#received).subarray(this.#headLength);
    this.#received = [];
    this.#waiting?.resolve(body);
  }
}
