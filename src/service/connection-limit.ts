import type { Socket } from "node:net";
import { MAX_CONNECTIONS_PER_ADDRESS } from "../budgets.js";
import { getOrCreate } from "../get-or-create.js";

/** Returns the key of the client for which a connection counts; undefined for a connection without a limit of its own. */
export type GetConnectionClient = (socket: Socket) => string | undefined;

/**
 * Creates a listener that closes the connections of a client beyond its limit. If there are too many connections together, it closes
 * the oldest idle one of the client with the most, or its oldest one, so that a few clients cannot shut out the others.
 */
export function createConnectionLimit(
  getClient: GetConnectionClient,
  isIdle: (socket: Socket) => boolean,
  maxConnections: number,
  maxPerClient = MAX_CONNECTIONS_PER_ADDRESS,
): (socket: Socket) => void {
  /** Open connections by client, the oldest first. Those without a client have no limit of their own, and are not replaced. */
  const socketsByClient = new Map<string | undefined, Set<Socket>>();
  let total = 0;
  const remove = (client: string | undefined, socket: Socket): void => {
    const sockets = socketsByClient.get(client);
    if (!sockets?.delete(socket)) return;
    total -= 1;
    if (sockets.size === 0) socketsByClient.delete(client);
  };
  /** Closes a connection of the client with the most. Returns false if that client would have fewer than `count` afterwards. */
  const closeOne = (count: number): boolean => {
    let mostClient: string | undefined;
    let most: ReadonlySet<Socket> = new Set();
    for (const [client, sockets] of socketsByClient) {
      if (client !== undefined && sockets.size > most.size) [mostClient, most] = [client, sockets];
    }
    const [oldest] = most;
    if (oldest === undefined || most.size <= count) return false;
    const closed = [...most].find(isIdle) ?? oldest;
    remove(mostClient, closed);
    closed.destroy();
    return true;
  };
  return (socket) => {
    const client = getClient(socket);
    const count = client === undefined ? 1 : (socketsByClient.get(client)?.size ?? 0) + 1;
    if (count > maxPerClient || (total >= maxConnections && !closeOne(count))) {
      socket.destroy();
      return;
    }
    getOrCreate(socketsByClient, client, () => new Set()).add(socket);
    total += 1;
    socket.once("close", () => remove(client, socket));
  };
}
