import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { applyAdapterEdits } from "../../../scripts/adapters/apply.js";
import type { AdapterReport } from "../../../scripts/adapters/report.js";
import { folderWith, group, operation, pages, planned } from "./fixture.js";

const start = 'import type { PagesHandlers } from "../../generated/routes.js";\n';

/** `pages.ts:2:5 warning the message` for each diagnostic. */
function lines(report: AdapterReport): string[] {
  return report.diagnostics.map(({ severity, message, position }) => {
    expect(position?.pointer).toBe("");
    return `${path.basename(position?.file ?? "")}:${position?.line}:${position?.col} ${severity} ${message}`;
  });
}

const gone = (name: string) =>
  `Orphaned handler "${name}": the document has no such operation any more. Remove or rename it.`;

describe("handlers without an operation", () => {
  const all = "  retrievePage, createPage, archivePage,\n";

  it("reports methods, functions and shorthand in an object, at their names", async () => {
    const { report } = await planned(
      `\uFEFFexport const pages: PagesHandlers = { async old() {},\n${all}  older, "oldest": () => 1,\n` +
        "  version: 2, wrapped: wrap(() => 1), table: {},\n};\n",
    );
    expect(lines(report)).toEqual([
      `pages.ts:1:45 warning ${gone("old")}`,
      `pages.ts:3:3 warning ${gone("older")}`,
      `pages.ts:3:10 warning ${gone("oldest")}`,
      `pages.ts:4:15 warning ${gone("wrapped")}`,
    ]);
    expect(report.edits).toEqual([]);
  });

  it("suggests a rename when one operation is left for one handler, and adds the stub all the same", async () => {
    const { folder, report } = await planned(
      `${start}export const pages: PagesHandlers = {\n  retrievePage,\n  createPage,\n  trash,\n};\n`,
    );
    const expected = [`pages.ts:5:3 warning ${gone("trash")} Was it renamed to "archivePage"?`];
    expect(lines(report)).toEqual(expected);
    expect(report.edits).toMatchObject([{ addedHandlers: ["archivePage"] }]);
    // The suggestion stays for as long as the stub does.
    await applyAdapterEdits(report.edits);
    const again = await folder.plan();
    expect(again.edits).toEqual([]);
    expect(lines(again)).toEqual(expected);
  });

  it("suggests renames by likeness when there are several", async () => {
    const wanted = group("pages", "listAllPages", "archivePage", "unrelated");
    const { report } = await planned(
      `${start}export const pages: PagesHandlers = {\n  listPages,\n  pageArchive,\n  zzz,\n  listPagesOld,\n};\n`,
      [wanted],
    );
    expect(lines(report)).toEqual([
      `pages.ts:3:3 warning ${gone("listPages")} Was it renamed to "listAllPages"?`,
      `pages.ts:4:3 warning ${gone("pageArchive")} Was it renamed to "archivePage"?`,
      `pages.ts:5:3 warning ${gone("zzz")}`,
      `pages.ts:6:3 warning ${gone("listPagesOld")}`,
    ]);
  });

  it("says where an operation went that changed its tag", async () => {
    const { report } = await planned(
      `${start}export const pages: PagesHandlers = {\n${all}  listBlocks,\n};\n`,
      [pages, group("blocks", "listBlocks")],
    );
    expect(lines(report)).toEqual([
      'pages.ts:4:3 warning Orphaned handler "listBlocks": its operation belongs to BlocksHandlers now. Move it there.',
    ]);
    expect(report.edits).toMatchObject([{ created: true, addedHandlers: ["listBlocks"] }]);
  });

  it("knows an operation by the route in front of its handler, whatever its new name is", async () => {
    const renamed = group(
      "pages",
      operation("fetchOne", "", "get"),
      operation("other", "", "get", "/v1/pages:all"),
    );
    const { report } = await planned(
      `${start}export const pages: PagesHandlers = {
  /** GET /v1/pages/{page_id}: Retrieve a page */
  async retrievePage() {},
  // GET /v1/pages:all
  otter: () => {},
  /** Says nothing of a route. */
  unlike() {},
};\n`,
      [renamed],
    );
    expect(lines(report)).toEqual([
      `pages.ts:4:9 warning ${gone("retrievePage")} Was it renamed to "fetchOne"?`,
      `pages.ts:6:3 warning ${gone("otter")} Was it renamed to "other"?`,
      `pages.ts:8:3 warning ${gone("unlike")}`,
    ]);
    expect(report.edits).toMatchObject([{ addedHandlers: ["fetchOne", "other"] }]);
  });

  it("knows it in another group as well, and not where it has another handler already", async () => {
    const text = `${start}export const pages: PagesHandlers = {
  /** GET /v1/pages/{page_id}: Retrieve a page */
  async retrieve() {},
  async retrievePage() {},
};\n`;
    const pagesNow = group("pages", "retrievePage");
    const moved = group("blocks", operation("fetchOne", "", "get"));
    const one = await planned(text, [pagesNow]);
    expect(lines(one.report)).toEqual([`pages.ts:4:9 warning ${gone("retrieve")}`]);
    const two = await planned(text.replace("  async retrievePage() {},\n", ""), [group("pages"), moved]);
    expect(lines(two.report)).toEqual([
      `pages.ts:4:9 warning ${gone("retrieve")} Was it renamed to "fetchOne" of BlocksHandlers?`,
    ]);
  });

  const helpers = `  static make() {}
  constructor(public db: string) {}
  #secret() {}
  _quiet() {}
  private hidden() {}
  get size() { return 1 }
  timeout = 5;
  find() {}
  other() { return this.find() }
`;

  it("lets a class have helpers", async () => {
    const { report } = await planned(
      `class Pages implements PagesHandlers {\n  retrievePage() {}\n  createPage() {}\n  archivePage() {}\n${helpers}}\n`,
    );
    expect(report).toEqual({ edits: [], diagnostics: [] });
  });

  it("takes a public method of a class for a handler when an operation waits for one", async () => {
    const { report } = await planned(
      `class Pages implements PagesHandlers {\n  retrievePage() {}\n  createPage() {}\n  archivePages = async () => 1;\n${helpers}}\n`,
    );
    expect(lines(report)).toEqual([
      `pages.ts:4:3 warning ${gone("archivePages")} Was it renamed to "archivePage"?`,
    ]);
    expect(report.edits).toMatchObject([{ addedHandlers: ["archivePage"] }]);
  });

  it("reports an adapter whose interface is gone, and what may be its heir", async () => {
    const text = `import type { OldHandlers as O, Handlers } from "../../generated/routes.js";
import type { OtherHandlers } from "elsewhere";
export const old: O<string> = { retrievePage };
export const all: Handlers = { pages };
export const other: OtherHandlers = {};
`;
    const folder = await folderWith({ "old.ts": text });
    const report = await folder.plan();
    expect(lines(report)).toEqual([
      "old.ts:3:19 warning Orphaned adapter: the document has no OldHandlers any more. Remove it or move its handlers. Was it renamed to PagesHandlers?",
    ]);
    expect(report.edits).toMatchObject([{ file: path.join(folder.dir, "pages.ts"), created: true }]);
    const after = await folder.plan([]);
    expect(lines(after)).toEqual([
      "old.ts:3:19 warning Orphaned adapter: the document has no OldHandlers any more. Remove it or move its handlers.",
      'old.ts:4:32 warning Orphaned handlers "pages": the document has no such tag any more. Remove them.',
    ]);
  });
});

describe("what cannot be known", () => {
  it("adds nothing beside a spread", async () => {
    const { report } = await planned(
      `${start}export const pages: PagesHandlers = {\n  retrievePage,\n  ...rest,\n  old() {},\n};\n`,
    );
    expect(report.edits).toEqual([]);
    expect(lines(report)).toEqual([
      'pages.ts:4:3 warning This spread may contain the handlers "createPage", "archivePage". None were added.',
      `pages.ts:5:3 warning ${gone("old")}`,
    ]);
  });

  it("is content with a spread when every handler is written out", async () => {
    const { report } = await planned(
      "const pages: PagesHandlers = { ...rest, retrievePage, createPage, archivePage };\n",
    );
    expect(report).toEqual({ edits: [], diagnostics: [] });
  });

  it("adds nothing beside a computed name or a base class", async () => {
    const computed = await planned("const pages: PagesHandlers = { [name]: 1, retrievePage, createPage };\n");
    expect(lines(computed.report)).toEqual([
      'pages.ts:1:32 warning This computed name may contain the handlers "archivePage". None were added.',
    ]);
    const derived = await planned(
      "class A extends B implements PagesHandlers { retrievePage() {} createPage() {} }\n",
    );
    expect(lines(derived.report)).toEqual([
      'pages.ts:1:9 warning This base class may contain the handlers "archivePage". None were added.',
    ]);
    expect([...computed.report.edits, ...derived.report.edits]).toEqual([]);
  });

  it("adds to what a wrapper wraps, not to the wrapper", async () => {
    const { report, content } = await planned(
      "export const pages: PagesHandlers = { retrievePage, createPage };\n" +
        "export function logged(inner: PagesHandlers): PagesHandlers {\n  return { ...inner, createPage };\n}\n",
    );
    expect(report.diagnostics).toEqual([]);
    expect(content.indexOf("archivePage")).toBeLessThan(content.indexOf("logged"));
  });

  it("adds nothing, and makes no file, for a value that cannot be seen into", async () => {
    const folder = await folderWith({ "all.ts": `${start}\nexport const pages: PagesHandlers = make();\n` });
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(lines(report)).toEqual([
      "all.ts:3:21 warning The handlers of PagesHandlers in this value are unknown. None were added.",
    ]);
  });

  it("touches neither of two implementations", async () => {
    const folder = await folderWith({
      "b.ts": `${start}export const pages: PagesHandlers = { retrievePage };\n`,
      "a.ts": `${start}\nexport class Pages implements PagesHandlers {}\n`,
    });
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(lines(report)).toEqual([
      "b.ts:2:21 warning PagesHandlers is implemented in a.ts:3 already. Handlers are added to neither.",
    ]);
  });
});

describe("files", () => {
  it("finds an interface in whatever file it is, but not in tests and declarations", async () => {
    const code = `${start}export const pages: PagesHandlers = {};\n`;
    const folder = await folderWith({
      "resources.mts": code,
      "pages.test.ts": code,
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

  it("leaves alone a file that does not parse, and makes no second one", async () => {
    const broken = `${start}export const pages: PagesHandlers = {\n  retrievePage( { ,\n};\n`;
    for (const name of ["pages.ts", "other.ts"]) {
      const folder = await folderWith({ [name]: broken });
      const report = await folder.plan();
      expect(report.edits).toEqual([]);
      expect(lines(report)).toHaveLength(1);
      expect(lines(report)[0]).toMatch(
        new RegExp(`^${name}:3:19 warning Syntax error: .* This file is left alone\\.`),
      );
    }
  });

  it("goes on with the other files", async () => {
    const folder = await folderWith(
      { "pages.ts": "const (;\n", "blocks.ts": "export const blocks: BlocksHandlers = {};\n" },
      [pages, group("blocks", "listBlocks"), group("users", "me")],
    );
    const report = await folder.plan();
    expect(report.edits.map(({ file }) => path.basename(file))).toEqual(["blocks.ts", "users.ts"]);
    expect(lines(report)).toHaveLength(1);
  });

  it("reports a file of the right name without the interface", async () => {
    const folder = await folderWith({ "pages.ts": "export const other = 1;\n" });
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(lines(report)).toEqual([
      "pages.ts:1:1 error This file does not implement PagesHandlers. Implement it here, or rename the file to make room for a new pages.ts.",
    ]);
  });

  it.each(["pages.js", "pages.mjs", "Pages.tsx", "pages.cts"])(
    "makes no file beside %s, which is not read",
    async (name) => {
      const folder = await folderWith({
        [name]: "export const pages = {};\n",
        "pages.test.js": "",
        "pages.json": "{}",
      });
      const report = await folder.plan();
      expect(report.edits).toEqual([]);
      expect(lines(report)).toEqual([
        `${name}:1:1 warning Only .ts and .mts files are read. Make sure that this file has the handlers retrievePage, createPage, archivePage.`,
      ]);
    },
  );

  it("sees the handlers of all groups where they are put together, and makes files for those that are not there", async () => {
    const folder = await folderWith(
      {
        "all.ts": `import type { Handlers } from "../../generated/routes.js";
import { users } from "./elsewhere.js";
export function make(): Handlers<string> {
  return { pages: { retrievePage, createPage, gone() {} }, users, ...more() };
}
`,
        "unlike.ts": `import type { Handlers } from "./other.js";\nexport const a: Handlers = { pages: {} };\n`,
      },
      [pages, group("users", "me")],
    );
    const report = await folder.plan();
    expect(report.edits.map(({ file, addedHandlers }) => [path.basename(file), addedHandlers])).toEqual([
      ["all.ts", ["archivePage"]],
      ["users.ts", ["me"]],
    ]);
    expect(lines(report)).toEqual([`all.ts:4:47 warning ${gone("gone")} Was it renamed to "archivePage"?`]);
  });

  it("skips files that are too large, not UTF-8, or linked from outside", async () => {
    const code = "export const pages: PagesHandlers = {};\n";
    const cases = {
      "Larger than 2 MB.": code + " ".repeat(2 * 1024 * 1024),
      "Not UTF-8.": Buffer.from(`// caf\xe9\n${code}`, "latin1"),
    };
    for (const [message, text] of Object.entries(cases)) {
      const folder = await folderWith({ "pages.ts": text });
      const report = await folder.plan();
      expect(report.edits).toEqual([]);
      expect(lines(report)).toEqual([`pages.ts:1:1 warning ${message} This file is left alone.`]);
    }
    const folder = await folderWith({});
    await writeFile(path.join(folder.root, "pages.ts"), code);
    await symlink(path.join(folder.root, "pages.ts"), path.join(folder.dir, "pages.ts"));
    await symlink(path.join(folder.root, "nowhere.ts"), path.join(folder.dir, "dangling.ts"));
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(lines(report)).toEqual([
      "dangling.ts:1:1 warning The target of this symbolic link does not exist. This file is left alone.",
      "pages.ts:1:1 warning This symbolic link leads out of the adapters folder. This file is left alone.",
    ]);
  });

  it("takes two names of one file for one implementation", async () => {
    const folder = await folderWith({ "a.ts": "export const pages: PagesHandlers = {};\n" });
    await symlink("a.ts", path.join(folder.dir, "b.ts"));
    const report = await folder.plan();
    expect(report.diagnostics).toEqual([]);
    expect(report.edits).toHaveLength(1);
  });

  it("gives the same report whatever the order of the groups", async () => {
    const groups = [pages, group("blocks", "listBlocks"), group("users", "me")];
    const folder = await folderWith(
      { "z.ts": "const a: PagesHandlers = { x() {}, y() {} };\n", "users.ts": "\n" },
      groups,
    );
    expect(await folder.plan([...groups].reverse())).toEqual(await folder.plan(groups));
  });
});
