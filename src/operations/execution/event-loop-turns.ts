import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import {
  LONG_LIST_QUEUE,
  RELATED_READ_QUEUE,
  MAX_PRESENTED_BYTES_PER_TURN,
  MAX_TURN_MS,
} from "../../budgets.js";
import { FairQueue, type Release } from "../../queues/fair-queue.js";
import { splitByBytes, sumBy } from "../../lists.js";
import type { Slot } from "../../queues/queue-slot.js";

interface WaitingWorkspace {
  /** Functions that let the callers continue, in their order. */
  readonly callers: (() => void)[];
  /** Time since which the workspace waits for a turn. */
  readonly since: number;
}

/** The parts of a read's scope that a long list needs. */
export interface TurnScope {
  readonly workspaceId: string;
  readonly slot: Slot;
  readonly signal: AbortSignal | undefined;
}

// Module state, because all services of a process share its event loop.

/** Workspaces that wait for a turn. Those that had one are behind the others. */
const waiting = new Map<string, WaitingWorkspace>();
/** Time of the last turn of each workspace, up to MAX_TURN_MS, which is an estimate for its next one. */
const lastTurnMs = new LRUCache<string, number>({ max: 1000 });
let isRunning = false;
/** Timer of the pause in which only workspaces with short turns have one, because the last turn was long. */
let pause: NodeJS.Timeout | undefined;

/** Time that callers of one workspace share, and up to which all turns count as equally long. */
const MIN_TURN_MS = 1;
/** Time from which a turn is long, so that others need a pause after it. */
const LONG_TURN_MS = 5;
/** Number of turns of the event loop from a turn of long work to the next one. Other requests need them: a write takes several. */
const TURNS_BETWEEN = 3;
/**
 * The same at most, as long as each of these turns accepts a connection. libuv accepts one connection in each turn, so after long turns
 * alone a new client would wait for as many of them as there are new connections of others.
 */
const TURNS_BETWEEN_IF_ACCEPTING = 50;

/**
 * Length of the pause after a turn above MAX_TURN_MS, as a part of that turn, up to LONGEST_PAUSE_MS. A write to PostgreSQL waits for
 * about eight responses, which take longer than turns without work. Without pauses, each would wait for another turn of up to 100 ms.
 */
const PAUSE_FACTOR = 0.25;
const LONGEST_PAUSE_MS = 25;
/** Interval in which a pause looks for workspaces with short turns. */
const PAUSE_STEP_MS = 1;

/** Number of connections that the process has accepted. */
let acceptedConnections = 0;

// Module state too, because all services of a process share its memory.
const longLists = new FairQueue(LONG_LIST_QUEUE);
const relatedReads = new FairQueue(RELATED_READ_QUEUE);

/**
 * Waits for a turn of the event loop for long work. In a turn, callers of one workspace continue until they have taken MIN_TURN_MS,
 * because all that continue in one turn delay other requests together. The workspace with the highest ratio of waiting time to the
 * time of its last turn is next (highest response ratio next): those with equally long turns alternate, and one with short turns
 * waits for few long ones.
 */
export function awaitEventLoopTurn(workspaceId: string): Promise<void> {
  return new Promise((resolve) => {
    const workspace = waiting.get(workspaceId);
    if (workspace === undefined) waiting.set(workspaceId, { callers: [resolve], since: performance.now() });
    else workspace.callers.push(resolve);
    if (!isRunning) void processWaitingWork();
  });
}

/**
 * Splits a list into parts, and yields each in a turn of the event loop; a list of at most MAX_PRESENTED_BYTES_PER_TURN does not wait.
 * Few longer lists are in progress at once, because their elements and results take memory. Throws a BusyError after a long wait, and
 * when the client disconnects.
 */
export async function* iterateInTurns<Element>(
  scope: TurnScope,
  elements: readonly Element[],
  getBytes: (element: Element) => number,
): AsyncGenerator<readonly Element[]> {
  const parts = splitByBytes(elements, MAX_PRESENTED_BYTES_PER_TURN, getBytes);
  const totalBytes = sumBy(elements, getBytes);
  if (totalBytes <= MAX_PRESENTED_BYTES_PER_TURN) return yield* parts;
  const { workspaceId, signal } = scope;
  const release = await acquireLongWork(longLists, scope);
  try {
    for (const part of parts) {
      await awaitEventLoopTurn(workspaceId);
      signal?.throwIfAborted();
      yield part;
    }
  } finally {
    release();
  }
}

/** Runs work that needs much memory in a slot of the long lists. Throws as iterateInTurns does. */
export function runAsLongList<Result>(scope: TurnScope, work: () => Promise<Result>): Promise<Result> {
  return runLongWork(longLists, scope, work);
}

/** Runs long reads of related objects. A long list can wait for them, but they wait for no long list. Throws as iterateInTurns does. */
export function runRelatedReads<Result>(scope: TurnScope, work: () => Promise<Result>): Promise<Result> {
  return runLongWork(relatedReads, scope, work);
}

async function runLongWork<Result>(queue: FairQueue, scope: TurnScope, work: () => Promise<Result>) {
  const release = await acquireLongWork(queue, scope);
  return work().finally(release);
}

/** Waits in a queue of long work, in which others can use the slot of the request. */
async function acquireLongWork(queue: FairQueue, { workspaceId, slot, signal }: TurnScope): Promise<Release> {
  let release: Release = () => {};
  const wait = async (): Promise<void> => {
    release = await queue.acquire(workspaceId, signal);
  };
  try {
    await slot.releaseDuring(wait, signal);
    return release;
  } catch (error) {
    // The request may have waited for its own slot again.
    release();
    throw error;
  }
}

/** Counts an accepted connection. Long work waits while further ones are accepted. */
export function recordConnection(): void {
  acceptedConnections += 1;
}

async function processWaitingWork(): Promise<void> {
  isRunning = true;
  let turnsBefore = TURNS_BETWEEN;
  while (waiting.size > 0) {
    await letTurnsPass(turnsBefore);
    const chosen = chooseWorkspace();
    if (chosen === undefined) {
      await sleep(PAUSE_STEP_MS);
      continue;
    }
    const turnMs = await runTurn(chosen);
    turnsBefore = turnMs < LONG_TURN_MS ? 1 : TURNS_BETWEEN;
    if (turnMs > MAX_TURN_MS) startPause(Math.min(turnMs * PAUSE_FACTOR, LONGEST_PAUSE_MS));
  }
  isRunning = false;
}

/** Starts a pause. The end of an earlier one does not end it. */
function startPause(ms: number): void {
  clearTimeout(pause);
  pause = setTimeout(() => (pause = undefined), ms);
}

/** Lets turns of the event loop pass, and further ones as long as each accepts a connection. */
async function letTurnsPass(count: number): Promise<void> {
  let hasAccepted = false;
  for (let turn = 0; turn < count || (hasAccepted && turn < TURNS_BETWEEN_IF_ACCEPTING); turn += 1) {
    const acceptedBefore = acceptedConnections;
    await setImmediate();
    hasAccepted = acceptedConnections > acceptedBefore;
  }
}

/** Returns the workspace with the highest ratio of waiting time to the time of its last turn; undefined if all wait for a pause. */
function chooseWorkspace(): string | undefined {
  const now = performance.now();
  let chosen: string | undefined;
  let highestRatio = -1;
  for (const [workspaceId, { since }] of waiting) {
    const turnMs = lastTurnMs.get(workspaceId) ?? 0;
    const ratio = (now - since) / Math.max(turnMs, MIN_TURN_MS);
    if (ratio <= highestRatio || (pause !== undefined && turnMs >= LONG_TURN_MS)) continue;
    chosen = workspaceId;
    highestRatio = ratio;
  }
  return chosen;
}

/** Lets callers continue, one after the other, until they have taken MIN_TURN_MS. Returns the time until the last one waits again. */
async function runTurn(workspaceId: string): Promise<number> {
  const callers = waiting.get(workspaceId)?.callers ?? [];
  // Not those that arrive in this turn, so that the parts of a list have a turn each.
  let remaining = callers.length;
  // Elapsed time is also that of other processes. Processor time is read only after a long turn, because that takes up to 0.1 ms.
  const wasLong = (lastTurnMs.get(workspaceId) ?? 0) >= LONG_TURN_MS;
  const startCpu = wasLong ? process.cpuUsage() : undefined;
  const startTime = performance.now();
  do {
    callers.shift()?.();
    remaining -= 1;
    // The next tick begins when the caller waits for the first time.
    await new Promise<void>((resolve) => process.nextTick(resolve));
  } while (remaining > 0 && performance.now() - startTime < MIN_TURN_MS);
  let turnMs = performance.now() - startTime;
  if (startCpu !== undefined) {
    // Includes the processor time of other threads.
    const { user, system } = process.cpuUsage(startCpu);
    turnMs = Math.min(turnMs, (user + system) / 1000);
  }
  waiting.delete(workspaceId);
  if (callers.length > 0) waiting.set(workspaceId, { callers, since: performance.now() });
  // Limited: after a single turn in which other processes held this one up for a second, the workspace would wait for many turns.
  lastTurnMs.set(workspaceId, Math.min(turnMs, MAX_TURN_MS));
  return turnMs;
}
