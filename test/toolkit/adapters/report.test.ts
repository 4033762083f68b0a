import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { applyAdapterEdits } from "../../../scripts/adapters/files.js";
import type { AdapterPlan } from "../../../scripts/adapters/plan.js";
import { createAdapterFolder, group, operation, pages, planText } from "./fixture.js";

const start = 'import type { PagesHandlers } from "../../generated/routes.js";\n';

/** Formats each diagnostic as `pages.ts:2:5 warning the message`. */
function formatLines(report: AdapterPlan): string[] {
  return report.diagnostics.map(({ severity, message, position }) => {
    expect(position?.pointer).toBe("");
    return `${path.basename(position?.file ?? "")}:${position?.line}:${position?.col} ${severity} ${message}`;
  });
}

const createOrphanMessage = (name: string) =>
  `Orphaned handler "${name}": the document no longer has such an operation. Remove or rename it.`;

describe("handlers without an operation", () => {
  const all = "  retrievePage, createPage, archivePage,\n";

  it("reports methods, functions and shorthand in an object, at their names", async () => {
    const { report } = await planText(
      `\uFEFFexport const pages: PagesHandlers = { async old() {},\n${all}  older, "oldest": () => 1,\n` +
        "  version: 2, wrapped: wrap(() => 1), table: {},\n};\n",
    );
    expect(formatLines(report)).toEqual([
      `pages.ts:1:45 warning ${createOrphanMessage("old")}`,
      `pages.ts:3:3 warning ${createOrphanMessage("older")}`,
      `pages.ts:3:10 warning ${createOrphanMessage("oldest")}`,
      `pages.ts:4:15 warning ${createOrphanMessage("wrapped")}`,
    ]);
    expect(report.edits).toEqual([]);
  });

  it("names the new group of an operation whose tag has changed", async () => {
    const { report } = await planText(
      `${start}export const pages: PagesHandlers = {\n${all}  listBlocks,\n};\n`,
      [pages, group("blocks", "listBlocks")],
    );
    expect(formatLines(report)).toEqual([
      'pages.ts:4:3 warning Orphaned handler "listBlocks": its operation belongs to BlocksHandlers now. Move it there.',
    ]);
    expect(report.edits).toMatchObject([{ created: true, addedHandlers: ["listBlocks"] }]);
  });

  it("finds a renamed operation by the route in the comment of its handler, and adds its stub", async () => {
    const renamed = group(
      "pages",
      operation("fetchOne", "", "get"),
      operation("other", "", "get", "/v1/pages:all"),
    );
    const { folder, report } = await planText(
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
    const expected = [
      `pages.ts:4:9 warning ${createOrphanMessage("retrievePage")} Was it renamed to "fetchOne"?`,
      `pages.ts:6:3 warning ${createOrphanMessage("otter")} Was it renamed to "other"?`,
      `pages.ts:8:3 warning ${createOrphanMessage("unlike")}`,
    ];
    expect(formatLines(report)).toEqual(expected);
    expect(report.edits).toMatchObject([{ addedHandlers: ["fetchOne", "other"] }]);
    // The suggestion remains when the stub is there.
    await applyAdapterEdits(report.edits);
    const again = await folder.plan();
    expect(again.edits).toEqual([]);
    expect(formatLines(again)).toEqual(expected);
  });

  it("finds it in another group, and if it already has another handler", async () => {
    const text = `${start}export const pages: PagesHandlers = {
  /** GET /v1/pages/{page_id}: Retrieve a page */
  async retrieve() {},
  async retrievePage() {},
};\n`;
    const pagesNow = group("pages", "retrievePage");
    const moved = group("blocks", operation("fetchOne", "", "get"));
    const one = await planText(text, [pagesNow]);
    expect(formatLines(one.report)).toEqual([
      `pages.ts:4:9 warning ${createOrphanMessage("retrieve")} Was it renamed to "retrievePage"?`,
    ]);
    const two = await planText(text.replace("  async retrievePage() {},\n", ""), [group("pages"), moved]);
    expect(formatLines(two.report)).toEqual([
      `pages.ts:4:9 warning ${createOrphanMessage("retrieve")} Was it renamed to "fetchOne" of BlocksHandlers?`,
    ]);
  });

  it("says that an untouched stub can be deleted", async () => {
    const stub = (name: string, body: string) =>
      `  /** GET /v1/pages/{page_id} */\n  async ${name}(_request, _context) {\n    throw ${body};\n  },\n`;
    const error = (name: string) => `Object.assign(new Error("${name} is not implemented"), { status: 501 })`;
    const formatted = `Object.assign(\n    new Error('formatted is not implemented'), {\n      status: 501,\n    },\n  )`;
    const { report } = await planText(
      `${start}export const pages: PagesHandlers = {\n${all}${stub("old", error("old"))}` +
        `${stub("formatted", formatted)}${stub("edited", error("other"))}};\n`,
    );
    const message = "its interface no longer declares it, and it is an untouched stub. Delete it.";
    expect(formatLines(report)).toEqual([
      `pages.ts:5:9 warning Orphaned handler "old": ${message}`,
      `pages.ts:9:9 warning Orphaned handler "formatted": ${message}`,
      `pages.ts:17:9 warning ${createOrphanMessage("edited")} Was it renamed to "retrievePage"?`,
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

  it("allows helper methods in a class", async () => {
    const { report } = await planText(
      `class Pages implements PagesHandlers {\n  retrievePage() {}\n  createPage() {}\n  archivePage() {}\n${helpers}}\n`,
    );
    expect(report).toEqual({ edits: [], diagnostics: [], needsManualChange: false });
  });

  it("does not take a helper of a class for the old name of a missing handler", async () => {
    const { report } = await planText(
      `class Pages implements PagesHandlers {\n  retrievePage() {}\n  createPage() {}\n${helpers}  #archivePages() {}\n  private archivePages() {}\n}\n`,
    );
    expect(report.diagnostics).toEqual([]);
    expect(report.edits).toMatchObject([{ addedHandlers: ["archivePage"] }]);
  });

  it("treats a method of a class as a handler if its comment has the route of an operation", async () => {
    const { report } = await planText(
      `class Pages implements PagesHandlers {\n  retrievePage() {}\n  createPage() {}\n  // GET /v1/pages/{page_id}\n  archivePages = async () => 1;\n${helpers}}\n`,
    );
    expect(formatLines(report)).toEqual([
      `pages.ts:5:3 warning ${createOrphanMessage("archivePages")} Was it renamed to "retrievePage"?`,
    ]);
    expect(report.edits).toMatchObject([{ addedHandlers: ["archivePage"] }]);
  });

  it("reports an adapter of a removed interface, and its possible new name", async () => {
    const text = `import type { OldHandlers as O, Handlers } from "../../generated/routes.js";
import type { OtherHandlers } from "elsewhere";
export const old: O<string> = { retrievePage };
export const all: Handlers = { pages };
export const other: OtherHandlers = {};
`;
    const folder = await createAdapterFolder({ "old.ts": text });
    const report = await folder.plan();
    expect(formatLines(report)).toEqual([
      "old.ts:3:19 warning Orphaned adapter: the document no longer has a tag for OldHandlers. Remove it or move its handlers. Was it renamed to PagesHandlers?",
    ]);
    expect(report.edits).toMatchObject([{ file: path.join(folder.dir, "pages.ts"), created: true }]);
    const after = await folder.plan([]);
    expect(formatLines(after)).toEqual([
      "old.ts:3:19 warning Orphaned adapter: the document no longer has a tag for OldHandlers. Remove it or move its handlers.",
      'old.ts:4:32 warning Orphaned handlers "pages": the document no longer has such a tag. Remove them.',
    ]);
  });
});

describe("adapters of tags that are not in ASCII", () => {
  it.each(["日本", "Größen"])("reports a removed interface of the tag %s", async (tag) => {
    const folder = await createAdapterFolder({
      "imported.ts": `import type { ${tag}Handlers } from "../../generated/routes.js";\nexport const a: ${tag}Handlers<string> = {};\n`,
      "qualified.ts": `import * as 路 from "../../generated/routes.js";\nexport const a: 路.${tag}Handlers<string> = {};\n`,
    });
    const message = `warning Orphaned adapter: the document no longer has a tag for ${tag}Handlers. Remove it or move its handlers.`;
    expect(formatLines(await folder.plan([]))).toEqual([
      `imported.ts:2:17 ${message}`,
      `qualified.ts:2:17 ${message}`,
    ]);
  });

  it.each(["日本", "Größen"])("finds the interface of the tag %s under a qualified name", async (tag) => {
    const { report } = await planText(
      `import { 路 } from "../api.js";\nexport const pages: 路.${tag}Handlers<string> = { old() {} };\n`,
      [group(tag, "retrievePage")],
    );
    expect(formatLines(report)).toEqual([
      `pages.ts:2:${tag.length + 44} warning ${createOrphanMessage("old")}`,
    ]);
    expect(report.edits).toMatchObject([{ addedHandlers: ["retrievePage"] }]);
  });
});

describe("adapters that cannot be analyzed", () => {
  it("adds nothing to an object with a spread", async () => {
    const { report } = await planText(
      `${start}export const pages: PagesHandlers = {\n  retrievePage,\n  ...rest,\n  old() {},\n};\n`,
    );
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      'pages.ts:4:3 warning The handlers "createPage", "archivePage" may come from this spread, base class or call, so none were added. Add those that are missing.',
      `pages.ts:5:3 warning ${createOrphanMessage("old")}`,
    ]);
  });

  it("accepts a spread if every handler is explicit", async () => {
    const { report } = await planText(
      "const pages: PagesHandlers = { ...rest, retrievePage, createPage, archivePage };\n",
    );
    expect(report).toEqual({ edits: [], diagnostics: [], needsManualChange: false });
  });

  it("adds nothing to an adapter with a computed name or a base class", async () => {
    const computed = await planText(
      "const pages: PagesHandlers = { [name]: 1, retrievePage, createPage };\n",
    );
    expect(formatLines(computed.report)).toEqual([
      'pages.ts:1:32 warning The handlers "archivePage" may come from this spread, base class or call, so none were added. Add those that are missing.',
    ]);
    const derived = await planText(
      "class A extends B implements PagesHandlers { retrievePage() {} createPage() {} }\n",
    );
    expect(formatLines(derived.report)).toEqual([
      'pages.ts:1:9 warning The handlers "archivePage" may come from this spread, base class or call, so none were added. Add those that are missing.',
    ]);
    expect([...computed.report.edits, ...derived.report.edits]).toEqual([]);
  });

  it("adds to the wrapped adapter instead of the wrapper", async () => {
    const { report, content } = await planText(
      "export const pages: PagesHandlers = { retrievePage, createPage };\n" +
        "export function logged(inner: PagesHandlers): PagesHandlers {\n  return { ...inner, createPage };\n}\n",
    );
    expect(report.diagnostics).toEqual([]);
    expect(content.indexOf("archivePage")).toBeLessThan(content.indexOf("logged"));
  });

  it("adds nothing, and creates no file, for an opaque value", async () => {
    const folder = await createAdapterFolder({
      "all.ts": `${start}\nexport const pages: PagesHandlers = make();\nexport const frozen: PagesHandlers = Object.freeze({});\n`,
    });
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      'all.ts:3:21 warning The handlers "retrievePage", "createPage", "archivePage" may come from this spread, base class or call, so none were added. Add those that are missing.',
    ]);
  });

  it("changes neither of two implementations", async () => {
    const folder = await createAdapterFolder({
      "b.ts": `${start}export const pages: PagesHandlers = { retrievePage };\n`,
      "a.ts": `${start}\nexport class Pages implements PagesHandlers {}\n`,
    });
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      "b.ts:2:21 warning PagesHandlers is also implemented in a.ts:3, so no handlers are added. Remove one of the two.",
    ]);
  });

  it("changes none of several objects with one annotation, and reports those with missing handlers", async () => {
    const { report } = await planText(
      `${start}export const pages: PagesHandlers = flag\n  ? { retrievePage, createPage, archivePage }\n  : { retrievePage };\n`,
    );
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      'pages.ts:4:5 warning The handlers "createPage", "archivePage" are missing in this object. Other objects have the same type annotation, so none were added. Add them by hand.',
    ]);
  });

  const createMentionMessage = (name: string) =>
    `No file is created for ${name}, because it is mentioned here. Annotate its implementation with it, such as \`const pages: ${name}<Context> = { ... }\`, or remove the mention.`;

  it.each([
    ["Partial", "const some: Partial<PagesHandlers> = {};", 21],
    ["Omit", 'const some: Omit<PagesHandlers, "createPage"> = {};', 18],
    ["a call", "const some = define<PagesHandlers>({});", 21],
    ["an assignment", "let some: PagesHandlers; some = {};", 11],
    ["a reassigned annotation", "export type Some = PagesHandlers; fill();", 20],
  ])("creates no file for an interface that another adapter mentions: %s", async (_, code, column) => {
    const folder = await createAdapterFolder(
      { "index.ts": `${start}${code}\n// UsersHandlers\nexport type { UsersHandlers } from "#api";\n` },
      [pages, group("users", "me")],
    );
    const report = await folder.plan();
    expect(formatLines(report)).toEqual([
      `index.ts:2:${column} warning ${createMentionMessage("PagesHandlers")}`,
    ]);
    expect(report.edits.map(({ file }) => path.basename(file))).toEqual(["users.ts"]);
    expect(report.needsManualChange).toBe(false);
  });

  it("creates no file for an interface that another adapter only imports", async () => {
    const code = 'import type { PagesHandlers as P } from "#api";\nconst some: Partial<P> = {};\n';
    const report = await (await createAdapterFolder({ "index.ts": code })).plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([`index.ts:1:15 warning ${createMentionMessage("PagesHandlers")}`]);
  });
});

describe("files", () => {
  it("finds an interface in any file, except tests and declarations", async () => {
    const code = `${start}export const pages: PagesHandlers = {};\n`;
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

  it("does not change a file that does not parse, and creates no second one", async () => {
    const broken = `${start}export const pages: PagesHandlers = {\n  retrievePage( { ,\n};\n`;
    for (const name of ["pages.ts", "other.ts"]) {
      const folder = await createAdapterFolder({ [name]: broken });
      const report = await folder.plan();
      expect(report.edits).toEqual([]);
      expect(formatLines(report)).toHaveLength(1);
      expect(formatLines(report)[0]).toMatch(
        new RegExp(
          `^${name}:3:19 error Syntax error: .* Correct it, so that handlers can be added to this file\\.`,
        ),
      );
    }
  });

  it("processes the other files", async () => {
    const folder = await createAdapterFolder(
      { "pages.ts": "const (;\n", "blocks.ts": "export const blocks: BlocksHandlers = {};\n" },
      [pages, group("blocks", "listBlocks"), group("users", "me")],
    );
    const report = await folder.plan();
    expect(report.edits.map(({ file }) => path.basename(file))).toEqual(["blocks.ts", "users.ts"]);
    expect(formatLines(report)).toHaveLength(1);
  });

  it("reports a file of the right name without the interface", async () => {
    const folder = await createAdapterFolder({ "pages.ts": "export const other = 1;\n" });
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      "pages.ts:1:1 error This file does not implement PagesHandlers. Implement it here, or rename the file to make room for a new pages.ts.",
    ]);
  });

  it.each(["pages.js", "pages.mjs", "Pages.tsx", "pages.cts"])(
    "creates no file next to %s, which is not read",
    async (name) => {
      const folder = await createAdapterFolder({
        [name]: "export const pages = {};\n",
        "pages.test.js": "",
        "pages.json": "{}",
      });
      const report = await folder.plan();
      expect(report.edits).toEqual([]);
      expect(formatLines(report)).toEqual([
        `${name}:1:1 warning Only .ts and .mts files are read. Make sure that this file has the handlers retrievePage, createPage, archivePage.`,
      ]);
    },
  );

  it("finds the handlers of groups in the object of all handlers, and creates files for missing groups", async () => {
    const folder = await createAdapterFolder(
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
    expect(formatLines(report)).toEqual([`all.ts:4:47 warning ${createOrphanMessage("gone")}`]);
  });

  it("skips files that are too large, not UTF-8, or symbolic links", async () => {
    const code = "export const pages: PagesHandlers = {};\n";
    const cases = {
      "This file is larger than 2 MiB, so no handlers are added to it. Split it.":
        code + " ".repeat(2 * 1024 * 1024),
      "This file is not UTF-8 text, so no handlers are added to it. Save it as UTF-8.": Buffer.from(
        `// caf\xe9\n${code}`,
        "latin1",
      ),
    };
    for (const [message, text] of Object.entries(cases)) {
      const folder = await createAdapterFolder({ "pages.ts": text });
      const report = await folder.plan();
      expect(report.edits).toEqual([]);
      expect(formatLines(report)).toEqual([`pages.ts:1:1 warning ${message}`]);
    }
    const folder = await createAdapterFolder({});
    await writeFile(path.join(folder.root, "pages.ts"), code);
    await symlink(path.join(folder.root, "pages.ts"), path.join(folder.dir, "pages.ts"));
    await symlink("nowhere.ts", path.join(folder.dir, "dangling.ts"));
    const report = await folder.plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([
      "dangling.ts:1:1 warning This file is a symbolic link, so no handlers are added to it. Replace the link with the file.",
      "pages.ts:1:1 warning This file is a symbolic link, so no handlers are added to it. Replace the link with the file.",
    ]);
  });

  it("finds implementations in a file of Latin-1 text with identifiers that are not ASCII", async () => {
    const code = `import type { PagesHandlers as \xc9t\xe9 } from "../../generated/routes.js";\nexport const a: \xc9t\xe9 = {};\n`;
    const text = Buffer.from(code, "latin1");
    const report = await (await createAdapterFolder({ "other.ts": text })).plan();
    expect(report.edits).toEqual([]);
    expect(formatLines(report)).toEqual([expect.stringContaining("is not UTF-8 text")]);
  });

  it("gives the same report for any order of the groups", async () => {
    const groups = [pages, group("blocks", "listBlocks"), group("users", "me")];
    const folder = await createAdapterFolder(
      { "z.ts": "const a: PagesHandlers = { x() {}, y() {} };\n", "users.ts": "\n", "blocks.ts": "\n" },
      groups,
    );
    expect(await folder.plan([...groups].reverse())).toEqual(await folder.plan(groups));
  });
});
