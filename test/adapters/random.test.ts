import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith, group, planned } from "./fixture.js";

const wanted = group("pages", "one", "two");
const trivia = [
  "",
  " ",
  "\n",
  "\n\n",
  "\t",
  "\r\n",
  " // c } ,\n",
  "/* x } */",
  "/*\n*/",
  " /** d */ ",
  "\n  ",
  " // é\u2028\n",
];
const inObject = [
  "a",
  "b() {}",
  "async c(r) { return `}` }",
  "d: () => ({})",
  '"e": 1',
  "'f-g': async function* () {}",
  "get f() { return 1 }",
];
const inClass = [
  "a() {}",
  "b = 1;",
  "async c() {}",
  "static d = 2",
  "static { x() }",
  "[k: string]: unknown",
  "e = () => 1",
  "declare f: 1;",
  "@log() @d g() {}",
  "@d() accessor h = 1;",
  ";",
];

/** What is around the members: a class, an object, and an object in that of all handlers. */
const frames = [
  ["class X implements PagesHandlers {", "}"],
  ["  const x: PagesHandlers = {", "}"],
  [
    `import type { Handlers } from "../../generated/routes.js"; const x = { pages: {`,
    "} } satisfies Handlers<string>;",
  ],
] as const;

/** A generator of numbers below `limit`, the same in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}

function randomAdapter(next: (limit: number) => number): string {
  const pick = (from: string[]) => from[next(from.length)] ?? "";
  const gap = () => Array.from({ length: 1 + next(3) }, () => pick(trivia)).join("");
  const kind = next(3);
  const isClass = kind === 0;
  const members = Array.from({ length: next(4) }, () =>
    isClass ? `${gap()}${pick(inClass)}${next(3) ? "\n" : ""}` : `${gap()}${pick(inObject)}${gap()}`,
  );
  const body = isClass
    ? members.join("") + gap()
    : members.join(",") + (members.length > 0 && next(2) ? "," : "") + gap();
  const [start = "", end = ""] = frames[kind] ?? [];
  return `${next(2) ? "\uFEFF" : ""}${gap()}${start}${body}${end}${gap()}`;
}

/** Whether `text` is `part` with more characters in between. */
function contains(text: string, part: string): boolean {
  let matched = 0;
  for (const unit of text.split("")) if (unit === part[matched]) matched += 1;
  return matched === part.length;
}

describe("adapters formatted at random", () => {
  it("get their handlers, keep every byte, and are done after one run", async () => {
    const next = numbers(20);
    const folder = await folderWith({}, [wanted]);
    const file = path.join(folder.dir, "pages.ts");
    let added = 0;
    for (let round = 0; round < 150; round += 1) {
      const text = randomAdapter(next);
      await writeFile(file, text);
      const { edits, diagnostics } = await folder.plan();
      if (diagnostics.some(({ message }) => message.startsWith("cannot be parsed"))) continue;
      const content = edits[0]?.content ?? "";
      expect(contains(content, text), JSON.stringify(text)).toBe(true);
      expect(content.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
      await writeFile(file, content);
      expect((await folder.plan()).edits, JSON.stringify(text)).toEqual([]);
      added += 1;
    }
    expect(added).toBeGreaterThan(100);
  }, 60_000);
});

it("leaves a file alone in which a stub would not become a handler", async () => {
  // Without a semicolon `get` would swallow the `async` of the stub behind it.
  const { report } = await planned("class X implements PagesHandlers {\n  get\n}\n", [wanted]);
  expect(report.edits).toEqual([]);
  expect(report.diagnostics).toMatchObject([
    { severity: "warning", message: "handlers are missing and could not be added here; add them by hand" },
  ]);
  expect(report.diagnostics[0]?.position).toMatchObject({ line: 3, col: 1 });
});
