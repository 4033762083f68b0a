import path from "node:path";
import { expect, it } from "vitest";
import { createAdapterFolder, group, pages, planText } from "./fixture.js";

const literal = "{ retrievePage, createPage }";

it.each([
  [
    "an intersection with an imported type",
    `import type { PagesHandlers } from "../../generated/routes.js";
import type { Closeable } from "../closeable.js";
type Both = Closeable & PagesHandlers<string>;
export const pages: Both = ${literal};
`,
  ],
  [
    "an intersection with a global type",
    `import type { PagesHandlers } from "../../generated/routes.js";
export const pages: PagesHandlers<string> & Disposable = ${literal};
`,
  ],
  [
    "an intersection with a global type whose name has a dollar sign",
    `import type { PagesHandlers } from "../../generated/routes.js";
export const pages: PagesHandlers<string> & Dispos$able = ${literal};
`,
  ],
  ...[
    "import type { closeable } from '../closeable.js';",
    "import closeable from '../closeable.js';",
    "import base, { type closeable } from '../closeable.js';",
    "import type { Closeable as closeable } from '../closeable.js';",
  ].map((line): [string, string] => [
    `an intersection with a type in lower case: ${line}`,
    `import type { PagesHandlers } from "#api";\n${line}\nexport const pages: PagesHandlers<string> & closeable = ${literal};\n`,
  ]),
  [
    "an intersection with a type whose name has a dollar sign",
    `import type {
  PagesHandlers,
  Close$able,
  $other,
} from "#api";
export const pages: PagesHandlers<string> & Close$able & $other = ${literal};
`,
  ],
  [
    "an import from another module",
    `import type { PagesHandlers } from "#api";\nexport const pages: PagesHandlers<string> = ${literal};\n`,
  ],
  [
    "a namespace of another module",
    `import { routes } from "../api/index.js";\nexport const pages: routes.PagesHandlers<string> = ${literal};\n`,
  ],
  [
    "a namespace that begins with a capital letter",
    `import { Routes } from "../api/index.js";\nexport const pages: Routes.PagesHandlers<string> = ${literal};\n`,
  ],
  [
    "a choice between a value and a promise",
    `import type { PagesHandlers } from "#api";
export async function pages(): Promise<PagesHandlers<string> | undefined> {
  return ${literal};
}
`,
  ],
  [
    "a variable of an async function type",
    `import type { PagesHandlers } from "#api";
export const pages: () => Promise<PagesHandlers<string>> = async () => (${literal});
`,
  ],
])("finds adapters of %s", async (_, text) => {
  const { report } = await planText(text);
  expect(report).toMatchObject({ edits: [{ addedHandlers: ["archivePage"] }], diagnostics: [] });
});

it.each([
  ["pagesHandlers", "{ pages: pagesHandlers }"],
  ["pages", "{ pages }"],
])("finds the object %s without a type as a member of all handlers: %s", async (name, all) => {
  const text = `import type { Handlers } from "../../generated/routes.js";
const ${name} = ${literal};
export const all: Handlers<string> = ${all};
`;
  const folder = await createAdapterFolder({ "all.ts": text }, [pages, group("users", "me")]);
  const { edits, diagnostics } = await folder.plan();
  expect(diagnostics).toEqual([]);
  expect(edits.map(({ file, addedHandlers }) => [path.basename(file), addedHandlers])).toEqual([
    ["all.ts", ["archivePage"]],
    ["users.ts", ["me"]],
  ]);
});

it("does not report members that a type of another module may declare", async () => {
  const { report } = await planText(`import type { PagesHandlers } from "../../generated/routes.js";
import type { Closeable } from "../closeable.js";
export const pages: PagesHandlers<string> & Closeable = { retrievePage, createPage, archivePage, close() {} };
`);
  expect(report).toEqual({ edits: [], diagnostics: [], needsManualChange: false });
});

it("reports a value of a type of another module as an orphan, because it may be a handler", async () => {
  const { report } = await planText(`import type { PagesHandlers } from "../../generated/routes.js";
export const create = (old: Controller): PagesHandlers<string> => ({ retrievePage, createPage, archivePage, zzz: old.zzz });
`);
  expect(report).toMatchObject({
    edits: [],
    diagnostics: [{ message: expect.stringContaining('handler "zzz"') }],
  });
});
