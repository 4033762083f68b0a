import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createAdapterFolder, group } from "./fixture.js";

const groups = [group("users", "me")];

/** Creates adapters in a project with these top-level files, and returns their text. */
async function scaffold(files: Record<string, string>): Promise<string> {
  const folder = await createAdapterFolder({}, groups);
  await rm(folder.dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder.root, name)), { recursive: true });
    await writeFile(path.join(folder.root, name), text);
  }
  const { edits, diagnostics } = await folder.plan();
  expect(diagnostics).toEqual([]);
  return edits[0]?.content ?? "";
}

const PLAIN = `import type { UsersHandlers } from "../../generated/routes.js";

export function usersHandlers<Context>(): UsersHandlers<Context> {
  return {
    /** GET /v1/pages/{page_id} */
    async me(_request, _context) {
      throw Object.assign(new Error("me is not implemented"), { status: 501 });
    },
  };
}
`;
const TABS = PLAIN.replace(/^(?: {2})+/gm, (spaces) => "\t".repeat(spaces.length / 2));
const SINGLE = PLAIN.replaceAll('"', "'").replace(/;$/gm, "");

describe("a new file", () => {
  it.each<[string, Record<string, string>, string]>([
    ["no configuration", {}, PLAIN],
    [".prettierrc in JSON", { ".prettierrc": '{ "semi": false, "singleQuote": true }' }, SINGLE],
    [".prettierrc in YAML", { ".prettierrc": "semi: false\nsingleQuote: true\n" }, SINGLE],
    [".prettierrc.json", { ".prettierrc.json": '{ "useTabs": true }' }, TABS],
    [".prettierrc.json5", { ".prettierrc.json5": "{ // Tabs.\n  useTabs: true }" }, TABS],
    ["package.yaml", { "package.yaml": "prettier:\n  useTabs: true\n" }, TABS],
    ["package.json", { "package.json": '{ "type": "module", "prettier": { "useTabs": true } }' }, TABS],
    [
      "overrides",
      { ".prettierrc": '{ "overrides": [{ "files": "src/**", "options": { "useTabs": true } }] }' },
      TABS,
    ],
    [".editorconfig", { ".editorconfig": "root = true\n[*]\nindent_style = tab\n" }, TABS],
    ["invalid options", { ".prettierrc": '{ "tabWidth": "wide" }' }, PLAIN],
    ["an unparsable configuration", { ".prettierrc": "{ nope" }, PLAIN],
  ])("is formatted like the project: %s", async (_, files, wanted) => {
    expect(await scaffold(files)).toBe(wanted);
  });

  it("does not run code of the project", async () => {
    const evil = "globalThis.wasRun = true; export default { languages: [], useTabs: true };\n";
    const projects: Record<string, string>[] = [
      { "prettier.config.mjs": evil },
      { ".prettierrc.mjs": evil },
      { ".prettierrc.js": evil },
      { ".prettierrc": '"./evil.mjs"', "evil.mjs": evil },
      { ".prettierrc": "./evil.mjs\n", "evil.mjs": evil },
      { ".prettierrc.json": '{ "plugins": ["./evil.mjs"] }', "evil.mjs": evil },
      {
        ".prettierrc": '{ "overrides": [{ "files": "*", "options": { "plugins": ["./evil.mjs"] } }] }',
        "evil.mjs": evil,
      },
      { "package.json": '{ "type": "module", "prettier": "./evil.mjs" }', "evil.mjs": evil },
      { "package.yaml": "prettier: ./evil.mjs\n", "evil.mjs": evil },
      // Texts of YAML that look like options, or whose value does not follow the key.
      { ".prettierrc": `>-\ndata: text/javascript,${evil}` },
      { ".prettierrc.yaml": `--- |-\ndata: text/javascript,${evil}` },
      { "package.yaml": "prettier: >-\n  ./evil.mjs\n", "evil.mjs": evil },
      { "package.yaml": '"prettier": ./evil.mjs\n', "evil.mjs": evil },
      { "package.yaml": "prettier: &module ./evil.mjs\n", "evil.mjs": evil },
    ];
    for (const files of projects) {
      expect(await scaffold(files), Object.keys(files).join()).toBe(PLAIN);
      expect("wasRun" in globalThis).toBe(false);
    }
  });
});
