import { setImmediate } from "node:timers/promises";
import { LONG_LIST_QUEUE, MAX_PRESENTED_BYTES_PER_TURN } from "../budgets.js";
import { FairQueue, type Release } from "../fair-queue.js";
import { RoundRobin } from "../round-robin.js";
import { splitByBytes } from "../storage/content-size.js";
import type { ReadScope } from "./scope.js";

interface WaitingWork {
  readonly tenantId: string;
  begin(): void;
}

const waiting = new RoundRobin<WaitingWork>();
let isRunning = false;

/** Number of turns of the event loop between two turns of long work. Other requests need them: a write takes several. */
const TURNS_BETWEEN = 3;

const longLists = new FairQueue(LONG_LIST_QUEUE);

/**
 * Waits for a turn of the event loop for long work. In each turn only one caller continues, because everything that continues in
 * the same turn delays all other requests together. Workspaces alternate.
 */
export function awaitEventLoopTurn(workspaceId: string): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({ tenantId: workspaceId, begin: resolve });
    if (!isRunning) void processWaitingWork();
  });
}

/**
 * Splits a list into parts of MAX_PRESENTED_BYTES_PER_TURN, and yields each in a turn of the event loop; a single part waits for
 * nothing. Few lists are in progress at a time, because their unfinished results take memory. Throws a BusyError when too many
 * lists of the workspace wait, or this one takes too long, and an error when its client disconnects.
 */
export async function* iterateInTurns<Element>(
  scope: Pick<ReadScope, "workspaceId" | "slot" | "signal">,
  elements: readonly Element[],
  getBytes: (element: Element) => number,
): AsyncGenerator<readonly Element[]> {
  const parts = splitByBytes(elements, MAX_PRESENTED_BYTES_PER_TURN, getBytes);
  if (parts.length <= 1) return yield* parts;
  const { workspaceId, slot, signal } = scope;
  let release: Release | undefined;
  const begin = async (): Promise<void> => {
    release = await longLists.acquire(workspaceId, signal);
  };
  try {
    await slot.releaseDuring(begin, signal);
    for (const part of parts) {
      await awaitEventLoopTurn(workspaceId);
      signal?.throwIfAborted();
      yield part;
    }
  } finally {
    release?.();
  }
}

async function processWaitingWork(): Promise<void> {
  isRunning = true;
  while (waiting.size > 0) {
    for (let turn = 0; turn < TURNS_BETWEEN; turn += 1) await setImmediate();
    for (const work of waiting.take(1)) work.begin();
  }
  isRunning = false;
}
