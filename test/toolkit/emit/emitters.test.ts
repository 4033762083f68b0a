import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  client,
  DiagnosticError,
  defaultEmitters,
  type Emission,
  type Emitter,
  generate,
  responseValidators,
  routes,
  types,
  validators,
} from "../../../scripts/index.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Books", version: "1" },
  servers: [{ url: "https://books.test/api" }],
  security: [{ token: [] }],
  paths: {
    "/books": { get: { operationId: "listBooks", responses: { "204": { description: "None." } } } },
    "/login": {
      post: { operationId: "login", security: [], responses: { "204": { description: "Done." } } },
    },
  },
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
};

const names: Emitter = {
  name: "names",
  emit: ({ operations }) => ({
    files: [
      {
        path: "operation_names.txt",
        content: operations.map(({ name }) => `${name}\n`).join(""),
      },
    ],
    problems: [],
  }),
};

function createWorkspace(): { spec: string; out: string } {
  const folder = createTemporaryFolder();
  const spec = path.join(folder, "books.json");
  writeFileSync(spec, JSON.stringify(DOCUMENT));
  return { spec, out: path.join(folder, "out") };
}

test("a custom emitter runs like a built-in one, and its files are replaced and removed in the same way", async () => {
  const { spec, out } = createWorkspace();
  const added = await generate({ spec, out, emitters: [...defaultEmitters(), names] });
  expect(added.added).toContain(path.join(out, "operation_names.txt"));
  expect(readFileSync(path.join(out, "operation_names.txt"), "utf8")).toBe("listBooks\nlogin\n");
  const again = await generate({ spec, out, emitters: [...defaultEmitters(), names] });
  expect([...again.added, ...again.changed, ...again.removed]).toEqual([]);
  const removed = await generate({ spec, out });
  expect(removed.removed).toEqual([path.join(out, "operation_names.txt")]);
});

test.each([
  ["spec", undefined, "`spec` is missing. Give it a path."],
  ["spec", "", "`spec` is missing. Give it a path."],
  ["spec", 5, "`spec` must be a string. Give it a path."],
  ["out", undefined, "`out` is missing. Give it a path."],
  [
    "spec",
    "git+ssh://a.test/b.yaml",
    "`spec` must be a file, and git+ssh://a.test/b.yaml is a URL. Download the document and pass the file.",
  ],
  [
    "spec",
    "https://a.test/b.yaml",
    "`spec` must be a file, and https://a.test/b.yaml is a URL. Download the document and pass the file.",
  ],
])("generate refuses a wrong path: %s is %j", async (name, value, message) => {
  const workspace = createWorkspace();
  await generate(workspace);
  // The cast: JavaScript programs can pass anything.
  const wrong = { ...workspace, [name]: value } as typeof workspace;
  await expect(generate(wrong)).rejects.toThrow(new DiagnosticError(message));
});

test.each([
  ['generate() has no option "adapter". Did you mean adapters?', { adapter: "a" }],
  [
    'generate() has no option "strict". It has the options spec, out, root, adapters, emitters, check.',
    { strict: true },
  ],
])("generate refuses an unknown option: %s", async (message, wrong) => {
  const { spec, out } = createWorkspace();
  await expect(generate({ spec, out, ...wrong })).rejects.toThrow(new DiagnosticError(message));
  expect(existsSync(out)).toBe(false);
});

test("generate refuses to run without options", async () => {
  // The cast: JavaScript programs can pass nothing.
  const options = undefined as unknown as Parameters<typeof generate>[0];
  await expect(generate(options)).rejects.toThrow(
    new DiagnosticError("The options of generate() must be an object."),
  );
});

test.each<[string, (options: never) => unknown, unknown]>([
  ['validators() has no option "format". Did you mean formats?', validators, { format: "annotate" }],
  ['responseValidators() has no option "format". Did you mean', responseValidators, { format: "annotate" }],
  ['defaultEmitters() has no option "format". Did you mean formats?', defaultEmitters, { format: "no" }],
  [
    'The option `formats` of validators() must be assert or annotate, not "none".',
    validators,
    { formats: "none" },
  ],
  ["The options of validators() must be an object.", validators, "annotate"],
])("a built-in emitter refuses options that it does not have: %s", (message, create, options) => {
  // The cast: JavaScript programs can pass anything.
  expect(() => create(options as never)).toThrow(message);
});

test("a problem that several emitters find is reported once", async () => {
  const { spec, out } = createWorkspace();
  const content = { "application/json": { schema: { $ref: "#/components/schemas/A" } } };
  const post = { requestBody: { content }, responses: { "200": { description: "It.", content } } };
  const components = { ...DOCUMENT.components, schemas: { A: { $schema: "https://a.test/" } } };
  writeFileSync(spec, JSON.stringify({ ...DOCUMENT, paths: { "/a": { post } }, components }));
  const emitters = [...defaultEmitters(), responseValidators()];
  const error: unknown = await generate({ spec, out, emitters }).catch((reason: unknown) => reason);
  expect(error instanceof DiagnosticError && error.diagnostics).toMatchObject([
    {
      // The cast: vitest declares matchers as `any`.
      message: expect.stringContaining('the dialect "https://a.test/" is not known') as string,
      position: { pointer: "/components/schemas/A" },
    },
  ]);
});

test("the result has the diagnostics of adapters", async () => {
  const { spec, out } = createWorkspace();
  const adapters = path.join(path.dirname(spec), "adapters");
  mkdirSync(adapters);
  writeFileSync(path.join(adapters, "default.ts"), "export {};\n");
  const { diagnostics } = await generate({ spec, out, adapters });
  expect(diagnostics).toMatchObject([
    { message: expect.stringContaining("the type annotation DefaultHandlers") as string },
  ]);
});

test("adapters are compared with the document, not with an openapi.json of another emitter", async () => {
  const { spec, out } = createWorkspace();
  const adapters = path.join(path.dirname(spec), "adapters");
  const emit: Emitter["emit"] = () => ({ files: [{ path: "openapi.json", content: "{}" }] });
  const options = { spec, out, adapters, emitters: [{ name: "own", version: "1", emit }] };
  await generate(options);
  rmSync(adapters, { recursive: true });
  const { changed, adapters: edits } = await generate(options);
  expect(changed).toEqual([]);
  expect(edits).toMatchObject([{ handlers: ["listBooks", "login"], created: true }]);
});

test("a warning of an emitter is reported at its location", async () => {
  const { spec, out } = createWorkspace();
  const warning = { severity: "warning", message: "No books.", pointer: "/paths/~1books/get" } as const;
  const emitter: Emitter = { name: "warning", emit: () => ({ files: [], problems: [warning] }) };
  const { diagnostics } = await generate({ spec, out, emitters: [emitter] });
  expect(diagnostics).toMatchObject([
    { message: "No books.", position: { file: spec, pointer: "/paths/~1books/get" } },
  ]);
});

const FILE = { path: "a.txt", content: "" };
const problem = (part: object) => ({
  files: [],
  problems: [{ severity: "error", message: "No.", pointer: "", ...part }],
});

// Emitters in plain JavaScript can return anything.
test.each<[string, unknown]>([
  ["The emitter own must return an object with a list `files`.", undefined],
  ["The emitter own must return `problems` as a list.", { files: [], problems: {} }],
  ["The emitter own returns a file whose path or content is not a string.", { files: [{ path: "a.txt" }] }],
  ["The emitter own emits a.txt twice.", { files: [FILE, FILE] }],
  [
    'The emitter own emits "../a.txt". Paths have lower-case letters',
    { files: [{ ...FILE, path: "../a.txt" }] },
  ],
  [
    'The emitter own emits "manifest.json". This file is the list',
    { files: [{ ...FILE, path: "manifest.json" }] },
  ],
  [
    "The emitters names and own both emit operation_names.txt.",
    { files: [{ ...FILE, path: "operation_names.txt" }] },
  ],
  [
    "operation_names.txt is a file of the emitter names",
    { files: [{ ...FILE, path: "operation_names.txt/a.txt" }] },
  ],
  ["The emitter own reports a problem whose message is not a string.", { files: [], problems: [null] }],
  ["reports a problem whose message is not a string", problem({ message: undefined })],
  ["with the severity fatal, which must be error or warning", problem({ severity: "fatal" })],
  ['at "#/paths", which is not a JSON pointer', problem({ pointer: "#/paths" })],
  ['at "/paths/~1none", which is not a JSON pointer', problem({ pointer: "/paths/~1none" })],
])("an emitter that cannot be used is refused by name: %s", async (message, emission) => {
  const { spec, out } = createWorkspace();
  // The cast: see above.
  const own: Emitter = { name: "own", emit: () => emission as Emission };
  const error: unknown = await generate({ spec, out, emitters: [names, own] }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DiagnosticError);
  expect(String(error)).toContain(message);
  expect(existsSync(out)).toBe(false);
});

test("an error that an emitter throws names the emitter", async () => {
  const { spec, out } = createWorkspace();
  const cause = new Error("boom");
  const own: Emitter = { name: "own", emit: () => Promise.reject(cause) };
  const error: unknown = await generate({ spec, out, emitters: [own] }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: "The emitter own failed: boom", cause });
});

test("an emitter can throw a DiagnosticError, whose message is reported as it is", async () => {
  const { spec, out } = createWorkspace();
  const error = new DiagnosticError("The document has no books.");
  const own: Emitter = { name: "own", emit: () => Promise.reject(error) };
  await expect(generate({ spec, out, emitters: [own] })).rejects.toThrow(error);
});

test("emitters are objects with unique names", async () => {
  const { spec, out } = createWorkspace();
  await expect(generate({ spec, out, emitters: [names, names] })).rejects.toThrow("the name names");
  // The cast: a mistake in plain JavaScript, where `types` is written instead of `types()`.
  const emitters = [names, types as unknown as Emitter];
  await expect(generate({ spec, out, emitters })).rejects.toThrow("emitters[1] is not an emitter");
  // The cast: a list of results of which one is missing.
  const missing = [undefined] as unknown as Emitter[];
  await expect(generate({ spec, out, emitters: missing })).rejects.toThrow("emitters[0] is not an emitter");
  // The cast: one emitter instead of a list.
  const single = names as unknown as Emitter[];
  await expect(generate({ spec, out, emitters: single })).rejects.toThrow("`emitters` must be a list");
});

test.each([
  ["routes", routes()],
  ["client", client()],
])("the emitter %s needs the emitter of the files that it imports", async (name, emitter) => {
  const { spec, out } = createWorkspace();
  const message = `The emitter ${name} imports types.ts, which no emitter emits. Add the emitter of this file, such as types() for types.ts, to \`emitters\`.`;
  await expect(generate({ spec, out, emitters: [emitter] })).rejects.toThrow(new DiagnosticError(message));
  expect(existsSync(out)).toBe(false);
  const own: Emitter = { name: "own", emit: () => ({ files: [{ path: "types.ts", content: "" }] }) };
  const { added } = await generate({ spec, out, emitters: [emitter, own] });
  expect(added).toContain(path.join(out, "types.ts"));
});

test("the imports of an emitter are a list", async () => {
  const { spec, out } = createWorkspace();
  // The cast: a mistake in plain JavaScript.
  const own = { ...names, imports: "types.ts" } as unknown as Emitter;
  await expect(generate({ spec, out, emitters: [own] })).rejects.toThrow(
    new DiagnosticError("The `imports` of the emitter names must be a list of paths."),
  );
});

test("the folder of an emitter's files is removed with the last one", async () => {
  const { spec, out } = createWorkspace();
  const own = (...paths: string[]): Emitter => ({
    name: "own",
    emit: () => ({ files: paths.map((each) => ({ path: each, content: "" })) }),
  });
  await generate({ spec, out, emitters: [own("docs/a.md", "docs/b.md")] });
  await generate({ spec, out, emitters: [own("docs/a.md")] });
  expect(readdirSync(path.join(out, "docs"))).toEqual(["a.md"]);
  await generate({ spec, out, emitters: [own()] });
  expect(existsSync(path.join(out, "docs"))).toBe(false);
});

test("two generations into a new folder at the same time both succeed", async () => {
  const { spec, out } = createWorkspace();
  const run = () => generate({ spec, out, emitters: [names] });
  await Promise.all([run(), run(), run(), run()]);
  expect(readFileSync(path.join(out, "operation_names.txt"), "utf8")).toBe("listBooks\nlogin\n");
});

test("the model has the places, tags and extensions of operations", async () => {
  const { spec, out } = createWorkspace();
  const get = { ...DOCUMENT.paths["/books"].get, tags: ["Books", "Public"], "x-cost": 2 };
  const tags = [{ name: "Books", description: "All books." }];
  writeFileSync(spec, JSON.stringify({ ...DOCUMENT, tags, paths: { "/books": { get } } }));
  let found: unknown;
  const own: Emitter = {
    name: "own",
    emit: ({ groups }) => {
      found = groups;
      return { files: [] };
    },
  };
  await generate({ spec, out, emitters: [own] });
  const response = { key: "204", pointer: "/paths/~1books/get/responses/204" };
  expect(found).toMatchObject([
    {
      tag: "Books",
      description: "All books.",
      operations: [
        {
          pointer: "/paths/~1books/get",
          tags: ["Books", "Public"],
          extensions: { "x-cost": 2 },
          responses: [response],
        },
      ],
    },
  ]);
});

test("warnings are repeated by a run without changes", async () => {
  const { spec, out } = createWorkspace();
  const trace = DOCUMENT.paths["/books"].get;
  writeFileSync(spec, JSON.stringify({ ...DOCUMENT, paths: { "/books": { trace } } }));
  const first = await generate({ spec, out });
  expect(first.diagnostics).toMatchObject([{ message: expect.stringContaining("TRACE") as string }]);
  const second = await generate({ spec, out });
  expect(second).toMatchObject({ changed: [], diagnostics: first.diagnostics });
});

test("a run without changes repeats the warnings of an emitter without running it", async () => {
  const { spec, out } = createWorkspace();
  let runs = 0;
  const warning = { severity: "warning", message: "No books.", pointer: "/paths/~1books/get" } as const;
  const emit = () => ({ files: [], problems: runs++ === 0 ? [warning] : [] });
  const emitters: Emitter[] = [{ name: "counter", version: "1", emit }];
  const first = await generate({ spec, out, emitters });
  expect(first.diagnostics).toMatchObject([{ message: "No books.", position: { file: spec } }]);
  expect(await generate({ spec, out, emitters })).toMatchObject({ diagnostics: first.diagnostics });
  expect(runs).toBe(1);
  // Other positions.
  writeFileSync(spec, JSON.stringify(DOCUMENT, null, 2));
  expect(await generate({ spec, out, emitters })).toMatchObject({ diagnostics: [] });
});

test("a warning about a missing file disappears when the file is created", async () => {
  const { spec, out } = createWorkspace();
  const examples = { book: { externalValue: "book.json" } };
  writeFileSync(spec, JSON.stringify({ ...DOCUMENT, components: { ...DOCUMENT.components, examples } }));
  const { diagnostics } = await generate({ spec, out });
  expect(diagnostics).toMatchObject([{ message: expect.stringContaining("book.json") as string }]);
  expect((await generate({ spec, out })).diagnostics).toEqual(diagnostics);
  writeFileSync(path.join(path.dirname(spec), "book.json"), "{}");
  expect((await generate({ spec, out })).diagnostics).toEqual([]);
});

test("generated code contains security, the default base URL and the mount prefix", async () => {
  const { spec, out } = createWorkspace();
  await generate({ spec, out });
  const routes = readFileSync(path.join(out, "routes.ts"), "utf8");
  expect(routes).toMatch(/name: "listBooks",[^}]*security: \[\{ token: \[\] \}\]/);
  expect(routes).toMatch(/name: "login",[^}]*security: \[\],/);
  expect(routes).toContain('export const basePath = "/api";');
  expect(readFileSync(path.join(out, "client.ts"), "utf8")).toContain(
    'connectTo<paths>(options, "https://books.test/api")',
  );
  writeFileSync(spec, JSON.stringify({ ...DOCUMENT, servers: [{ url: "/v2/" }] }));
  await generate({ spec, out });
  expect(readFileSync(path.join(out, "routes.ts"), "utf8")).toContain('export const basePath = "/v2";');
  writeFileSync(spec, JSON.stringify({ ...DOCUMENT, servers: [{ url: "/" }] }));
  await generate({ spec, out });
  expect(readFileSync(path.join(out, "routes.ts"), "utf8")).not.toContain("basePath");
  expect(readFileSync(path.join(out, "client.ts"), "utf8")).toContain("connectTo<paths>(options);");
});
