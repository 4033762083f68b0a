import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { HandlerContext } from "../../src/adapters/context.js";
import { BODY_QUEUE } from "../../src/budgets.js";
import { BusyError, ClientClosedError } from "../../src/errors.js";
import { awaitBodyTurn } from "../../src/service/body-turns.js";
import { startService } from "../support/service.js";

afterEach(() => void vi.useRealTimers());

// The cast: the function reads the workspace of the context.
const createContext = (workspaceId: string) => ({ scope: { workspaceId } }) as HandlerContext;

const createResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

/** Starts the service. `send` passes a request to it whose body has arrived, with others in the same turn of the event loop. */
async function openService() {
  const running = await startService();
  const { service, createKey } = running;
  onTestFinished(() => service.close());
  const send = (key: string, body: unknown) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const request = new IncomingMessage(new Socket());
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-length": String(bytes.length),
    };
    Object.assign(request, { method: "POST", url: "/v1/pages", headers });
    request.push(bytes);
    request.push(null);
    const response = new ServerResponse(request);
    // The cast: a response writes to its socket like to any other stream.
    response.assignSocket(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }) as Socket);
    const ended = new Promise<number>((resolve) => {
      response.once("finish", () => resolve(response.statusCode));
    });
    service.handle(request, response);
    return { response, ended };
  };
  return { ...running, createKey, send };
}

test("a large body does not wait for those of another workspace that have arrived before it", async () => {
  const { send, key, createKey } = await openService();
  const modest = await createKey();
  const order: string[] = [];
  // Refused, so that nothing else is waited for.
  const body = { title: "x".repeat(10_000) };
  const sendAs = async (client: string, clientKey: string) => {
    const status = await send(clientKey, body).ended;
    order.push(client);
    return status;
  };
  const statuses = Array.from({ length: 30 }, () => sendAs("greedy", key));
  statuses.push(sendAs("modest", modest.key));
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([400]));
  expect(order.indexOf("modest")).toBeLessThan(15);
});

test("a write whose client leaves while its body waits is not done", async () => {
  const { send, key, rootDatabaseId, service } = await openService();
  const createPage = (text: string) => {
    const rich_text = [{ text: { content: text } }];
    const children = Array.from({ length: 100 }, () => ({ type: "paragraph", paragraph: { rich_text } }));
    return send(key, { parent: { database_id: rootDatabaseId }, properties: {}, children });
  };
  const abandoned = createPage("Abandoned ".repeat(10));
  abandoned.response.destroy();
  expect(await createPage("Finished ".repeat(10)).ended).toBe(200);
  const blocks = await service.store.read.selectFrom("blocks").select("content").execute();
  const contents = blocks.map(({ content }) => content).join();
  expect(contents).toContain("Finished");
  expect(contents).not.toContain("Abandoned");
});

test("a body whose client leaves does not wait for its turn", async () => {
  const order: string[] = [];
  const first = awaitBodyTurn(createContext("a"), { response: createResponse() }).then(() =>
    order.push("first"),
  );
  const response = createResponse();
  const second = awaitBodyTurn(createContext("b"), { response }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(ClientClosedError);
    order.push("left");
  });
  // As when its connection is closed.
  response.emit("close");
  await Promise.all([first, second]);
  expect(order).toEqual(["left", "first"]);
});

test("a request whose body waits for too long is refused", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const first = awaitBodyTurn(createContext("a"), { response: createResponse() });
  const second = awaitBodyTurn(createContext("b"), { response: createResponse() });
  vi.advanceTimersByTime(BODY_QUEUE.maxWaitMs);
  await expect(second).rejects.toThrow(BusyError);
  await first;
});
