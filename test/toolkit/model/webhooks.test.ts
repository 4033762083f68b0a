import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import { build, documentWith, operationWith, problemsOf } from "./document.js";

describe("schemas have the variant of their direction", () => {
  const thing: JsonObject = {
    type: "object",
    properties: { id: { readOnly: true }, secret: { writeOnly: true } },
  };
  const body = { content: { "application/json": { schema: thing } } };
  const message: JsonObject = { requestBody: body, responses: { "200": { description: "", ...body } } };
  const names = (
    mediaTypes: readonly { schema: { properties: ReadonlyMap<string, unknown> } | undefined }[] = [],
  ) => mediaTypes.flatMap(({ schema }) => [...(schema?.properties.keys() ?? [])]);

  test("in operations, webhooks and callbacks", () => {
    const callbacks = { done: { "x-note": {}, "{$request.body#/url}": { post: message } } };
    const api = build(
      documentWith({ "/a": { post: { ...message, callbacks } } }, { webhooks: { event: { post: message } } }),
    );
    const [operation] = api.operations;
    const [webhook] = api.webhooks;
    const callback = operation?.callbacks[0]?.expressions[0]?.operations[0];
    expect([operation, webhook, callback].map((each) => names(each?.body?.mediaTypes))).toEqual([
      ["secret"],
      ["id"],
      ["id"],
    ]);
    expect([operation, webhook, callback].map((each) => names(each?.responses[0]?.mediaTypes))).toEqual([
      ["id"],
      ["secret"],
      ["secret"],
    ]);
  });
});

test("reports the problems of a component that a callback and a webhook share", () => {
  const shared = { responses: { "200": { $ref: "#/components/responses/Shared" } } };
  const callbacks = { done: { "{$request.body#/url}": { post: shared } } };
  const header = { "a b": { schema: {} } };
  const document = documentWith(
    { "/a": { post: operationWith({ callbacks }) } },
    {
      webhooks: { event: { post: shared } },
      components: { responses: { Shared: { description: "", headers: header } } },
    },
  );
  expect(problemsOf(document)).toEqual([
    '/components/responses/Shared/headers/a b: The response header "a b" has a name that HTTP does not allow for a header. Use letters, digits and hyphens.',
  ]);
});

test("an extension is no webhook, and callbacks have no callbacks", () => {
  const callback = { "{$request.body#/url}": { post: operationWith({ callbacks: { again: {} } }) } };
  const api = build(
    documentWith(
      { "/a": { post: operationWith({ callbacks: { done: callback } }) } },
      { webhooks: { "x-note": { post: operationWith() } } },
    ),
  );
  expect(api.webhooks).toEqual([]);
  expect(api.operations[0]?.callbacks[0]?.expressions[0]?.operations[0]?.callbacks).toEqual([]);
});

test("webhooks are named after their operationId, otherwise after their name, and their method if they have several", () => {
  const webhooks = {
    "new pet": { post: operationWith() },
    changed: { post: operationWith(), delete: operationWith() },
    sold: { post: operationWith({ operationId: "petSold" }) },
    taken: { post: operationWith() },
  };
  const paths = { "/a": { get: operationWith({ operationId: "takenWebhook" }) } };
  expect(build(documentWith(paths, { webhooks })).webhooks.map(({ typeName }) => typeName)).toEqual([
    "NewPetWebhook",
    "ChangedPostWebhook",
    "ChangedDeleteWebhook",
    "PetSoldWebhook",
    "TakenWebhook2",
  ]);
});
