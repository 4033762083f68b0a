import { afterAll, beforeAll, describe, expect, test } from "vitest";
import typescript from "typescript";
import { runEmitters } from "../../../scripts/emit/run-emitters.js";
import { defaultEmitters, responseValidators, validators } from "../../../scripts/emit/registry.js";
import { findRuntimeModules } from "../../../scripts/emit/runtime-modules.js";
import { buildApi } from "../../../scripts/model/build.js";
import type { JsonObject } from "../../../scripts/json.js";
import type { GeneratedFile } from "../../../scripts/emit/generated-file.js";
import { startServer } from "../../support/server.js";
import { Workspace } from "../generate/workspace.js";
import { CONTEXT, emit } from "./emit.js";
import { built, documentWith, operationWith } from "../model/document.js";

const locate = (pointer: string) => ({ file: "openapi.yaml", line: 1, col: 1, pointer });

let workspace: Workspace;
beforeAll(() => {
  workspace = new Workspace();
});
afterAll(() => workspace.remove());

async function emitFrom(document: JsonObject): Promise<readonly GeneratedFile[]> {
  const runtime = await findRuntimeModules(workspace.path("generated"));
  const { files, problems } = await emit(buildApi(document, locate).api, { runtime });
  expect(problems).toEqual([]);
  return files;
}

/** Emits, compiles and imports code; throws for errors of the compiler. */
async function load(document: JsonObject): Promise<Record<string, unknown>> {
  await workspace.writeGenerated(await emitFrom(document));
  const files = ["routes", "client", "types"].map((name) => `generated/${name}.ts`);
  expect(workspace.compile(files)).toEqual([]);
  // The query gives each module a different URL, because Node caches modules by URL.
  const version = `?${crypto.randomUUID()}`;
  const modules = ["routes.js", "validators.js"].map((file) =>
    workspace.import(`generated/${file}`, version),
  );
  return Object.assign({}, ...(await Promise.all(modules)));
}

/** Lists the keywords of JavaScript and TypeScript. */
function listKeywords(): string[] {
  const { FirstKeyword, LastKeyword } = typescript.SyntaxKind;
  return Array.from(
    { length: LastKeyword - FirstKeyword + 1 },
    (_, index) => typescript.tokenToString(FirstKeyword + index) ?? "",
  );
}

/** A document of version 3.0, with `nullable` and boolean exclusive bounds. */
const OLD: JsonObject = {
  ...documentWith({
    "/old": {
      post: operationWith({
        operationId: "old",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["a"],
                properties: {
                  a: { type: "integer", nullable: true, minimum: 0, exclusiveMinimum: true },
                  b: { allOf: [{ type: "string" }], nullable: true },
                },
              },
            },
          },
        },
      }),
    },
  }),
  openapi: "3.0.3",
};

describe("minimal and unusual documents give code that compiles", () => {
  test.each<[string, JsonObject, string[]]>([
    ["without a path", documentWith({}), []],
    ["with an empty path item", documentWith({ "/a": {} }), []],
    ["with extensions only", documentWith({ "x-a": { get: {} }, "/a": { "x-b": 1 } }), []],
    ["with an operation without content", documentWith({ "/": { get: { responses: {} } } }), ["get"]],
    [
      "with every method",
      documentWith({
        "/a": Object.fromEntries(
          ["get", "put", "post", "delete", "options", "head", "patch", "trace"].map((method) => [
            method,
            operationWith(),
          ]),
        ),
      }),
      ["getA", "putA", "postA", "deleteA", "optionsA", "headA", "patchA", "traceA"],
    ],
    [
      "with names that the generated code uses",
      documentWith(
        Object.fromEntries(
          [
            "operations",
            "registerRoutes",
            "Handlers",
            "Binder",
            "RouteTarget",
            "RouteHandler",
            "createClient",
          ]
            .concat(["Input", "Success", "Client", "Failure", "ApiError", "Types", "paths", "calls", "send"])
            .concat(["validators", "check1", "router", "bind", "handlers", "OmitHeaders", "Promise"])
            .map((name) => [
              `/${name}`,
              {
                get: operationWith({ operationId: name, tags: [name] }),
                post: operationWith({ operationId: `${name}Request` }),
                put: operationWith({ operationId: `${name}Response`, tags: [`${name}Handlers`] }),
              },
            ]),
        ),
      ),
      [],
    ],
    [
      "with names that are keywords",
      documentWith(
        Object.fromEntries(
          listKeywords().map((word) => [`/${word}`, { get: operationWith({ operationId: word }) }]),
        ),
      ),
      [],
    ],
    [
      "with a response that has no final status",
      documentWith({ "/a": { get: operationWith({ responses: { "1XX": { description: "Wait." } } }) } }),
      ["getA"],
    ],
    [
      "with headers that have the same name and different types",
      documentWith(
        Object.fromEntries(
          ["integer", "string"].map((type) => {
            const headers = { "X-Count": { schema: { type } } };
            return [
              `/${type}`,
              { get: operationWith({ responses: { "200": { description: "It.", headers } } }) },
            ];
          }),
        ),
      ),
      ["getInteger", "getString"],
    ],
    [
      "with a response whose headers have the name of an operation's headers",
      documentWith(
        {
          "/a": {
            get: operationWith({
              operationId: "a",
              parameters: [{ in: "header", name: "X-In", schema: {} }],
              responses: { "200": { $ref: "#/components/responses/A" } },
            }),
          },
        },
        {
          components: {
            responses: { A: { description: "It.", headers: { "X-Out": { schema: { type: "integer" } } } } },
          },
        },
      ),
      ["a"],
    ],
    ["of version 3.0", OLD, ["old"]],
  ])("%s", async (_, document, names) => {
    const { operations } = await load(document);
    if (names.length > 0) expect(Object.keys(Object(operations))).toEqual(names);
  });
});

test("the client reads the headers of a default response, each cookie, and undeclared members of objects", async () => {
  const headers = {
    "X-Count": { schema: { type: "integer" } },
    "Set-Cookie": { schema: { type: "array", items: { type: "string" } } },
    "X-Size": {
      schema: { properties: { unit: { type: "string" } }, additionalProperties: { type: "integer" } },
    },
  };
  const responses = { default: { description: "It.", headers } };
  const document = documentWith({ "/visits": { post: { operationId: "addVisit", responses } } });
  await load(document);
  const types = (await emitFrom(document)).find(({ path }) => path === "types.ts");
  expect(types?.content).toContain("export type AddVisitDefaultHeaders =");
  const url = await startServer((_, response) => {
    const cookies = ["a=1; Expires=Thu, 1", "b=2"];
    response.writeHead(201, { "X-Count": "2", "Set-Cookie": cookies, "X-Size": "unit,cm,width,3" }).end();
  });
  const { createClient } = await workspace.import("generated/client.js", `?${crypto.randomUUID()}`);
  // The cast: the generated function creates a client with this method.
  const client = (createClient as (options: object) => { addVisit(): Promise<object> })({ baseUrl: url });
  expect(await client.addVisit()).toMatchObject({
    status: 201,
    headers: {
      "X-Count": 2,
      "Set-Cookie": ["a=1; Expires=Thu, 1", "b=2"],
      "X-Size": { unit: "cm", width: 3 },
    },
  });
});

test("supports the bounds and nullable of 3.0", async () => {
  const { validators } = await load(OLD);
  // The cast: the only operation of the document has a JSON body.
  const check = (validators as Record<string, { body: Record<string, (data: unknown) => boolean> }>).old
    ?.body["application/json"];
  const verdicts = [{ a: 1 }, { a: null, b: null }, { a: 0 }, { b: "x" }, { a: 1, b: 2 }].map((value) =>
    check?.(value),
  );
  expect(verdicts).toEqual([true, true, false, false, false]);
});

test("text bodies are checked if their schema is that of a string", async () => {
  const schemas: JsonObject[] = [{ $ref: "#/components/schemas/Code" }, { enum: [1, "auto"] }];
  const paths = schemas.map((schema, index) => [
    `/texts/${index}`,
    {
      post: operationWith({
        operationId: `text${index}`,
        requestBody: { content: { "text/plain": { schema } } },
      }),
    },
  ]);
  const components = { schemas: { Code: { type: "string", pattern: "^[a-z]{3}$" } } };
  const { validators } = await load(documentWith(Object.fromEntries(paths), { components }));
  // The cast: the validators of the operations of this document.
  const { text0, text1 } = validators as Record<
    string,
    { body?: Record<string, (data: unknown) => boolean> }
  >;
  expect(["abc", "ABC"].map((text) => text0?.body?.["text/plain"]?.(text))).toEqual([true, false]);
  expect(text1).toEqual({});
});

describe("schemas that cannot be compiled are reported together with their locations", () => {
  const problems = async (...schemas: JsonObject[]): Promise<string[]> => {
    const content = (schema: JsonObject) => ({ content: { "application/json": { schema } } });
    const paths = Object.fromEntries(
      schemas.map((schema, index) => [
        `/p${index}`,
        { post: operationWith({ requestBody: content(schema) }) },
      ]),
    );
    const { api } = buildApi(documentWith(paths), locate);
    return (await emit(api)).problems.map(({ message, pointer }) => `${pointer} ${message}`);
  };
  const at = (index: number) => `/paths/~1p${index}/post/requestBody/content/application~1json/schema`;

  test("an invalid keyword, and a $ref without a target", async () => {
    const found = await problems(
      { type: "integer", multipleOf: 0 },
      { $ref: "#/components/schemas/Gone" },
      { type: "string" },
      { type: "object", required: [""] },
    );
    expect(found.sort()).toEqual([
      expect.stringContaining(`${at(0)}/multipleOf This schema cannot be compiled`),
      expect.stringContaining(`${at(1)}/$ref This schema cannot be compiled`),
    ]);
  });

  test("but an invalid pattern is not checked and gives a warning", async () => {
    const schema = { pattern: "\\p{Print}+", patternProperties: { "*": true }, additionalProperties: false };
    const post = operationWith({ requestBody: { content: { "application/json": { schema } } } });
    const { api } = buildApi(documentWith({ "/p": { post } }), locate);
    const { files, problems: found } = await emit(api);
    expect(files.map(({ path }) => path)).toContain("validators.js");
    const pointer = "/paths/~1p/post/requestBody/content/application~1json/schema";
    expect(found).toEqual([
      {
        severity: "warning",
        pointer: `${pointer}/pattern`,
        message:
          'The pattern "\\\\p{Print}+" is not checked, because it is not an ECMAScript regular expression: invalid property name.',
      },
      {
        severity: "warning",
        pointer: `${pointer}/patternProperties`,
        message:
          'The pattern "*" is not checked, because it is not an ECMAScript regular expression: nothing to repeat.',
      },
    ]);
  });

  test("and a default that the schema does not allow gives a warning", async () => {
    const found = await problems(
      { enum: ["a", "b"], default: "c" },
      { type: "boolean", default: "true" },
      { allOf: [{ enum: [1, 2] }], default: 3 },
      { type: "object", properties: { a: { const: [1], default: [2] } } },
      { type: ["string", "null"], enum: ["a", null], default: null },
      { type: ["string", "null"], nullable: true, allOf: [{ enum: ["a"] }], default: null },
      { anyOf: [{ type: "string" }, { enum: [1] }], default: 1 },
    );
    const warning = (value: string): string =>
      `default The schema does not allow its default ${value}. Correct one of them.`;
    expect(found.sort()).toEqual([
      `${at(0)}/${warning('"c"')}`,
      `${at(1)}/${warning('"true"')}`,
      `${at(2)}/${warning("3")}`,
      `${at(3)}/properties/a/${warning("[2]")}`,
    ]);
  });

  test("but not in an example, which is data", async () => {
    expect(await problems({ type: "object", example: { required: 1 }, default: { pattern: "(" } })).toEqual(
      [],
    );
  });
});

test("openapi.json contains an operationId for an operation without one", async () => {
  expect(built({}).id).toBe("postThingsById");
  const files = await emitFrom(documentWith({ "/a": { get: operationWith() } }));
  const json = files.find((file) => file.path === "openapi.json");
  expect(JSON.parse(json?.content ?? "")).toMatchObject({
    paths: { "/a": { get: { operationId: "getA" } } },
  });
});

test("code imports types.ts only if it uses one of its types", async () => {
  const body = { content: { "application/json": {}, "application/x-www-form-urlencoded": {} } };
  const operation = {
    requestBody: body,
    responses: { "200": { description: "", content: { "a/b+json": {} } } },
  };
  const files = await emitFrom(documentWith({ "/a": { post: operation } }));
  for (const name of ["operations.ts", "routes.ts"])
    expect(files.find((file) => file.path === name)?.content).not.toContain("import type * as Types");
});

test("clients and handlers have no body of responses to HEAD", async () => {
  const content = { "application/json": { schema: { type: "string" } } };
  const responses = { "200": { description: "", content } };
  const files = await emitFrom(documentWith({ "/a": { head: { operationId: "check", responses } } }));
  const getContent = (name: string) => files.find((file) => file.path === name)?.content;
  expect(getContent("operations.ts")).toContain("type CheckResponse = { status: 200; response: Response };");
  expect(getContent("routes.ts")).toContain("type CheckResponse = { status: 200 };");
});

test("the option formats changes the code and the version of both emitters of validators", async () => {
  const content = { "application/json": { schema: { type: "string", format: "ipv4" } } };
  const operation = { requestBody: { content }, responses: { "200": { description: "", content } } };
  const { api } = buildApi(documentWith({ "/a": { post: operation } }), locate);
  for (const create of [validators, responseValidators]) {
    const emitWith = async (formats: "assert" | "annotate"): Promise<string> => {
      const { files } = await runEmitters([create({ formats })], api, CONTEXT);
      return files[0]?.content ?? "";
    };
    expect(await emitWith("assert")).toContain("25[0-5]");
    expect(await emitWith("annotate")).not.toContain("25[0-5]");
    expect(create({ formats: "annotate" }).version).not.toBe(create().version);
  }
});

test("linters and a compiler with checkJs ignore generated code", async () => {
  const { files } = await runEmitters(
    [...defaultEmitters(), responseValidators()],
    buildApi(OLD, locate).api,
    CONTEXT,
  );
  await workspace.writeGenerated(files);
  for (const { path: file, content } of files)
    if (!file.endsWith(".json")) {
      expect(content.split("\n")[1]).toBe("/* eslint-disable -- generated code has its own style */");
    }
  const scripts = files.filter((file) => file.path.endsWith(".js")).map((file) => `generated/${file.path}`);
  expect(scripts).toHaveLength(2);
  expect(workspace.compile(scripts, { allowJs: true, checkJs: true, noEmit: true })).toEqual([]);
});
