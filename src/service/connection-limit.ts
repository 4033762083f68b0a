import type { Socket } from "node:net";
import { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } from "../budgets.js";
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
  maxConnections = MAX_CONNECTIONS,
  maxPerClient = MAX_CONNECTIONS_PER_ADDRESS,
): (socket: Socket) => void {
  const socketsByClient = new Map<string | undefined, Set<Socket>>();
  /** Clients by their number of connections, so that a new connection compares no clients. */
  const clientsByCount = new Map<number, Set<string>>();
  let highestCount = 0;
  let total = 0;
  const recount = (client: string | undefined, before: number, after: number): void => {
    total += after - before;
    if (after === 0) socketsByClient.delete(client);
    if (client === undefined) return;
    clientsByCount.get(before)?.delete(client);
    if (after > 0) getOrCreate(clientsByCount, after, () => new Set()).add(client);
    if (after > highestCount || clientsByCount.get(highestCount)?.size === 0) highestCount = after;
  };
  const remove = (client: string | undefined, socket: Socket): void => {
    const sockets = socketsByClient.get(client);
    if (sockets?.delete(socket) === true) recount(client, sockets.size + 1, sockets.size);
  };
  /** Closes a connection of the client with the most. Returns false if it would have fewer than `count` afterwards. */
  const closeOne = (count: number): boolean => {
    const [client] = clientsByCount.get(highestCount) ?? [];
    if (client === undefined || highestCount <= count) return false;
    const sockets = [...(socketsByClient.get(client) ?? [])];
    const closed = sockets.find(isIdle) ?? sockets[0];
    if (closed === undefined) return false;
    remove(client, closed);
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
    const sockets = getOrCreate(socketsByClient, client, () => new Set()).add(socket);
    recount(client, sockets.size - 1, sockets.size);
    socket.once("close", () => remove(client, socket));
  };
}
