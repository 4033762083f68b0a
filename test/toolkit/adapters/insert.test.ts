import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { applyAdapterEdits } from "../../../scripts/adapters/files.js";
import { findCompileErrors } from "./compile.js";
import { createAdapterFolder, group, operation, pages, planText } from "./fixture.js";

const header = `import type { PagesHandlers } from "../../generated/routes.js";
export interface Ctx { user: string }
declare const found: Promise<{ status: 404 }>;
`;
const two = `{
    async retrievePage(request, context) {
      return { status: 200, body: { id: request.path.page_id + context.user } };
    },
    createPage: async () => found,
  }`;

/** Every supported shape of an adapter; each lacks `archivePage`. */
const shapes: Record<string, string> = {
  "a function": `export function pagesHandlers(deps: string[]): PagesHandlers<Ctx, "etag"> {
  deps.sort();
  return ${two};
}
`,
  "an arrow function": `export const pagesHandlers = (): PagesHandlers<Ctx> => {
  return ${two};
};
`,
  "an arrow function with an expression": `export const pagesHandlers = (): PagesHandlers<Ctx> => (${two});
`,
  "a method": `export class Adapters {
  make(): PagesHandlers<Ctx> {
    return ${two};
  }
}
`,
  "an annotated constant": `export const pages: PagesHandlers<Ctx> = ${two};
`,
  "a constant with satisfies": `export const pages = ${two} satisfies PagesHandlers<Ctx>;
`,
  "a constant with as": `export const pages = (${two}) as PagesHandlers<Ctx>;
`,
  "a constant with a type assertion": `export const pages = <PagesHandlers<Ctx>>(${two});
`,
  "a default export": `export default ${two} satisfies PagesHandlers<Ctx>;
`,
  "a class": `export class Pages implements PagesHandlers<Ctx> {
  async retrievePage(request: { path: { page_id: string } }, context: Ctx): Promise<{ status: 200; body: { id: string } }> {
    return { status: 200, body: { id: request.path.page_id + context.user } };
  }
  createPage = async () => found;
}
`,
  "a generic class": `export class Pages<Context, Header extends string> implements PagesHandlers<Context, Header> {
  retrievePage() {
    return found;
  }

  createPage() {
    return found;
  }
}
`,
  "a one-line object": `const retrievePage = () => found, createPage = () => found;
export function pagesHandlers(): PagesHandlers<Ctx> {
  return { retrievePage, createPage };
}
`,
  "a one-line class": `export class Pages implements PagesHandlers<Ctx> { retrievePage = () => found; createPage() { return found } }
`,
};

/** Returns the text that was inserted into `before`; throws if there are more than two insertions or other changes. */
function findInsertion(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  expect(start + end, "one insertion, every other byte kept").toBe(before.length);
  return after.slice(start, after.length - end);
}

describe("adding a handler", () => {
  for (const [shape, code] of Object.entries(shapes)) {
    const variants = {
      unchanged: header + code,
      "with CRLF": (header + code).replaceAll("\n", "\r\n"),
      "with tabs": (header + code).replace(/^( {2})+/gm, (spaces) => "\t".repeat(spaces.length / 2)),
      "with a BOM": `\uFEFF${header}${code}`,
      "without a final newline": (header + code).trimEnd(),
    };
    describe(shape, () => {
      for (const [variant, text] of Object.entries(variants)) {
        it(`${variant}: keeps every byte, and a second run changes nothing`, async () => {
          const { folder, report, content } = await planText(text);
          expect(report.diagnostics).toEqual([]);
          expect(report.edits).toMatchObject([{ addedHandlers: ["archivePage"], created: false }]);
          const inserted = findInsertion(text, content);
          expect(inserted).toContain("/** PATCH /v1/pages/{page_id}: Archive a page */");
          expect(inserted).toContain('throw Object.assign(new Error("archivePage is not implemented")');
          if (variant === "with CRLF") expect(inserted).not.toMatch(/[^\r]\n/);
          else expect(inserted).not.toContain("\r");
          if (variant === "with tabs" && !shape.startsWith("a one-line")) {
            expect(inserted.split("\n").slice(1).join("\n")).not.toMatch(/^ /m);
          }
          await applyAdapterEdits(report.edits);
          expect(await folder.read("pages.ts")).toBe(content);
          expect(await folder.plan()).toEqual({ edits: [], diagnostics: [], hasOrphans: false });
        });
      }
    });
  }

  it("every shape compiles under strict", async () => {
    const files: string[] = [];
    for (const code of Object.values(shapes)) {
      const { folder, report } = await planText(header + code);
      await applyAdapterEdits(report.edits);
      files.push(path.join(folder.dir, "pages.ts"));
    }
    expect(findCompileErrors(files)).toEqual([]);
  });

  it("finds imports with an alias and from any module", async () => {
    for (const line of [
      'import { type PagesHandlers as H } from "../../generated/routes.js";',
      'import type { PagesHandlers as H } from "#api";',
    ]) {
      const { report } = await planText(`${line}\nexport const pages: H<string> = {};\n`);
      expect(report, line).toMatchObject({
        edits: [{ addedHandlers: ["retrievePage", "createPage", "archivePage"] }],
        diagnostics: [],
      });
    }
  });

  it("ignores a type of the same name that the file declares", async () => {
    const text = "interface PagesHandlers { a: 1 }\nexport const pages: PagesHandlers = { a: 1 };\n";
    const { report } = await planText(text);
    expect(report.edits).toEqual([]);
    expect(report.diagnostics).toMatchObject([{ severity: "warning" }]);
  });

  it("supports several interfaces in one class, and several adapters in one file", async () => {
    const blocks = group("blocks", "listBlocks");
    const users = group("users", "me", "listUsers");
    const text = `import type { BlocksHandlers, PagesHandlers, UsersHandlers } from "../../generated/routes.js";
export const users: UsersHandlers<string> = { me: async () => ({ status: 404 }) };
export class All implements PagesHandlers<string>, BlocksHandlers<string> {
}
`;
    const { folder, report } = await planText(text, [pages, blocks, users]);
    expect(report.diagnostics).toEqual([]);
    expect(report.edits).toMatchObject([
      { addedHandlers: ["listUsers", "retrievePage", "createPage", "archivePage", "listBlocks"] },
    ]);
    await applyAdapterEdits(report.edits);
    expect(findCompileErrors([path.join(folder.dir, "pages.ts")])).toEqual([]);
    expect(await folder.plan()).toEqual({ edits: [], diagnostics: [], hasOrphans: false });
  });
});

describe("follows the style of the surrounding text", () => {
  const one = group("pages", "retrievePage", operation("archivePage", "Archive", "patch"));
  const stub = (indent: string, unit: string) =>
    [
      "/** PATCH /v1/pages/{page_id}: Archive */",
      "async archivePage(_request, _context) {",
      `${unit}throw Object.assign(new Error("archivePage is not implemented"), { status: 501 });`,
      "},",
    ]
      .map((line) => indent + line)
      .join("\n");
  const imports = 'import type { PagesHandlers } from "../../generated/routes.js";\n';
  const start = `${imports}export const pages: PagesHandlers<Ctx> = `;

  const cases: [string, string, string][] = [
    [
      "a trailing comma",
      `${start}{\n  retrievePage,\n};\n`,
      `${start}{\n  retrievePage,\n\n${stub("  ", "  ")}\n};\n`,
    ],
    [
      "no trailing comma",
      `${start}{\n    retrievePage\n};\n`,
      `${start}{\n    retrievePage,\n\n${stub("    ", "    ")}\n};\n`,
    ],
    [
      "a comment after the last comma",
      `${start}{\n  retrievePage, // the good one\n  // more to come\n};\n`,
      `${start}{\n  retrievePage, // the good one\n  // more to come\n\n${stub("  ", "  ")}\n};\n`,
    ],
    [
      "a comment without a comma",
      `${start}{\n  retrievePage // } the good one, \n  /* } , */\n};\n`,
      `${start}{\n  retrievePage, // } the good one, \n  /* } , */\n\n${stub("  ", "  ")}\n};\n`,
    ],
    [
      "a comment without a comma on one line",
      `${start}{ retrievePage /* , } */ };\n`,
      `${start}{ retrievePage, /* , } */\n\n${stub("  ", "  ")}\n };\n`,
    ],
    ["an empty object", `${start}{};\n`, `${start}{\n${stub("  ", "  ")}\n};\n`],
    [
      "an empty object with a comment",
      `${start}{ // nothing yet\n};\n`,
      `${start}{ // nothing yet\n${stub("  ", "  ")}\n};\n`,
    ],
    [
      "an empty object with a block comment",
      `${start}{/* nothing yet */};\n`,
      `${start}{/* nothing yet */\n${stub("  ", "  ")}\n};\n`,
    ],
    [
      "an empty object below an indented comment",
      `/**\n * Of all pages.\n */\nfunction find() {\n    return 1;\n}\n${start}{};\n`,
      `/**\n * Of all pages.\n */\nfunction find() {\n    return 1;\n}\n${start}{\n${stub("    ", "    ")}\n};\n`,
    ],
    [
      "an object in a function",
      `${imports}export function pages(): PagesHandlers<Ctx> {\n\treturn { retrievePage };\n}\n`,
      `${imports}export function pages(): PagesHandlers<Ctx> {\n\treturn { retrievePage,\n\n${stub("\t\t", "\t")}\n\t };\n}\n`,
    ],
    [
      "a blank line before the brace",
      `${start}{\n  retrievePage,\n\n  other: 1,\n\n};\n`,
      `${start}{\n  retrievePage,\n\n  other: 1,\n\n${stub("  ", "  ")}\n\n};\n`,
    ],
    [
      "braces and commas in strings, templates and regular expressions",
      `${start}{\n  retrievePage: () => [/[}],/, "},", \`},\${"}"}\`]\n};\n// };\n`,
      `${start}{\n  retrievePage: () => [/[}],/, "},", \`},\${"}"}\`],\n\n${stub("  ", "  ")}\n};\n// };\n`,
    ],
  ];
  for (const [name, before, after] of cases) {
    it(name, async () => {
      const wanted = name.startsWith("an empty") ? group("pages", one.operations[1] ?? "") : one;
      const { report, folder } = await planText(before, [wanted]);
      expect(report.edits.map(({ content }) => content)).toEqual([after]);
      await writeFile(path.join(folder.dir, "pages.ts"), after);
      expect((await folder.plan([wanted])).edits).toEqual([]);
    });
  }

  it("puts blank lines between the methods of a class", async () => {
    const { content } = await planText(
      `${imports}class Pages implements PagesHandlers {\n  retrievePage() {}\n}\n`,
    );
    expect(content).toContain("  retrievePage() {}\n\n  /** POST");
    expect(content).toContain("  }\n\n  /** PATCH");
    expect(content).toMatch(/ {2}}\n}\n$/);
  });

  it("finds handlers with quoted names, in constructors and as private methods", async () => {
    const text = `${imports}class Pages implements PagesHandlers {
  constructor(readonly retrievePage: () => void) {}
  "createPage"() {}
  private ["archivePage"]() {}
}
`;
    expect((await planText(text)).report.edits).toEqual([]);
  });
});

describe("text of the document", () => {
  const nasty = [
    "*/ throw 1; /*",
    "**//process.exit()/**/",
    "*\u0000/ alert(1)",
    "*\u200b/ alert(1)",
    "a\nb\r\nc\u2028d\u2029e\u0085f",
    "\u202e desrever",
    // Directives for the compiler and editors, as text.
    "@deprecated {@link x} @ts-ignore",
    "`${process.exit()}`",
    "\ud800 half",
    "</script><!--",
  ];
  for (const summary of nasty) {
    it(`stays inside the comment: ${JSON.stringify(summary.slice(0, 30))}`, async () => {
      const hostile = group("pages", operation("archivePage", summary, "patch", `/v1/${summary}`));
      const adapters: Record<string, string>[] = [
        {},
        { "pages.ts": `${header}export const pages: PagesHandlers<Ctx> = {};\n` },
      ];
      for (const files of adapters) {
        const folder = await createAdapterFolder(files, [hostile]);
        const { content = "" } = (await folder.plan()).edits[0] ?? {};
        const [, comment = "", rest] = /^ +\/\*\*(.*?)\*\/(.*)$/m.exec(content) ?? [];
        expect(rest).toBe("");
        expect(comment).not.toMatch(/\*\/|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[\s{]@/u);
        const start = content.indexOf("/**");
        const end = content.indexOf("*/") + 2;
        const plain = content.slice(0, start) + content.slice(end);
        expect(plain).not.toMatch(/alert|exit|throw 1|desrever|script/);
      }
    });
  }
});
