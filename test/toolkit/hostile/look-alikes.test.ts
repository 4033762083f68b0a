import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { startServer } from "../../support/server.js";
import { Workspace } from "../generate/workspace.js";
import type { Modules } from "./call.js";
import { tryToGenerate } from "./generate.js";

/** Values that look hostile, and must not change. */
const VALUES = ["foo/*", "foo*/", "it's", 'say "hi"', "a`b", "${a}", "a\\", "a\\n", "//", "</script>", "a\nb", "$&", "%2F", " a ", "\u2028", "null", "1e3", "ünï", "🧭"]; // prettier-ignore
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "then", "it's", "a-b", "a b", "*/", "\\", '"', "`${x}`", "0", "-1", ""]; // prettier-ignore
const PATTERN = `^/"'\`[\\]\\\\/]+\\$\\{x\\}\\*/$`;
const MATCH = "/\"'`]\\/${x}*/";
const PATHS = ["/it's", "/a`b", '/say"hi"', "/a*b", "/a(b)+", "/a:b", "/a,b;c=d", "/ü", "/a%20b", "/$&", "/__proto__", "/a'b/{id}", "/${a/b"].filter((name) => !name.includes("${")); // prettier-ignore
const MEDIA_TYPE = `application/vnd.it's+json; profile="a\\"b;c"; v='1'`;
const OPERATION_ID = "größe*/it's`${1}`";

const OK = { description: "ends with */ and `${x}` and \\" };
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "*/", version: "1" },
  paths: {
    ...Object.fromEntries(
      PATHS.map((path, index) => [
        path,
        {
          get: {
            operationId: `path${index}`,
            parameters: path.includes("{") ? [{ name: "id", in: "path", required: true, schema: {} }] : [],
            responses: { 200: OK },
          },
        },
      ]),
    ),
    "/values": {
      post: {
        operationId: "values",
        summary: "a */ b",
        parameters: [
          { name: "constructor", in: "query", schema: { type: "string", enum: VALUES } },
          { name: "__proto__", in: "query", schema: { type: "integer" } },
          { name: "it's[]", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "X-It's", in: "header", schema: { type: "string" } },
          { name: "constructor", in: "header", schema: { type: "string" } },
          { name: "toString", in: "cookie", schema: { type: "string" } },
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Values" } } },
        },
        responses: {
          200: {
            ...OK,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Values" } } },
          },
        },
      },
    },
    "/media": {
      post: {
        operationId: OPERATION_ID,
        requestBody: { required: true, content: { [MEDIA_TYPE]: { schema: { type: "string" } } } },
        responses: { 200: OK },
      },
    },
  },
  components: {
    schemas: {
      Values: {
        type: "object",
        properties: {
          value: { enum: VALUES },
          pattern: { type: "string", pattern: PATTERN },
          ...Object.fromEntries(NAMES.map((name) => [name, { type: "string" }])),
          constant: { const: "*/" },
        },
        required: ["value", "__proto__", "constructor"],
        additionalProperties: false,
      },
    },
  },
};

interface Request {
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

let workspace: Workspace;
let complaints: string[];
let generated: Modules;

beforeAll(async () => {
  workspace = new Workspace();
  workspace.write("openapi.json", JSON.stringify(DOCUMENT));
  const { files, errors } = await tryToGenerate(workspace.path("openapi.json"));
  expect(errors).toEqual([]);
  for (const { path, content } of files) workspace.write(`generated/${path}`, content);
  // Type checks: each line below is an error unless the types are identical.
  workspace.write(
    "generated/check.ts",
    `import type { components } from "./types.js";
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Values = components["schemas"]["Values"];
export const values: Same<Values["value"], ${VALUES.map((value) => JSON.stringify(value)).join(" | ")}> = true;
export const constant: Same<NonNullable<Values["constant"]>, "*/"> = true;
export const names: Same<\`\${keyof Values}\`, ${[...NAMES, "value", "pattern", "constant"].map((name) => JSON.stringify(name)).join(" | ")}> = true;
`,
  );
  complaints = workspace.compile(["routes", "client", "check"].map((name) => `generated/${name}.ts`));
  const modules = await Promise.all(
    ["routes.js", "client.js", "validators.js"].map((file) => workspace.import(`generated/${file}`)),
  );
  // The cast: the modules of every document export these names.
  generated = Object.assign({}, ...modules) as Modules;
});
afterAll(() => workspace.remove());

/** Creates an object with own members of any name. */
function createObject(members: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(members);
}

/** Returns the request that a server receives for a call. */
async function captureRequest(
  call: (client: ReturnType<Modules["createClient"]>) => Promise<unknown>,
): Promise<Request> {
  let seen: Request | undefined;
  const baseUrl = await startServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      seen = { url: request.url ?? "", headers: request.headers, body };
      response.setHeader("Content-Type", "application/json").end("{}");
    });
  });
  await call(generated.createClient({ baseUrl, fetch: uncheckedFetch }));
  if (!seen) throw new Error("No request was sent.");
  return seen;
}

test("types contain each value and each name unchanged", () => {
  expect(complaints).toEqual([]);
});

test("openapi.json contains every value unchanged", async () => {
  const { files } = await tryToGenerate(workspace.path("openapi.json"));
  const json = files.find(({ path }) => path === "openapi.json")?.content ?? "";
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(DOCUMENT)));
});

describe("the validators", () => {
  const check = (value: unknown): boolean => {
    const { validators } = generated;
    // The cast: the operation has only a JSON body.
    const body = validators["values"]?.["body"] as Record<string, (data: unknown) => boolean>;
    return body["application/json"]?.(value) === true;
  };
  const base: [string, unknown][] = [["value", "it's"], ["__proto__", "a"], ["constructor", "b"]]; // prettier-ignore

  test.each(VALUES)("take %j and nothing like it", (value) => {
    expect(check(createObject([...base, ["value", value]]))).toBe(true);
    for (const other of [`${value} `, `\\${value}`, value.slice(1), encodeURIComponent(`${value}%`)])
      expect(check(createObject([...base, ["value", other]])), other).toBe(VALUES.includes(other));
  });

  test.each(NAMES)("judge a property named %j by itself", (name) => {
    expect(check(createObject([...base, [name, "a"]]))).toBe(true);
    expect(check(createObject([...base, [name, 1]]))).toBe(false);
    const without = base.filter(([key]) => key !== name);
    expect(check(createObject(without))).toBe(without.length === base.length);
  });

  test("accept values of the pattern", () => {
    expect(new RegExp(PATTERN, "u").test(MATCH)).toBe(true);
    expect(check(createObject([...base, ["pattern", MATCH]]))).toBe(true);
    expect(check(createObject([...base, ["pattern", `${MATCH}x`]]))).toBe(false);
  });
});

describe("requests of the client", () => {
  test.each(PATHS.map((path, index) => [path, index] as const))("%s", async (path, index) => {
    const { url } = await captureRequest(
      (client) => client[`path${index}`]?.({ path: { id: "i/d" } }) ?? Promise.reject(),
    );
    expect(decodeURIComponent(url)).toBe(decodeURIComponent(path.replace("{id}", "i%2Fd")));
  });

  test("contain parameters with such names and values", async () => {
    const { url, headers, body } = await captureRequest(
      (client) =>
        client["values"]?.({
          query: createObject([["constructor", "foo/*"], ["__proto__", 1], ["it's[]", ["a", "b"]]]), // prettier-ignore
          headers: createObject([["X-It's", "it's"], ["constructor", "c"]]), // prettier-ignore
          cookies: createObject([["toString", "t"]]),
          body: createObject([["value", "it's"], ["__proto__", "a"], ["constructor", "b"]]), // prettier-ignore
        }) ?? Promise.reject(),
    );
    expect([...new URLSearchParams(url.split("?")[1])]).toEqual(
      expect.arrayContaining([["constructor", "foo/*"], ["__proto__", "1"], ["it's[]", "a"], ["it's[]", "b"]]), // prettier-ignore
    );
    expect(headers["x-it's"]).toBe("it's");
    expect(headers["constructor"]).toBe("c");
    expect(headers.cookie).toContain("toString=t");
    expect(body).toBe('{"value":"it\'s","__proto__":"a","constructor":"b"}');
  });

  test("contain a media type with quotes and parameters, of an operation with non-Latin letters", async () => {
    const found = Object.values(generated.operations).find(({ path }) => path === "/media");
    const { headers } = await captureRequest(
      (client) => client[found?.name ?? ""]?.({ body: "x" }) ?? Promise.reject(),
    );
    expect(headers["content-type"]).toBe(MEDIA_TYPE);
  });
});
