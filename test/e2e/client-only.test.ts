import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { PROJECT } from "../support/api-document.js";
import { connect } from "../support/contract.js";
import { measureFolder, ForeignProject } from "./foreign-project.js";
import type { Outcome } from "./project.js";
import { expectNoNodeTypes } from "./web-page.js";

/** Size limits of the installed client with its dependencies in bytes: within page-service, and as its own package. */
const SIZE_LIMITS = { inside: 8_000_000, alone: 1_100_000 };

const PROGRAM = `import { createClient } from "page-service/client";

const [baseUrl = "", apiKey = "", database_id = ""] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey });
const properties = { Title: { title: [{ text: { content: "Plans" } }] } };
const { body } = await client.createPage({ body: { parent: { database_id }, properties } });
console.log(body.object);
`;

let packed: string;
let project: ForeignProject;
let unreachable: string | undefined;

beforeAll(async () => {
  packed = mkdtempSync(path.join(tmpdir(), "page-service-packed-"));
  const tarball = await ForeignProject.pack(packed);
  project = new ForeignProject();
  unreachable = await project.npmInstall("--omit=optional", tarball);
  if (unreachable !== undefined && process.env.CI) throw new Error(unreachable);
  if (unreachable !== undefined) console.warn(`Skipped the client alone: ${unreachable}`);
});
afterAll(() => {
  project.remove();
  rmSync(packed, { recursive: true, force: true });
});

test("without optional dependencies the client works, and no large package is installed", async (context) => {
  if (unreachable !== undefined) return context.skip(unreachable);
  const modules = path.join(project.folder, "node_modules");
  const visible = readdirSync(modules).filter((name) => !name.startsWith("."));
  expect(visible).toEqual(["openapi-fetch", "openapi-typescript-helpers", "page-service"]);
  const size = measureFolder(modules);
  console.log(`The installed client takes ${(size / 1e6).toFixed(1)} MB on the disk`);
  expect(size).toBeLessThan(SIZE_LIMITS.inside);

  project.write("call.js", PROGRAM);
  expect(await call(project, "call.js")).toEqual({ code: 0, text: "page\n" });
});

test("page-service/client needs no types of Node in a web project with TypeScript 5.9", async (context) => {
  if (unreachable !== undefined) return context.skip(unreachable);
  expect(project.packages()).not.toContain("node_modules/@types/node");
  await expectNoNodeTypes(project, "typescript", "page-service/client", "page-service/types");
});

test("a command names the missing package and how to install it, and runs afterwards", async (context) => {
  if (unreachable !== undefined) return context.skip(unreachable);
  const command = "node_modules/.bin/page-service";
  const remedy = "Run `npm install --include=optional`.\n";
  for (const args of ["serve --memory", "keys list", "users list --workspace A", "plans list"]) {
    const { code, text } = await project.shell(`${command} ${args}`);
    expect(code, text).toBe(2);
    expect(text).toMatch(
      /^page-service: The package \S+ is not installed, and this command needs it\. .*\n$/,
    );
    expect(text).toContain(remedy);
  }
  expect((await project.shell(`${command} --version`)).text).toMatch(/^\d+\.\d+\.\d+/);

  expect(await project.npmInstall("--include=optional")).toBeUndefined();
  const { stop } = await project.start(command, "serve", "--memory");
  await stop();
});

test("the client's own package contains only the client, and needs no types of Node with TypeScript 7", async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), "page-service-packed-"));
  const own = new ForeignProject();
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    own.remove();
  });
  const tarball = await ForeignProject.pack(folder, "./dist/client-package");
  if (unreachable !== undefined) return context.skip(unreachable);
  expect(await own.npmInstall(tarball)).toBeUndefined();
  const modules = path.join(own.folder, "node_modules");
  expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual([
    "openapi-fetch",
    "openapi-typescript-helpers",
    "page-service-client",
  ]);
  const size = measureFolder(modules);
  console.log(`page-service-client takes ${(size / 1e6).toFixed(1)} MB on the disk`);
  expect(size).toBeLessThan(SIZE_LIMITS.alone);

  await expectNoNodeTypes(own, "typescript-7", "page-service-client", "page-service-client/types");
  const program = PROGRAM.replace("page-service/client", "page-service-client");
  own.write("src/call.ts", program);
  const options = {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    typeRoots: [path.join(PROJECT, "node_modules/@types")],
    types: ["node"],
    rootDir: "src",
    outDir: "dist",
    skipDefaultLibCheck: true,
  };
  own.write("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["src"] }));
  expect(await own.compile("typescript-7")).toEqual({ code: 0, text: "" });
  expect(await call(own, "dist/call.js")).toEqual({ code: 0, text: "page\n" });
  own.write("src/call.ts", program.replace("body.object", "body.nothing"));
  expect((await own.compile("typescript-7")).text).toContain("error TS2339");
});

/** Runs a program of a project against the service. */
async function call(where: ForeignProject, file: string): Promise<Outcome> {
  const { baseUrl, key, rootDatabaseId } = await connect();
  return where.node(file, baseUrl, key, rootDatabaseId);
}
