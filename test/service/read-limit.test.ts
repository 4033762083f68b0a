import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import type { HandlerContext } from "../../src/adapters/context.js";
import { MemoryBudget } from "../../src/service/memory-budget.js";
import { createReadLimit } from "../../src/service/read-limit.js";
import { readScope } from "../support/scope.js";
import { openTestStore } from "./storage/open.js";

test("a read is refused when responses that its workspace has not read took its memory in the meantime", async () => {
  const store = await openTestStore(":memory:");
  const memory = new MemoryBudget({ total: 100, perClient: 10 });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  // The casts: the wrapper reads the scope of the context, and the method of the operation.
  const context = { scope: readScope(store, "workspace") } as HandlerContext;
  const operation = { method: "GET" } as Parameters<ReturnType<typeof createReadLimit>>[0];
  const read = createReadLimit(memory)(operation, async () => {
    memory.reserve("workspace", 10, response);
    response.write("unread and longer than 10 bytes");
    response.emit("prefinish");
    return { status: 200, body: {} };
  });
  await expect(read({} as never, context)).rejects.toThrow("Too many large requests are in progress");
});
