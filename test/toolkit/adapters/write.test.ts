import { chmod, lstat, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { applyAdapterEdits } from "../../../scripts/adapters/files.js";
import { planAdapters } from "../../../scripts/adapters/plan.js";
import { DiagnosticError } from "../../../scripts/diagnostic.js";
import { findCompileErrors } from "./compile.js";
import { createAdapterFolder, group, pages } from "./fixture.js";

const imports =
  'import type { BigHandlers, BlocksHandlers, PagesHandlers } from "../../generated/routes.js";\n';
const code = `${imports}export const pages: PagesHandlers = {};\n`;

describe("a new file", () => {
  it("compiles under strict without changes", async () => {
    const groups = [pages, group("users", "me")];
    const folder = await createAdapterFolder({}, groups);
    await rm(folder.dir, { recursive: true });
    const report = await folder.plan();
    expect(report.diagnostics).toEqual([]);
    expect(
      report.edits.map(({ file, addedHandlers, created }) => ({ file, addedHandlers, created })),
    ).toEqual([
      {
        file: path.join(folder.dir, "pages.ts"),
        addedHandlers: ["retrievePage", "createPage", "archivePage"],
        created: true,
      },
      { file: path.join(folder.dir, "users.ts"), addedHandlers: ["me"], created: true },
    ]);
    await applyAdapterEdits(report.edits);
    expect(await folder.read("users.ts"))
      .toBe(`import type { UsersHandlers } from "../../generated/routes.js";

export const usersHandlers: UsersHandlers<unknown> = {
  /** GET /v1/pages/{page_id} */
  async me(_request, _context) {
    throw Object.assign(new Error("me is not implemented"), { status: 501 });
  },
};
`);
    expect(findCompileErrors(report.edits.map(({ file }) => file))).toEqual([]);
    expect(await folder.plan()).toEqual({ edits: [], diagnostics: [], hasOrphans: false });
  });

  it("imports routes with unusual paths", async () => {
    const folder = await createAdapterFolder({});
    const routes = path.join(folder.dir, `a"b\\c`, "routes.mts");
    const { edits } = await planAdapters([pages], folder.dir, routes);
    expect(edits[0]?.content).toContain(String.raw`from "./a\"b\\c/routes.mjs";`);
  });

  it("exports another name than the interface's, which it imports", async () => {
    const { edits } = await (await createAdapterFolder({}, [group("日本", "list")])).plan();
    expect(edits[0]?.content).toContain("export const 日本HandlersObject: 日本Handlers<unknown> = {");
  });

  it("is not created for a tag without operations, and does not replace a file that was created meanwhile", async () => {
    const folder = await createAdapterFolder({});
    expect((await folder.plan([group("none")])).edits).toEqual([]);
    const { edits } = await folder.plan();
    await writeFile(path.join(folder.dir, "pages.ts"), "mine\n");
    await expect(applyAdapterEdits(edits)).rejects.toThrow(DiagnosticError);
    expect(await folder.read("pages.ts")).toBe("mine\n");
  });
});

describe("writing", () => {
  it("keeps permissions and leaves no temporary file", async () => {
    const folder = await createAdapterFolder({ "pages.ts": code });
    await chmod(path.join(folder.dir, "pages.ts"), 0o2640);
    await applyAdapterEdits((await folder.plan()).edits);
    expect((await stat(path.join(folder.dir, "pages.ts"))).mode & 0o7777).toBe(0o2640);
    expect(await readdir(folder.dir)).toEqual(["pages.ts"]);
    expect(await folder.read("pages.ts")).toContain("archivePage");
  });

  it("writes none of the files if one is read-only", async () => {
    const groups = [group("blocks", "listBlocks"), pages];
    const folder = await createAdapterFolder(
      { "blocks.ts": `${imports}export const blocks: BlocksHandlers = {};\n`, "pages.ts": code },
      groups,
    );
    await chmod(path.join(folder.dir, "pages.ts"), 0o444);
    const { edits } = await folder.plan();
    await expect(applyAdapterEdits(edits)).rejects.toThrow("is read-only. It was not written");
    expect(await folder.read("pages.ts")).toBe(code);
    expect(await folder.read("blocks.ts")).not.toContain("listBlocks");
  });

  it("does not replace a symbolic link that was created meanwhile", async () => {
    const folder = await createAdapterFolder({ "pages.ts": code });
    const { edits } = await folder.plan();
    const outside = path.join(folder.root, "outside.ts");
    await rename(path.join(folder.dir, "pages.ts"), outside);
    await symlink(outside, path.join(folder.dir, "pages.ts"));
    await expect(applyAdapterEdits(edits)).rejects.toThrow("changed in the meantime");
    expect((await lstat(path.join(folder.dir, "pages.ts"))).isSymbolicLink()).toBe(true);
    expect(await folder.read("../../outside.ts")).toBe(code);
  });

  it("writes none of the files if one was saved meanwhile", async () => {
    const groups = [group("blocks", "listBlocks"), pages];
    const folder = await createAdapterFolder(
      { "blocks.ts": `${imports}export const blocks: BlocksHandlers = {};\n`, "pages.ts": code },
      groups,
    );
    const { edits } = await folder.plan();
    await writeFile(path.join(folder.dir, "pages.ts"), `${code}// saved just now\n`);
    await expect(applyAdapterEdits(edits)).rejects.toThrow("changed in the meantime");
    expect(await folder.read("blocks.ts")).not.toContain("listBlocks");
    expect(await folder.read("pages.ts")).toContain("saved just now");
  });
});

describe("size", () => {
  it("adds a thousand handlers within seconds", async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `operation${index}`);
    const big = group("big", ...names);
    const handlers = names
      .slice(0, 1000)
      .map((name) => `  async ${name}() {\n    return { a: [1, "b"] };\n  },\n`);
    const folder = await createAdapterFolder(
      { "big.ts": `${imports}export const big: BigHandlers = {\n${handlers.join("")}};\n` },
      [big],
    );
    // Measures processor time, because other tests run at the same time.
    const begin = process.cpuUsage();
    const { edits } = await folder.plan();
    expect(edits[0]?.addedHandlers).toHaveLength(200);
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1_000_000).toBeLessThan(5);
  });
});
