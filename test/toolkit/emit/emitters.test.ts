import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  DiagnosticError,
  defaultEmitters,
  type Emitter,
  generate,
  responseValidators,
} from "../../../scripts/index.js";

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
        path: "names.txt",
        content: operations.map(({ name }) => `${name}\n`).join(""),
      },
    ],
    problems: [],
  }),
};

function createWorkspace(): { spec: string; out: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "emitters-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const spec = path.join(folder, "books.json");
  writeFileSync(spec, JSON.stringify(DOCUMENT));
  return { spec, out: path.join(folder, "out") };
}

test("a custom emitter runs like a built-in one, and its files are replaced and removed in the same way", async () => {
  const { spec, out } = createWorkspace();
  const added = await generate({ spec, out, emitters: [...defaultEmitters(), names] });
  expect(added.added).toContain(path.join(out, "names.txt"));
  expect(readFileSync(path.join(out, "names.txt"), "utf8")).toBe("listBooks\nlogin\n");
  const again = await generate({ spec, out, emitters: [...defaultEmitters(), names] });
  expect([...again.added, ...again.changed, ...again.removed]).toEqual([]);
  const removed = await generate({ spec, out });
  expect(removed.removed).toEqual([path.join(out, "names.txt")]);
});

test("a problem that several emitters find is reported once", async () => {
  const { spec, out } = createWorkspace();
  const content = { "application/json": { schema: { $ref: "#/components/schemas/A" } } };
  const post = { requestBody: { content }, responses: { "200": { description: "It.", content } } };
  const components = { ...DOCUMENT.components, schemas: { A: { type: "string", pattern: "(" } } };
  writeFileSync(spec, JSON.stringify({ ...DOCUMENT, paths: { "/a": { post } }, components }));
  const emitters = [...defaultEmitters(), responseValidators()];
  const error: unknown = await generate({ spec, out, emitters }).catch((reason: unknown) => reason);
  expect(error instanceof DiagnosticError && error.diagnostics).toMatchObject([
    {
      // The cast: vitest declares matchers as `any`.
      message: expect.stringContaining('the pattern "("') as string,
      position: { pointer: "/components/schemas/A/pattern" },
    },
  ]);
});

test("two emitters cannot have the same name or emit the same file", async () => {
  const { spec, out } = createWorkspace();
  await expect(generate({ spec, out, emitters: [names, names] })).rejects.toThrow("the name names");
  const other = { ...names, name: "other" };
  await expect(generate({ spec, out, emitters: [names, other] })).rejects.toThrow("both emit names.txt");
});

test("generated code contains security, the default base URL and the mount prefix", async () => {
  const { spec, out } = createWorkspace();
  await generate({ spec, out });
  const routes = readFileSync(path.join(out, "routes.ts"), "utf8");
  expect(routes).toMatch(/id: "listBooks",[^}]*security: \[\{ token: \[\] \}\]/);
  expect(routes).toMatch(/id: "login",[^}]*security: \[\],/);
  expect(routes).toContain('export const basePath = "/api";');
  expect(readFileSync(path.join(out, "client.ts"), "utf8")).toContain('baseUrl: "https://books.test/api"');
  writeFileSync(spec, JSON.stringify({ ...DOCUMENT, servers: [{ url: "/v2/" }] }));
  await generate({ spec, out });
  expect(readFileSync(path.join(out, "routes.ts"), "utf8")).toContain('export const basePath = "/v2";');
});
