import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "../support/ports.js";

/** A TCP proxy that can delay data. */
export interface Proxy {
  readonly port: number;
  /** Milliseconds by which data is delayed; can be changed at any time. */
  delay: number;
}

/** Starts a proxy for a local port; it stops after the test. */
export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const proxy = { port: 0, delay: 0 };
  const forward = (from: Socket, to: Socket): void => {
    from.on("data", (data) => {
      if (proxy.delay === 0) to.write(data);
      else setTimeout(() => to.write(data), proxy.delay).unref();
    });
    from.on("close", () => to.destroy());
    from.on("error", () => to.destroy());
    sockets.add(from);
  };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    forward(client, upstream);
    forward(upstream, client);
  });
  proxy.port = await listen(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return proxy;
}
