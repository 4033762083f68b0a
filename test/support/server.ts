import { createServer, type RequestListener, type ServerOptions } from "node:http";
import { onTestFinished } from "vitest";

/**
 * Starts a server on a free port and returns its address; it stops after the test. Connections stay open when they are idle, because
 * a busy machine can take seconds between two requests.
 */
export async function startServer(listener: RequestListener, options: ServerOptions = {}): Promise<string> {
  const server = createServer({ keepAliveTimeout: 0, ...options }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}
