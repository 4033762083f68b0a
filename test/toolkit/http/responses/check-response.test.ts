import { beforeAll, describe, expect, test } from "vitest";
import { emitResponseValidators } from "../../../../scripts/emit/validators/emit-validators.js";
import { buildApi } from "../../../../scripts/model/build.js";
import type { JsonObject } from "../../../../scripts/json.js";
import {
  type HttpResponse,
  type OperationResponseValidators,
  InvalidResponseError,
} from "../../../../src/http/index.js";
import { documentWith, operationWith } from "../../model/document.js";
import { serve } from "../server.js";

const THING: JsonObject = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
const RESPONSES: JsonObject = {
  "200": {
    description: "A thing.",
    headers: {
      "X-Left": { required: true, schema: { type: "integer", minimum: 0 } },
      "X-Reset": { required: true, schema: { type: "integer" } },
      "X-Total": { schema: { type: "integer" } },
    },
    content: {
      "application/json": { schema: THING },
      "text/csv": { schema: { type: "string", maxLength: 3 } },
    },
  },
  "202": { description: "Any.", content: { "*/*": { schema: THING } } },
  "203": { description: "A number.", content: { "application/json": { schema: { type: "integer" } } } },
  "204": { description: "None." },
  "4XX": {
    description: "Not so.",
    content: {
      "application/problem+json": { schema: { required: ["title"] } },
      "text/plain": { schema: THING },
    },
  },
  "5xx": { description: "Our fault.", content: { "application/problem+json": { schema: THING } } },
};

let checks: OperationResponseValidators;
beforeAll(async () => {
  const document = documentWith({
    "/things": { get: operationWith({ operationId: "op", responses: RESPONSES }) },
  });
  const locate = (pointer: string) => ({ file: "openapi.yaml", line: 1, col: 1, pointer });
  const { files, problems } = emitResponseValidators(buildApi(document, locate).api);
  expect(problems).toEqual([]);
  expect(files.map(({ path }) => path)).toEqual(["response-validators.js", "response-validators.d.ts"]);
  const code = encodeURIComponent(files[0]?.content ?? "");
  const module: unknown = await import(`data:text/javascript,${code}`);
  // The cast: the type that response-validators.d.ts declares.
  checks = (module as { responseValidators: { op: OperationResponseValidators } }).responseValidators.op;
});

/** Returns the message that the binder throws for a response; undefined when it is sent unchanged. */
async function findMismatch(reply: HttpResponse): Promise<string | undefined> {
  let thrown: unknown;
  const address = await serve({
    operation: {
      responseMediaTypes: {
        "200": ["application/json", "text/csv"],
        "202": ["*/*"],
        "203": ["application/json"],
        "204": [],
        "4XX": ["application/problem+json", "text/plain"],
        "5xx": ["application/problem+json"],
      },
    },
    handler: async () => reply,
    options: {
      begin: ({ headers }) => void Object.assign(headers, { "X-Reset": 0 }),
      responseValidators: { op: checks },
      onError: (error) => {
        thrown = error;
        return { status: 500 };
      },
    },
  });
  const response = await fetch(`${address}/things`);
  expect(response.status).toBe(thrown === undefined ? reply.status : 500);
  if (thrown === undefined) return undefined;
  expect(thrown).toBeInstanceOf(InvalidResponseError);
  return String(thrown);
}

const HEADERS = { "X-Left": 1 };

describe("with `responseValidators` a response that the document does not allow is an error", () => {
  test.each<[string, HttpResponse, string]>([
    ["a status", { status: 201 }, "op responded with status 201: the document declares no such status."],
    [
      "a missing header",
      { status: 200, body: { id: 1 } },
      'headers failed validation: headers["x-left"] should be defined, instead was `undefined`.',
    ],
    [
      "the value of a header",
      { status: 200, headers: { "x-LEFT": -1 }, body: { id: 1 } },
      'headers["x-left"] should be ≥ `0`, instead was `-1`.',
    ],
    [
      "a header that replaces one of begin",
      { status: 200, headers: { ...HEADERS, "x-reset": "soon" }, body: { id: 1 } },
      'headers["x-reset"] should be an integer, instead was `"soon"`.',
    ],
    [
      "a body",
      { status: 200, headers: HEADERS, body: { id: "1" } },
      'op responded with status 200: body failed validation: body.id should be an integer, instead was `"1"`.',
    ],
    [
      "a text",
      { status: 200, headers: HEADERS, contentType: "text/csv", body: "a,b,c" },
      "body.length should be ≤ `3`, instead was `5`.",
    ],
    ["no body", { status: 200, headers: HEADERS }, "the body is missing."],
    ["a body where there is none", { status: 204, body: {} }, "the document declares no body."],
    [
      "a media type",
      { status: 200, headers: HEADERS, contentType: "text/plain", body: "a" },
      "the document declares no text/plain.",
    ],
    [
      "the body of a status range",
      { status: 404, body: {} },
      "op responded with status 404: body failed validation: body.title should be defined, instead was `undefined`.",
    ],
    [
      "an object in text/plain",
      { status: 404, contentType: "text/plain", body: {} },
      "op responded with status 404: body failed validation: body.id should be defined",
    ],
    [
      "the body of a status range in lower case",
      { status: 503, body: {} },
      "op responded with status 503: body failed validation: body.id should be defined",
    ],
    [
      "an object as a body of any media type",
      { status: 202, body: {} },
      "op responded with status 202: body failed validation: body.id should be defined",
    ],
  ])("%s", async (_, reply, message) => {
    expect(await findMismatch(reply)).toContain(message);
  });
});

test.each<[string, HttpResponse]>([
  ["JSON", { status: 200, headers: HEADERS, body: { id: 1 } }],
  ["members that JSON omits", { status: 200, headers: HEADERS, body: { id: 1, more: undefined } }],
  ["another media type", { status: 200, headers: HEADERS, contentType: "text/csv", body: "a,b" }],
  ["a header that is 0", { status: 200, headers: { "X-Left": 0 }, body: { id: 1 } }],
  ["a number that is 0", { status: 203, body: 0 }],
  ["no body", { status: 204 }],
  ["a header that is omitted", { status: 200, headers: { ...HEADERS, "X-Total": null }, body: { id: 1 } }],
  ["text of any media type", { status: 202, contentType: "text/plain", body: "a" }],
  ["bytes of any media type", { status: 202, body: Buffer.from("a") }],
  ["a range", { status: 418, body: { title: "Teapot" } }],
])("an allowed response is sent: %s", async (_, reply) => {
  expect(await findMismatch(reply)).toBeUndefined();
});
