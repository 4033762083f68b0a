import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { READ_DEADLINE_MS } from "../../src/budgets.js";
import { createCancelSignal } from "../../src/service/cancel-signal.js";
import { BusyError, ClientClosedError } from "../../src/errors.js";

const createResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

test("the scans of a request end at its deadline, with an error that says to try again", async () => {
  const signal = createCancelSignal(createResponse(), performance.now() - READ_DEADLINE_MS);
  expect(signal.aborted).toBe(false);
  await once(signal, "abort");
  expect(signal.reason).toBeInstanceOf(BusyError);
});

test("the scans of a request end when its client leaves, before the deadline", () => {
  const response = createResponse();
  const signal = createCancelSignal(response);
  expect(signal.aborted).toBe(false);
  response.emit("close");
  expect(signal.reason).toBeInstanceOf(ClientClosedError);
  response.destroy();
  expect(createCancelSignal(response).aborted).toBe(true);
});

test("a request that has ended leaves no timer, which would keep the process running", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const response = createResponse();
  createCancelSignal(response);
  expect(vi.getTimerCount()).toBe(1);
  response.emit("close");
  expect(vi.getTimerCount()).toBe(0);
});
