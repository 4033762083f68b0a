import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Random, takeSeed } from "../../support/random.js";
import { createAdapterFolder, group, planText } from "./fixture.js";

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
  "get",
  "static",
  "declare",
  "[k: string]: unknown",
  "e = () => 1",
  "declare f: 1;",
  "@log() @d g() {}",
  "@d() accessor h = 1;",
  ";",
];

/** Kinds of code around the members: a class, an object, and the result of a function. */
const frames = [
  ["class X implements PagesHandlers {", "}"],
  ["  const x: PagesHandlers = {", "}"],
  ["function f(): PagesHandlers { return ({", "}) }"],
] as const;

function randomAdapter(random: Random): string {
  const gap = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(trivia)).join("");
  const kind = random.below(3);
  const isClass = kind === 0;
  const members = Array.from({ length: random.below(4) }, () =>
    isClass
      ? `${gap()}${random.pick(inClass)}${random.below(3) > 0 ? "\n" : ""}`
      : `${gap()}${random.pick(inObject)}${gap()}`,
  );
  const body = isClass
    ? members.join("") + gap()
    : members.join(",") + (members.length > 0 && random.chance(0.5) ? "," : "") + gap();
  const [start = "", end = ""] = frames[kind] ?? [];
  const imports = 'import type { PagesHandlers } from "../../generated/routes.js";';
  return `${random.chance(0.5) ? "\uFEFF" : ""}${gap()}${imports}${gap()}${start}${body}${end}${gap()}`;
}

/** Whether `text` consists of `part` and inserted characters. */
function isSubsequence(text: string, part: string): boolean {
  let matched = 0;
  for (const unit of text.split("")) if (unit === part[matched]) matched += 1;
  return matched === part.length;
}

describe("randomly formatted adapters", () => {
  it("get their handlers, keep every byte, and do not change in a second run", async () => {
    const seed = takeSeed();
    const random = new Random(seed);
    const folder = await createAdapterFolder({}, [wanted]);
    const file = path.join(folder.dir, "pages.ts");
    let added = 0;
    for (let round = 0; round < 150; round += 1) {
      const text = randomAdapter(random);
      await writeFile(file, text);
      const { edits, diagnostics } = await folder.plan();
      if (diagnostics.some(({ message }) => message.startsWith("Syntax error"))) continue;
      const content = edits[0]?.content ?? "";
      const description = `SEED=${seed} ${JSON.stringify(text)}`;
      expect(isSubsequence(content, text), description).toBe(true);
      expect(content.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
      await writeFile(file, content);
      expect((await folder.plan()).edits, description).toEqual([]);
      added += 1;
    }
    expect(added).toBeGreaterThan(100);
  });
});

// Without a semicolon these names become modifiers of the first stub after them.
it.each(["get", "static", "readonly"])("adds a semicolon to a field of the name %s", async (field) => {
  const text = `import type { PagesHandlers } from "#api";\nclass X implements PagesHandlers {\n  ${field}\n}\n`;
  const { content } = await planText(text, [wanted]);
  expect(content).toContain(`  ${field};\n\n  /** GET`);
  expect((await planText(content, [wanted])).report.edits).toEqual([]);
});
