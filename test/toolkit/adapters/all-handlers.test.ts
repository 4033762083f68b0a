import path from "node:path";
import { expect, it } from "vitest";
import { applyAdapterEdits } from "../../../scripts/adapters/files.js";
import { findCompileErrors } from "./compile.js";
import {
  createAdapterFolder,
  createHiddenMessage,
  createOrphanMessage,
  type Folder,
  group,
  pages,
} from "./fixture.js";

const groups = [pages, group("users", "me"), group("teams", "listTeams")];
const context = "export interface Ctx { user: string }\nexport type Ids = string;\n";
const pagesFile = `import type { PagesHandlers } from "../../generated/routes.js";
import type { Ctx } from "./context.js";
export const pagesHandlers: PagesHandlers<Ctx> = {
  retrievePage: async () => ({ status: 404 }),
  createPage: async () => ({ status: 404 }),
  archivePage: async () => ({ status: 404 }),
};
`;

/** Applies the plan, and returns its problems and the compiler's errors in all files. */
async function generate(folder: Folder): Promise<string[]> {
  const { edits, diagnostics } = await folder.plan();
  await applyAdapterEdits(edits);
  expect((await folder.plan()).edits).toEqual([]);
  const files = [...new Set([...edits.map(({ file }) => file), path.join(folder.dir, "index.ts")])];
  return [...diagnostics.map(({ message }) => message), ...findCompileErrors(files)];
}

it("imports new files, which use the type arguments of the object", async () => {
  const before = (list: string) => `// All of them.
import type { Handlers } from "../../generated/routes.js";
import { type Ids as Headers, type Ctx } from './context.js'
import { pagesHandlers } from './pages.js' // the oldest
${list}
export const handlers: Handlers<Ctx, Headers> = {
  pages: pagesHandlers,`;
  const folder = await createAdapterFolder(
    { "context.ts": context, "pages.ts": pagesFile, "index.ts": `${before("")}\n};\n// The end.\n` },
    groups,
  );
  expect((await folder.plan()).edits).toMatchObject([
    { file: path.join(folder.dir, "index.ts"), addedHandlers: [], created: false },
    { addedHandlers: ["listTeams"], created: true },
    { addedHandlers: ["me"], created: true },
  ]);
  expect(await generate(folder)).toEqual([]);
  const imports = `import { usersHandlers } from './users.js'\nimport { teamsHandlers } from './teams.js'\n`;
  const members = "  users: usersHandlers,\n  teams: teamsHandlers,\n};\n// The end.\n";
  expect(await folder.read("index.ts")).toBe(`${before(imports)}\n${members}`);
  expect(await folder.read("users.ts")).toBe(`import type { UsersHandlers } from "../../generated/routes.js";
import type { Ctx, Ids as Headers } from "./context.js";

export const usersHandlers: UsersHandlers<Ctx, Headers> = {
  /** GET /v1/pages/{page_id} */
  async me(_request, _context) {
    throw Object.assign(new Error("me is not implemented"), { status: 501 });
  },
};
`);
});

it("uses no type arguments of the object if one has arguments itself", async () => {
  const index = `import type { Handlers } from "../../generated/routes.js";
import type { Ctx, Of } from "./context.js";
export const handlers: Handlers<Ctx, Of<string>> = {};
`;
  const files = { "context.ts": `${context}export type Of<T> = T;\n`, "index.ts": index };
  const folder = await createAdapterFolder(files, groups.slice(1));
  expect(await generate(folder)).toEqual([]);
  expect(await folder.read("users.ts")).toContain(": UsersHandlers<unknown> =");
});

it("imports new files in the style of relative imports", async () => {
  const start = 'import type { Handlers } from "../../generated/routes.js";\n';
  const end = "import 'node:fs'\nexport const handlers: Handlers<string> = ";
  const folder = await createAdapterFolder({ "index.ts": `${start}${end}{};\n` }, groups.slice(1, 2));
  expect((await folder.plan()).edits[0]?.content).toBe(
    `${start}import { usersHandlers } from "./users.js";\n${end}{\n  users: usersHandlers,\n};\n`,
  );
});

it("registers new files for any context if the type arguments cannot be imported", async () => {
  const index = `import type { Handlers } from "../../generated/routes.js";\r
export function handlers<Context>(): Handlers<Context> {\r
  return {}\r
}\r
`;
  const folder = await createAdapterFolder({ "index.ts": index }, groups.slice(1));
  expect(await generate(folder)).toEqual([]);
  expect(await folder.read("index.ts")).toBe(
    index
      .replace(
        ";\r\n",
        `;\r\n${["users", "teams"].map((name) => `import { ${name}Handlers } from "./${name}.js";\r\n`).join("")}`,
      )
      .replace("{}", "{\r\n    users: usersHandlers,\r\n    teams: teamsHandlers,\r\n  }"),
  );
});

it("reports members of removed tags", async () => {
  const text = `import type { Handlers } from "../../generated/routes.js";
export const all: Handlers<string> = { users, old, older: { async get() {} } };
`;
  const folder = await createAdapterFolder({ "index.ts": text }, [group("users")]);
  const { diagnostics } = await folder.plan();
  expect(diagnostics.map(({ message, position }) => `${position?.line}:${position?.col} ${message}`)).toEqual(
    ["2:47", "2:52"].map(
      (position, index) => `${position} ${createOrphanMessage(["old", "older"][index] ?? "", "Handlers")}`,
    ),
  );
});

it.each(["= { ...rest }", "= make()", "& { close(): void } = {}"])(
  "leaves an object alone that may have other members: %s",
  async (code) => {
    const text = `import type { Handlers } from "../../generated/routes.js";\nexport const all: Handlers<string> ${code};\n`;
    const folder = await createAdapterFolder({ "index.ts": text }, [group("users", "me")]);
    const { edits, diagnostics } = await folder.plan();
    expect(edits.map(({ file }) => path.basename(file))).toEqual(["users.ts"]);
    expect(diagnostics).toEqual([]);
  },
);

it("creates no file for a member whose handlers may be defined elsewhere", async () => {
  const text = `import type { Handlers } from "../../generated/routes.js";
import { users } from "../users.js";
export const all: Handlers<string> = { users, pages: { retrievePage } };
`;
  const folder = await createAdapterFolder({ "all.ts": text }, [pages, group("users", "me")]);
  const { edits, diagnostics } = await folder.plan();
  expect(edits).toEqual([]);
  expect(diagnostics.map(({ message, position }) => `${position?.line}:${position?.col} ${message}`)).toEqual(
    [
      `3:40 ${createHiddenMessage("UsersHandlers", "me")}`,
      `3:47 ${createHiddenMessage("PagesHandlers", "retrievePage", "createPage", "archivePage")}`,
    ],
  );
});

it("ignores another type with the name Handlers", async () => {
  const text = 'import type { Handlers } from "./other.js";\nexport const a: Handlers = { old: {} };\n';
  const folder = await createAdapterFolder({ "other.ts": text }, [group("users", "me")]);
  const { edits, diagnostics } = await folder.plan();
  expect(edits.map(({ file }) => path.basename(file))).toEqual(["users.ts"]);
  expect(diagnostics).toEqual([]);
});
