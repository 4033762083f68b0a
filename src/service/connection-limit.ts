import type { Socket } from "node:net";
import { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } from "../budgets.js";
import { getOrCreate } from "../get-or-create.js";

/** Returns the key of the client for which a connection counts; undefined for a connection without a limit of its own. */
export type GetConnectionClient = (socket: Socket) => string | undefined;

/**
 * Creates a listener that closes the connections of a client beyond its limit. If there are too many connections together, it closes
 * the oldest one of the client with the most, so that a few clients cannot shut out the others.
 */
export function createConnectionLimit(
  getClient: GetConnectionClient,
  maxConnections = MAX_CONNECTIONS,
  maxPerClient = MAX_CONNECTIONS_PER_ADDRESS,
): (socket: Socket) => void {
  const socketsByClient = new Map<string | undefined, Set<Socket>>();
  let total = 0;
  const remove = (client: string | undefined, socket: Socket): void => {
    const sockets = socketsByClient.get(client);
    if (sockets?.delete(socket) !== true) return;
    total -= 1;
    if (sockets.size === 0) socketsByClient.delete(client);
  };
  /** Closes a connection of the client with the most. Returns false if it would have fewer than `count` afterwards. */
  const closeOldest = (count: number): boolean => {
    const [client, sockets] = [...socketsByClient].reduce(
      (most, each) => (each[0] !== undefined && each[1].size > most[1].size ? each : most),
      [undefined, new Set<Socket>()],
    );
    const [oldest] = sockets;
    if (oldest === undefined || sockets.size <= count) return false;
    remove(client, oldest);
    oldest.destroy();
    return true;
  };
  return (socket) => {
    const client = getClient(socket);
    const count = client === undefined ? 1 : (socketsByClient.get(client)?.size ?? 0) + 1;
    if (count > maxPerClient || (total >= maxConnections && !closeOldest(count))) {
      socket.destroy();
      return;
    }
    getOrCreate(socketsByClient, client, () => new Set()).add(socket);
    total += 1;
    socket.once("close", () => remove(client, socket));
  };
}
