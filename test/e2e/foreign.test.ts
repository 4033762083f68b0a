import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashGenerator } from "../../scripts/write/generator-hash.js";
import { ForeignProject } from "./foreign-project.js";

const LATEST = "typescript@7.0.2";

const SETTINGS = {
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    noUncheckedIndexedAccess: true,
    allowJs: true,
    rootDir: "src",
    outDir: "dist",
    types: ["node"],
    skipLibCheck: true,
    incremental: true,
  },
  include: ["src"],
};
const BUNDLER = ["--noEmit", "--incremental", "false", "--module", "esnext", "--moduleResolution", "bundler"];

const GENERATE = "npx openapi-compiler generate --spec api.yaml --out src/generated --adapters src/handlers";
/** The same without npx, which takes as long as the command itself. */
const INSTALLED_GENERATE = GENERATE.replace("npx ", "node_modules/.bin/");

const SERVER = `import express from "express";
import { createBinder } from "openapi-compiler/http";
import { registerRoutes } from "./generated/routes.js";
import { validators } from "./generated/validators.js";
import { booksHandlers } from "./handlers/books.js";
import { membersHandlers } from "./handlers/members.js";

const app = express();
const handlers = { books: booksHandlers, members: membersHandlers };
registerRoutes(app, handlers, createBinder({ validators }));
app.listen(process.env.PORT ?? 3000);
`;

const ADD_BOOK = `async addBook({ body }) {
    const book: Book = { ...body, added: new Date().toISOString() };
    books.set(book.isbn, book);
    return { status: 201, headers: { Location: \`/books/\${book.isbn}\` }, body: book };
  },`;

const CALL = `import { createClient } from "./generated/client.js";

const client = createClient({ baseUrl: "http://localhost:3000" });
const { body, headers } = await client.addBook({
  body: { isbn: "9780140328721", title: "Fantastic Mr Fox", author: "Roald Dahl" },
});
console.log(body.added, headers.Location);
`;

/** Prints the hash that the installed generator has of itself. */
const HASH = `import { hashGenerator } from "./node_modules/openapi-compiler/scripts/write/generator-hash.js";

console.log(await hashGenerator());
`;

/** A program that uses each export of the packages; its wrong lines must be refused. */
const ENTRIES = `import { createPageService } from "page-service";
import { createClient, paginate } from "page-service/client";
import { DiagnosticError, generate } from "openapi-compiler";
import { createBinder } from "openapi-compiler/http";
import type { components } from "page-service/types";
import document from "page-service/openapi.json" with { type: "json" };

const client = createClient({ baseUrl: "http://localhost:3000", apiKey: "ps_" });
const { body: page } = await client.retrievePage({ path: { page_id: "1" } });
export const url: string = page.url;
export const none = page.nothing; // wrong
export const number: number = page.url; // wrong
export const id: components["schemas"]["Page"]["id"] = page.id;
export const lost: components["schemas"]["Page"]["id"] = 1; // wrong
export const pages = paginate(client.queryDatabase, { path: { database_id: 1 } }); // wrong
export const service = await createPageService({ database: 1 }); // wrong
export const { changed } = await generate({ spec: "api.yaml", out: "generated" });
export const files: string[] = changed;
export const missing = await generate({ spec: "api.yaml" }); // wrong
export const messages: string[] = new DiagnosticError([]).diagnostics.map(({ message }) => message);
export const binder = createBinder({ validators: 1 }); // wrong
export const title: string = document.info.title;
export const version: number = document.info.version; // wrong
`;

let packed: string;
let tarballs: string[];
beforeAll(async () => {
  packed = mkdtempSync(path.join(tmpdir(), "page-service-packed-"));
  tarballs = [
    await ForeignProject.pack(path.join(packed, "service")),
    await ForeignProject.pack(path.join(packed, "compiler"), "./dist/openapi-compiler"),
  ];
});
afterAll(() => rmSync(packed, { recursive: true, force: true }));

// Uses the latest TypeScript, because other tests compile generated code and the client with TypeScript 5.9.
describe(`a foreign project with ${LATEST}`, () => {
  let project: ForeignProject;
  let unreachable: string | undefined;

  beforeAll(async () => {
    project = new ForeignProject();
    project.write("tsconfig.json", JSON.stringify(SETTINGS));
    unreachable = await project.install(tarballs, LATEST);
    if (unreachable !== undefined && process.env.CI) throw new Error(unreachable);
    if (unreachable !== undefined) console.warn(`Skipped the foreign project with ${LATEST}: ${unreachable}`);
  });
  afterAll(() => project.remove());

  test("generates, serves with Express 5, calls it with the generated client, and follows changes of its document", async (context) => {
    if (unreachable !== undefined) return context.skip(unreachable);

    // The command uses its own compiler, independent of the project's version.
    const first = await project.shell(GENERATE);
    expect(first.code, first.text).toBe(0);
    expect(first.text).toContain("added    src/handlers/members.ts: handler lendBook");
    // The installed generator and the sources generate the same code.
    project.write("hash.mjs", HASH);
    expect(await project.node("hash.mjs")).toEqual({ code: 0, text: `${await hashGenerator()}\n` });
    // Generated code compiles unchanged.
    expect(await project.tsc()).toEqual({ code: 0, text: "" });

    implementStub(project, "addBook", ADD_BOOK);
    implementStub(
      project,
      "getBook",
      `async getBook({ path }) {
    const book = books.get(path.isbn);
    if (!book) return { status: 404, body: { title: "No such book", status: 404 } };
    return { status: 200, body: book };
  },`,
    );
    project.replace(
      "src/handlers/books.ts",
      "export const",
      `import type { components } from "../generated/types.js";

type Book = components["schemas"]["Book"];
const books = new Map<string, Book>();

export const`,
    );
    project.write("src/server.ts", SERVER);
    project.write("src/call.ts", CALL);
    expect(await project.tsc()).toEqual({ code: 0, text: "" });
    // It also compiles for a bundler, with checks of our package's declarations.
    expect(await project.tsc(...BUNDLER, "--skipLibCheck", "false")).toEqual({ code: 0, text: "" });

    const running = await project.start("dist/server.js");
    project.replace("dist/call.js", "http://localhost:3000", `http://127.0.0.1:${running.port}`);
    const called = await project.node("dist/call.js");
    expect(called).toEqual({ code: 0, text: expect.stringMatching(/^20\S+Z \/books\/9780140328721\n$/) });
    await expectResponses(project, running.port);
    await running.stop();

    // The document changes: the compiler reports handlers without the new field, and a stub is added.
    project.replace("api.yaml", "required: [added]", "required: [added, copies]");
    project.replace(
      "api.yaml",
      "properties: { added: { type: string, format: date-time } }",
      "properties: { added: { type: string, format: date-time }, copies: { type: integer } }",
    );
    project.replace(
      "api.yaml",
      "  /books/{isbn}:\n",
      `  /books/{isbn}:
    delete:
      tags: [books]
      operationId: removeBook
      summary: Remove a book
      parameters:
        - { name: isbn, in: path, required: true, schema: { type: string } }
      responses: { "204": { description: Gone. } }
`,
    );
    const check = await project.shell(`${INSTALLED_GENERATE} --check`);
    expect(check).toMatchObject({ code: 1, text: expect.stringContaining(`Run: ${GENERATE}\n`) });
    const before = project.read("src/handlers/books.ts");
    const second = await project.shell(INSTALLED_GENERATE);
    expect(second.code, second.text).toBe(0);
    expect(second.text).toContain("changed  src/handlers/books.ts: handler removeBook");
    const stub = /\n+ {2}\/\*\* DELETE \/books\/\{isbn\}: Remove a book \*\/\n.*\n.*\n {2}\},/;
    expect(project.read("src/handlers/books.ts").replace(stub, "")).toBe(before);

    const { code, text } = await project.tsc();
    expect(code).not.toBe(0);
    const line = findLine(project.read("src/handlers/books.ts"), "const book: Book =");
    expect(text.match(/^\S.*error TS.*$/gm)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^src/handlers/books\\.ts[(:]${line}[,:]\\d+\\)?(?::| -) error TS2322: .*|.*'copies' is missing.*`,
        ),
      ),
    ]);
    project.replace("src/handlers/books.ts", "{ ...body, added", "{ ...body, copies: 1, added");
    expect(await project.tsc()).toEqual({ code: 0, text: "" });

    const again = await project.start("dist/server.js");
    project.replace("dist/call.js", "http://localhost:3000", `http://127.0.0.1:${again.port}`);
    expect((await project.node("dist/call.js")).code).toBe(0);
    const book = await fetch(`http://127.0.0.1:${again.port}/books/9780140328721`);
    expect(await book.json()).toMatchObject({ copies: 1 });
    expect(await project.shell(`${INSTALLED_GENERATE} --check`)).toEqual({
      code: 0,
      text: "Up to date with api.yaml.\n",
    });
  });

  test("each entry of the package has types, for Node and for a bundler", async (context) => {
    if (unreachable !== undefined) return context.skip(unreachable);
    project.write("entries/entries.ts", ENTRIES);
    const settings = { ...SETTINGS.compilerOptions, rootDir: ".", noEmit: true, incremental: false };
    project.write(
      "entries/tsconfig.json",
      JSON.stringify({ compilerOptions: { ...settings, lib: ["ES2022", "DOM"], resolveJsonModule: true } }),
    );
    for (const how of [[], BUNDLER]) {
      const { code, text } = await project.tsc("--project", "entries", ...how);
      expect(code, text).not.toBe(0);
      // Deliberate errors, which the compiler would miss if types were lost.
      const wrong = ENTRIES.split("\n").flatMap((line, index) =>
        line.endsWith("// wrong") ? [index + 1] : [],
      );
      const found = [...text.matchAll(/^entries\/entries\.ts[(:](\d+).*error TS/gm)].map(([, line]) =>
        Number(line),
      );
      expect(found, text).toEqual(wrong);
    }
  });

  test("the package runs the Page Service with its docs", async (context) => {
    if (unreachable !== undefined) return context.skip(unreachable);
    const { port } = await project.start("node_modules/page-service/dist/src/cli.js", "serve", "--memory");
    const get = (where: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${where}`);
    const docs = await get("/docs");
    expect(docs.status).toBe(200);
    expect(await docs.text()).toContain("Page Service");
    expect(await (await get("/openapi.json")).json()).toMatchObject({ info: { title: "Page Service" } });
    expect((await get("/v1/pages")).status).toBe(400);
  });
});

/** Replaces a stub by code. */
function implementStub(project: ForeignProject, name: string, code: string): void {
  const stub = new RegExp(`async ${name}\\(_request, _context\\) \\{\\n.*\\n  \\},`);
  project.replace("src/handlers/books.ts", stub, code.trim());
}

/** Calls the server through the generated and compiled client of the project. */
async function expectResponses(project: ForeignProject, port: number): Promise<void> {
  const file = pathToFileURL(path.join(project.folder, "dist/generated/client.js")).href;
  // The cast: the exports of the compiled generated/client.ts.
  const { createClient, ApiError } = (await import(/* @vite-ignore */ file)) as {
    createClient: (
      options: object,
    ) => Record<string, (request: object) => Promise<{ status: number; body: unknown }>>;
    ApiError: new () => Error;
  };
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}` });
  const refused = async (name: string, request: object): Promise<unknown> => {
    const error = await client[name]?.(request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    return error;
  };
  expect(await client.getBook?.({ path: { isbn: "9780140328721" } })).toMatchObject({
    status: 200,
    body: { title: "Fantastic Mr Fox" },
  });
  expect(await refused("getBook", { path: { isbn: "9780000000000" } })).toMatchObject({
    status: 404,
    body: { title: "No such book" },
  });
  expect(await refused("getBook", { path: { isbn: "978" } })).toMatchObject({
    status: 400,
    body: { title: "Bad Request", detail: expect.stringContaining("path.isbn should be") },
  });
  expect(await refused("addBook", { body: { isbn: 1 } })).toMatchObject({ status: 400 });
  expect(await refused("lendBook", { path: { id: 7 }, body: { isbn: "978" } })).toMatchObject({
    status: 501,
    body: { detail: "lendBook is not implemented" },
  });
}

function findLine(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split("\n").length;
}
