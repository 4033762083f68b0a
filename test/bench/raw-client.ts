import { once } from "node:events";
import { connect, type Socket } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");

/** Encodes an HTTP request ahead of time, so that the load generator leaves the processor to the server. */
export function encodeRequest(method: string, target: string, key?: string, body?: unknown): Buffer {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${target} HTTP/1.1`,
    "Host: bench",
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
}

/** A keep-alive connection that sends one request at a time. It reads responses with a Content-Length. */
export class RawClient {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #missingBytes = 0;
  #headLength = 0;
  #pending: { resolve(body: Buffer): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay();
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", (error) => this.#pending?.reject(error));
    socket.on("close", () => this.#pending?.reject(new Error("The server closed the connection.")));
  }

  static async open(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new RawClient(socket);
  }

  /**
   * Sends a request.
   *
   * @returns the body of the response
   * @throws when its status is not 200 or the connection is lost
   */
  send(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#pending = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk);
    if (this.#missingBytes === 0) {
      const all = this.#joinReceived();
      const end = all.indexOf(HEAD_END);
      if (end === -1) return;
      const head = all.toString("latin1", 0, end);
      if (!head.startsWith("HTTP/1.1 200 ")) {
        this.#pending?.reject(new Error(`The response was ${all.toString("utf8", 0, 1000)}`));
        return;
      }
      this.#headLength = end + HEAD_END.length;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
      this.#missingBytes = this.#headLength + length - all.length;
    } else this.#missingBytes -= chunk.length;
    if (this.#missingBytes > 0) return;
    const body = this.#joinReceived().subarray(this.#headLength);
    this.#received = [];
    this.#pending?.resolve(body);
  }

  #joinReceived(): Buffer {
    const [first] = this.#received;
    const all = this.#received.length === 1 && first ? first : Buffer.concat(this.#received);
    this.#received = [all];
    return all;
  }
}
