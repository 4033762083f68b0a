import { createServer, type RequestListener } from "node:http";

/** Serves on a free port and sends the port to the parent process. */
export function listen(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) process.send?.(address.port);
  });
  process.once("SIGTERM", () => process.exit(0));
}
