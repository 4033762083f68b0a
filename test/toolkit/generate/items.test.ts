import { expect, test } from "vitest";
import { findTypeErrors, listSources, withGenerated } from "./generated.js";

test("supports itemSchema of OpenAPI 3.2 for events and lines", async () => {
  const item = { type: "object", required: ["a"], properties: { a: { type: "integer" } } };
  const event = {
    type: "object",
    properties: { event: { const: "x" }, data: { type: "string" }, id: { type: "integer" } },
  };
  const content = {
    "application/jsonl": { itemSchema: item },
    "application/geo+json-seq": { itemSchema: item },
    "text/event-stream": { itemSchema: event, schema: { type: "array", items: event } },
  };
  const words = { "text/event-stream": { itemSchema: { type: "string", minLength: 1 } } };
  const letters = { "application/jsonl": { itemSchema: { enum: ["a", "b"], type: "string" } } };
  const document = {
    openapi: "3.2.0",
    info: { title: "Items", version: "1" },
    paths: {
      "/items": { get: { operationId: "items", responses: { 200: { description: "They.", content } } } },
      "/words": {
        get: { operationId: "words", responses: { 200: { description: "They.", content: words } } },
        put: { operationId: "letters", responses: { 200: { description: "They.", content: letters } } },
      },
    },
  };
  await withGenerated(document, (generated) => {
    const routes = generated.files.find(({ path }) => path === "routes.ts")?.content ?? "";
    expect(routes.replace(/\s+/g, " ")).toContain(
      '{ "application/geo+json-seq": "sequence", "application/jsonl": "lines", "text/event-stream": "text-events", }',
    );
    expect(routes).toMatch(
      /body: AsyncIterable<Types\.operations\["items"\]\["responses"\]\[200\]\["content"\]\["application\/jsonl"\]>/,
    );
    expect(routes).toMatch(/AsyncIterable<\s*ItemOf<\s*Types/);
    const operations = generated.files.find(({ path }) => path === "operations.ts")?.content ?? "";
    expect(operations).toContain('readEvents("text", "number")');
    expect(operations).toContain("body: AsyncIterable<ServerSentEvent<string>>;");
    expect(operations).toContain('AsyncIterable<Types.operations["letters"]');
    expect(findTypeErrors(listSources(generated))).toEqual([]);
  });
});
