import { setImmediate } from "node:timers/promises";
import { RoundRobin } from "../storage/engine/round-robin.js";

interface WaitingWork {
  readonly tenantId: string;
  begin(): void;
}

const waiting = new RoundRobin<WaitingWork>();
let isRunning = false;

/**
 * Waits for a turn of the event loop for long work. In each turn only one caller continues, because everything that continues in
 * the same turn delays all other requests together. Workspaces alternate.
 */
export function awaitEventLoopTurn(workspaceId: string): Promise<void> {
  return awaitTurn(workspaceId, "push");
}

/**
 * Iterates over the parts of long work, each in a turn of the event loop; a single part does not wait for one. The work of a
 * workspace that has begun continues before other work of the workspace begins. Otherwise the unfinished results of many requests
 * would take memory at the same time.
 */
export async function* takeTurns<Part>(workspaceId: string, parts: readonly Part[]): AsyncGenerator<Part> {
  for (const [index, part] of parts.entries()) {
    if (parts.length > 1) await awaitTurn(workspaceId, index === 0 ? "push" : "pushFirst");
    yield part;
  }
}

/** @param add whether the work waits behind or before other work of its workspace */
function awaitTurn(workspaceId: string, add: "push" | "pushFirst"): Promise<void> {
  return new Promise((resolve) => {
    waiting[add]({ tenantId: workspaceId, begin: resolve });
    if (!isRunning) void runTurns();
  });
}

async function runTurns(): Promise<void> {
  isRunning = true;
  while (waiting.size > 0) {
    // Turns of other requests in between, because a write needs several.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    for (const work of waiting.take(1)) work.begin();
  }
  isRunning = false;
}
