import type { Socket } from "node:net";
import { MAX_CONNECTIONS_PER_ADDRESS } from "../budgets.js";

/** Returns the key of the client for which a connection counts; undefined for a connection without a limit. */
export type GetConnectionClient = (socket: Socket) => string | undefined;

/** Creates a listener that closes the connections of a client beyond its limit, so that one client cannot use all connections. */
export function createConnectionLimit(
  getClient: GetConnectionClient,
  maxPerClient = MAX_CONNECTIONS_PER_ADDRESS,
): (socket: Socket) => void {
  const counts = new Map<string, number>();
  return (socket) => {
    const client = getClient(socket);
    if (client === undefined) return;
    const count = (counts.get(client) ?? 0) + 1;
    if (count > maxPerClient) {
      socket.destroy();
      return;
    }
    counts.set(client, count);
    socket.once("close", () => {
      const remaining = (counts.get(client) ?? 0) - 1;
      if (remaining > 0) counts.set(client, remaining);
      else counts.delete(client);
    });
  };
}
