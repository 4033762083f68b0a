import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { AdapterPlan } from "../../../scripts/adapters/plan.js";
import {
  createAdapterFolder,
  createHiddenMessage,
  createOrphanMessage,
  group,
  operation,
  pages,
  planText,
} from "./fixture.js";

const start = 'import type { PagesHandlers } from "../../generated/routes.js";\n';
const names = ["retrievePage", "createPage", "archivePage"];

/** Formats each diagnostic as `pages.ts:2:5 warning the message`. */
function formatLines(report: AdapterPlan): string[] {
  return report.diagnostics.map(({ severity, message, position }) => {
    expect(position?.pointer).toBe("");
    return `${path.basename(position?.file ?? "")}:${position?.line}:${position?.col} ${severity} ${message}`;
  });
}

describe("handlers without an operation", () => {
  const all = "  retrievePage, createPage, archivePage,\n";

  it("reports all members of an object, at their names", async () => {
    const { report } = await planText(
      `\uFEFF${start}export const pages: PagesHandlers = { async old() {},\n${all}  older, "oldest": () => 1,\n};\n`,
    );
    expect(formatLines(report)).toEqual([
      `pages.ts:2:45 warning ${createOrphanMessage("old")}`,
      `pages.ts:4:3 warning ${createOrphanMessage("older")}`,
      `pages.ts:4:10 warning ${createOrphanMessage("oldest")}`,
    ]);
    expect(report).toMatchObject({ edits: [], hasOrphans: true });
  });

  it("reports a handler whose operation has another tag, and adds the stub there", async () => {
    const { report } = await planText(
      `${start}export const pages: PagesHandlers = {\n${all}  listBlocks,\n};\n`,
      [pages, group("blocks", "listBlocks")],
    );
    expect(formatLines(report)).toEqual([`pages.ts:4:3 warning ${createOrphanMessage("listBlocks")}`]);
    expect(report.edits).toMatchObject([{ created: true, addedHandlers: ["listBlocks"] }]);
  });

  it("names all interfaces of a class", async () => {
    const { report } = await planText(
      `import type { BlocksHandlers, PagesHandlers } from "../../generated/routes.js";
class All implements PagesHandlers, BlocksHandlers {
  retrievePage() {} createPage() {} archivePage() {} listBlocks() {}
  /** GET /v1/old */
  old() {}
}\n`,
      [pages, group("blocks", "listBlocks")],
    );
    expect(formatLines(report)).toEqual([
      `pages.ts:5:3 warning ${createOrphanMessage("old", "PagesHandlers and BlocksHandlers")}`,
    ]);
  });

  it("treats a method of a class as a handler if its comment has a route, as in a stub", async () => {
    const { report } = await planText(`${start}class Pages implements PagesHandlers {
  static make() {}
  constructor(public db: string) {}
  #secret() {}
  private hidden() {}
  get size() { return 1 }
  timeout = 5;
  [Symbol.dispose]() {}
  /** Finds GET /v1/pages. */
  find() {}
  /** GET /v1/pages/{page_id}: Retrieve a page */
  fetchPage() {}
  // POST /v1/pages
  addPage = async () => 1;
  retrievePage() {}
  createPage() {}
}\n`);
    expect(formatLines(report)).toEqual([
      `pages.ts:13:3 warning ${createOrphanMessage("fetchPage")}`,
      `pages.ts:15:3 warning ${createOrphanMessage("addPage")}`,
    ]);
    expect(report.edits).toMatchObject([{ addedHandlers: ["archivePage"] }]);
  });

  it.each(["Old", "日本", "Größen"])("reports the handlers of the removed tag %s", async (tag) => {
    const text = `import type { ${tag}Handlers as O } from "../../generated/routes.js";
import type { OtherHandlers } from "elsewhere";
export const old: O<string> = { list };
export const other: OtherHandlers = { get };
`;
    const folder = await createAdapterFolder({ "old.ts": text });
    const report = await folder.plan();
    expect(formatLines(report)).toEqual([
      `old.ts:3:33 warning ${createOrphanMessage("list", `${tag}Handlers`)}`,
    ]);
    expect(report.edits).toMatchObject([{ file: path.join(folder.dir, "pages.ts"), created: true }]);
  });
});

describe("handlers that may be defined out of sight", () => {
  it("adds nothing to an object with a spread", async () => {
    const { report } = await planText(
      `${start}export const pages: PagesHandlers = {\n  retrievePage,\n  ...rest,\n  old() {},\n};\n`,
    );
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      `pages.ts:4:3 warning ${createHiddenMessage("PagesHandlers", "createPage", "archivePage")}`,
      `pages.ts:5:3 warning ${createOrphanMessage("old")}`,
    ]);
  });

  it("accepts a spread if every handler is explicit", async () => {
    const { report } = await planText(
      `${start}const pages: PagesHandlers = { ...rest, retrievePage, createPage, archivePage };\n`,
    );
    expect(report).toEqual({ edits: [], diagnostics: [], hasOrphans: false });
  });

  it.each([
    ["a computed name", "const pages: PagesHandlers = { [name]: 1, retrievePage, createPage };", 32],
    ["a base class", "class A extends B implements PagesHandlers { retrievePage() {} createPage() {} }", 17],
  ])("adds nothing to an adapter with %s", async (_, code, column) => {
    const { report } = await planText(`${start}${code}\n`);
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      `pages.ts:2:${column} warning ${createHiddenMessage("PagesHandlers", "archivePage")}`,
    ]);
  });

  it("adds to the wrapped adapter instead of the wrapper", async () => {
    const { report, content } = await planText(
      `${start}export const pages: PagesHandlers = { retrievePage, createPage };\n` +
        "export function logged(inner: PagesHandlers): PagesHandlers {\n  return { ...inner, createPage };\n}\n",
    );
    expect(report.diagnostics).toEqual([]);
    expect(content.indexOf("archivePage")).toBeLessThan(content.indexOf("logged"));
  });

  it("adds to each of several implementations", async () => {
    const { report } = await planText(
      `${start}export class Pages implements PagesHandlers {}\nexport const pages = { retrievePage } satisfies PagesHandlers;\n`,
    );
    expect(report).toMatchObject({
      edits: [{ addedHandlers: [...names, "createPage", "archivePage"] }],
      diagnostics: [],
    });
  });

  it.each([
    ["a call", "const some: PagesHandlers = make();", 13],
    ["the argument of a call", "const some: PagesHandlers = freeze({});", 13],
    ["a type argument", "const some = define<PagesHandlers>({});", 21],
    ["Partial", "const some: Partial<PagesHandlers> = {};", 21],
    ["an intersection", "const some: PagesHandlers & Closeable = {};", 13],
    ["an alias", "type Some = PagesHandlers; const some: Some = {};", 13],
    ["an interface", "interface Some extends PagesHandlers {} const some: Some = {};", 24],
    ["a promise", "async function some(): Promise<PagesHandlers> { return {}; }", 32],
    ["a class expression", "const Some = class implements PagesHandlers {};", 31],
    ["a function type", "const some: () => PagesHandlers = () => ({});", 19],
    ["a conditional expression", "const some: PagesHandlers = flag ? {} : {};", 13],
    ["a returned variable", "function some(): PagesHandlers { const pages = {}; return pages; }", 18],
    ["an assignment", "let some: PagesHandlers; some = {};", 11],
  ])("creates no file for an interface that another adapter mentions: %s", async (_, code, column) => {
    const folder = await createAdapterFolder(
      { "index.ts": `${start}${code}\n// UsersHandlers\nexport type { UsersHandlers } from "#api";\n` },
      [pages, group("users", "me")],
    );
    const report = await folder.plan();
    expect(formatLines(report)).toEqual([
      `index.ts:2:${column} warning ${createHiddenMessage("PagesHandlers", ...names)}`,
    ]);
    expect(report.edits.map(({ file }) => path.basename(file))).toEqual(["users.ts"]);
    expect(report.hasOrphans).toBe(false);
  });

  it.each([
    [
      "an import with another name",
      'import type { PagesHandlers as P } from "#api";\nconst some: Partial<P> = {};\n',
      "1:15",
    ],
    ["a namespace", 'import * as r from "#api";\nconst some: r.PagesHandlers = {};\n', "2:15"],
    ["an import type", 'const some: import("#api").PagesHandlers = {};\n', "1:28"],
  ])("creates no file for an interface that another adapter uses as %s", async (_, code, position) => {
    const report = await (await createAdapterFolder({ "index.ts": code })).plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      `index.ts:${position} warning ${createHiddenMessage("PagesHandlers", ...names)}`,
    ]);
  });

  it.each(["pages.ts", "pages.js", "pages.mjs", "Pages.tsx", "pages.cts"])(
    "creates no file next to %s without an implementation",
    async (name) => {
      const folder = await createAdapterFolder({ [name]: "", "pages.test.js": "", "pages.json": "{}" });
      const report = await folder.plan();
      expect(report.edits).toEqual([]);
      expect(formatLines(report)).toEqual([
        `${name}:1:1 warning ${createHiddenMessage("PagesHandlers", ...names)}`,
      ]);
    },
  );
});

describe("files", () => {
  const code = `${start}export const pages: PagesHandlers = {};\n`;

  it("finds an interface in any file, except tests and declarations", async () => {
    const folder = await createAdapterFolder({
      "resources.mts": code,
      "pages.test.ts": code,
      "pages.spec.ts": code,
      "pages.d.ts": code,
      "notes.md": code,
    });
    await mkdir(path.join(folder.dir, "deep.ts"));
    await writeFile(path.join(folder.dir, "deep.ts", "pages.ts"), code);
    const report = await folder.plan();
    expect(report.diagnostics).toEqual([]);
    expect(report.edits.map(({ file, created }) => [path.basename(file), created])).toEqual([
      ["resources.mts", false],
    ]);
  });

  it("changes and creates nothing while a file does not parse", async () => {
    const broken = `${start}export const pages: PagesHandlers = {\n  retrievePage( { ,\n};\n`;
    const files = { "other.ts": broken, "pages.ts": code, "third.ts": broken };
    const report = await (await createAdapterFolder(files, [pages, group("users", "me")])).plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      expect.stringMatching(/^other\.ts:3:19 error Syntax error: .* Correct it\.$/),
      expect.stringMatching(/^third\.ts:3:19 error Syntax error: /),
    ]);
  });

  it("refuses a file that is not UTF-8 text", async () => {
    const folder = await createAdapterFolder({ "pages.ts": Buffer.from(`// caf\xe9\n${code}`, "latin1") });
    await expect(folder.plan()).rejects.toThrow("This file is not UTF-8 text. Save it as UTF-8.");
  });

  it("does not follow symbolic links", async () => {
    const folder = await createAdapterFolder({});
    await writeFile(path.join(folder.root, "pages.ts"), code);
    await symlink(path.join(folder.root, "pages.ts"), path.join(folder.dir, "pages.ts"));
    await symlink("nowhere.ts", path.join(folder.dir, "dangling.ts"));
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      `pages.ts:1:1 warning ${createHiddenMessage("PagesHandlers", ...names)}`,
    ]);
  });

  it("gives the same report for any order of the groups", async () => {
    const groups = [pages, group("blocks", "listBlocks"), group("users", operation("me"))];
    const folder = await createAdapterFolder(
      {
        "z.ts": `${start}const a: PagesHandlers = { x() {}, y() {} };\n`,
        "users.ts": "\n",
        "blocks.ts": "\n",
      },
      groups,
    );
    expect(await folder.plan([...groups].reverse())).toEqual(await folder.plan(groups));
  });
});
