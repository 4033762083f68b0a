import type { Socket } from "node:net";
import { MAX_CONNECTIONS_PER_ADDRESS } from "../budgets.js";

/** Returns the client of a connection, whose connections are limited; undefined for a connection without a limit. */
export type ReadConnectionClient = (socket: Socket) => string | undefined;

/** Creates a listener that closes the connections of a client beyond its limit, so that one client cannot use all connections. */
export function createConnectionLimit(
  readClient: ReadConnectionClient,
  maxPerClient = MAX_CONNECTIONS_PER_ADDRESS,
): (socket: Socket) => void {
  const counts = new Map<string, number>();
  return (socket) => {
    const client = readClient(socket);
    if (client === undefined) return;
    const count = (counts.get(client) ?? 0) + 1;
    if (count > maxPerClient) {
      socket.destroy();
      return;
    }
    counts.set(client, count);
    socket.once("close", () => {
      const left = (counts.get(client) ?? 0) - 1;
      if (left > 0) counts.set(client, left);
      else counts.delete(client);
    });
  };
}
