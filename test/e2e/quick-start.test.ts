import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT } from "../support/api-document.js";
import { measureFolder, ForeignProject, explainUnreachable } from "./foreign-project.js";

/** Size limit of openapi-compiler with all its dependencies, in bytes. */
const MOST_INSTALLED = 75_000_000;

/** The installed command. The quick start runs it with npx, which takes as long as the command itself. */
const COMMAND = "node_modules/.bin/openapi-compiler";

/** A step of the quick start: a file to write, or shell commands. */
type Step = { file: string; text: string } | { lines: string[] };

let packed: string;
let project: ForeignProject;
let tarball: string;
beforeAll(async () => {
  packed = mkdtempSync(path.join(tmpdir(), "openapi-compiler-packed-"));
  tarball = await ForeignProject.pack(packed, "./dist/openapi-compiler");
  project = new ForeignProject({ empty: true });
});
afterAll(() => {
  project.remove();
  rmSync(packed, { recursive: true, force: true });
});

test("openapi-compiler installs none of the service's dependencies", async (context) => {
  const alone = new ForeignProject({ empty: true });
  try {
    const unreachable = await alone.npmInstall(tarball);
    if (unreachable !== undefined) return skip(context, unreachable);
    const modules = path.join(alone.folder, "node_modules");
    const size = measureFolder(modules);
    const names = readdirSync(modules);
    console.log(
      `openapi-compiler installs ${alone.packages().length} packages, ${(size / 1e6).toFixed(1)} MB`,
    );
    expect(names).toContain("openapi-compiler");
    for (const name of ["libsql", "pg", "kysely", "ioredis", "pino", "router"])
      expect(names).not.toContain(name);
    expect(size).toBeLessThan(MOST_INSTALLED);
    alone.write("api.yaml", "openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths: {}\n");
    expect((await alone.shell(`${COMMAND} generate --spec api.yaml --out generated`)).code).toBe(0);
    alone.write(
      "program.mjs",
      `import { generate } from "openapi-compiler";
const options = { spec: "api.yaml", out: "generated" };
const { changed, removed } = await generate({ ...options, check: true });
const error = await generate({ ...options, spec: "none.yaml" }).catch((reason) => reason);
console.log(JSON.stringify([changed, removed, error.name]));
`,
    );
    expect(await alone.node("program.mjs")).toEqual({ code: 0, text: '[[],[],"DiagnosticError"]\n' });
  } finally {
    alone.remove();
  }
});

test("the quick start of the README results in a working server and client, and its emitter in Zod schemas", async (context) => {
  const outcomes: string[] = [];
  let port = 0;
  const follow = async (section: string): Promise<void> => {
    for (const step of readSteps(section)) {
      if ("file" in step) {
        project.write(step.file, step.text);
        continue;
      }
      for (const line of step.lines) {
        if (line.endsWith(" &")) {
          ({ port } = await project.start(line.replace(/^node (.*) &$/, "$1")));
          continue;
        }
        // Installs the tarball, because the package may not be published yet.
        const command = line.replace(/^(npm install )openapi-compiler/, `$1${tarball}`);
        const { code, text } = await project.shell(`BASE_URL=http://127.0.0.1:${port} ${command}`);
        const unreachable = code === 0 ? undefined : explainUnreachable(text);
        if (unreachable !== undefined) return skip(context, unreachable);
        expect(code, `${line}\n${text}`).toBe(0);
        outcomes.push(text);
      }
    }
  };
  await follow("Quick start");
  expect(outcomes.at(-1)).toMatch(/^20\S+Z \/books\/9780140328721\n$/);
  // The README contains the generator's stubs, so a second run changes nothing.
  const generate = `${COMMAND} generate --spec api.yaml --out src/generated --adapters src/handlers`;
  expect((await project.shell(`${generate} --check`)).code).toBe(0);
  const refused = await fetch(`http://127.0.0.1:${port}/books/1`);
  expect(refused.status).toBe(400);

  await follow("Authentication");
  project.replace(
    "api.yaml",
    "components:\n",
    `security: [{ token: [] }, { key: [] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer }, key: { type: apiKey, in: header, name: X-Key } }
`,
  );
  expect((await project.shell(generate)).code).toBe(0);
  expect((await project.tsc()).code).toBe(0);
  const secured = await project.start("dist/server.js");
  const getBook = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`http://127.0.0.1:${secured.port}/books/9780140328721`, { headers })).status;
  expect(await getBook({})).toBe(401);
  expect(await getBook({ authorization: "Bearer wrong" })).toBe(401);
  expect(await getBook({ authorization: "Bearer secret" })).toBe(404);

  await follow("Emitters of your own");
  project.write(
    "check.mjs",
    `import { Book } from "./dist/generated/zod.js";
const book = { isbn: "9780140328721", title: "Fantastic Mr Fox", added: "2026-01-01T00:00:00Z" };
console.log(Book.safeParse(book).success, Book.safeParse({ ...book, title: 1 }).success);
`,
  );
  expect(await project.node("check.mjs")).toEqual({ code: 0, text: "true false\n" });
});

function skip(context: { skip(reason: string): void }, reason: string): void {
  if (process.env.CI) throw new Error(reason);
  context.skip(reason);
}

/** Reads the code blocks of a section in order. The path of a file starts the paragraph before its block. */
function readSteps(title: string): Step[] {
  const readme = readFileSync(path.join(PROJECT, "dist/openapi-compiler/README.md"), "utf8");
  const section = readme.split(`## ${title}`)[1]?.split("\n## ")[0] ?? "";
  const blocks = section.matchAll(/\n\n([^\n]+(?:\n[^\n]+)*)\n\n```(\w+)\n(.*?)```/gs);
  return [...blocks].map(([, paragraph = "", language, text = ""]): Step => {
    if (language === "sh") return { lines: text.trim().split("\n") };
    const file = /^`([^`]+)`/.exec(paragraph)?.[1];
    if (file === undefined) throw new Error(`No file name before the block ${text.slice(0, 40)}`);
    return { file, text };
  });
}
