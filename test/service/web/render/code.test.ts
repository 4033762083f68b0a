import { createContext, Script } from "node:vm";
import { expect, test } from "vitest";
import { RenderBudget } from "../../../../src/web/render/budget.js";
import { renderCode } from "../../../../src/web/render/code.js";
import type { FormattedPart } from "../../../../src/web/render/format-parts.js";

/** Renders a block of code, and returns its part. */
function createPart(source: string, language: string): FormattedPart {
  const budget = new RenderBudget();
  renderCode(source, language, budget);
  const [part] = budget.parts;
  if (part === undefined) throw new Error(`${language} is not highlighted.`);
  return part;
}

/** Formats a part, and interrupts it after a millisecond. The first use of a grammar takes longer. */
function formatBriefly({ format }: FormattedPart): void {
  try {
    new Script("format()").runInContext(createContext({ format }), { timeout: 1 });
  } catch {
    // Interrupted, as expected.
  }
}

test("languages stay highlighted when their first use is interrupted", () => {
  const languages = [
    "java",
    "kotlin",
    "swift",
    "php",
    "typescript",
    "c++",
    "scss",
    "python",
    "go",
    "objective-c",
  ];
  for (const language of languages) {
    const part = createPart('class A { let a = "text"; }', language);
    expect(part.plain.text).toContain("class A {");
    part.prepare?.();
    formatBriefly(part);
    expect([language, part.format().text]).toEqual([language, expect.stringContaining("<span")]);
  }
});

test("a language is compiled together with those that its code can contain", () => {
  createPart("a: 1", "markdown").prepare?.();
  // Markdown can contain HTML, which can contain CSS.
  expect(createPart("a { color: red }", "css").prepare?.()).toBe(false);
});

test.each([
  ["c++", "#include <map>", "meta"],
  ["c#", "foreach", "keyword"],
  ["java/c/c++/c#", "#include <map>", "meta"],
  ["html", "<br>", "tag"],
  ["markup", "<br>", "tag"],
  ["objective-c", "@interface", "keyword"],
  ["vb.net", "Dim", "keyword"],
  ["visual basic", "Dim", "keyword"],
  ["toml", "[teas]", "section"],
  ["webassembly", "(module)", "keyword"],
])("code in %s is highlighted with the grammar of this language", (language, source, kind) => {
  expect(createPart(source, language).format().text).toContain(`<span class="hljs-${kind}">`);
});
