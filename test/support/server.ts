import { createServer, type RequestListener, type ServerOptions } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "./ports.js";

/**
 * Starts a server on a free port and returns its address; it stops after the test. Connections stay open when they are idle, because
 * a busy machine can take seconds between two requests.
 */
export async function startServer(listener: RequestListener, options: ServerOptions = {}): Promise<string> {
  const server = createServer({ keepAliveTimeout: 0, ...options }, listener);
  const port = await listen(server);
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${port}`;
}
