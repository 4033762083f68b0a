import { expect, test } from "vitest";
import { MAX_EQUATION_CHARACTERS, MAX_RENDERED_CHARACTERS } from "../../../../src/budgets.js";
import type { RichText } from "../../../../src/domain/rich-text.js";
import type { BlockNode } from "../../../../src/operations/views/block-tree.js";
import { renderBlocks } from "../../../../src/web/render/blocks.js";
import { RenderBudget } from "../../../../src/web/render/budget.js";
import { collectHeadings } from "../../../../src/web/render/headings.js";
import { plainRun } from "../../../support/objects.js";
import { createBlockContext, createNode } from "./nodes.js";

function run(content: string, href: string | null = null, annotations: object = {}): RichText {
  const plain = plainRun(content);
  const link = href === null ? null : { url: href };
  const shown = { ...plain.annotations, ...annotations };
  return { ...plain, type: "text", text: { content, link }, annotations: shown, href };
}

function text(
  type: string,
  content: string,
  more: object = {},
  children: readonly BlockNode[] = [],
): BlockNode {
  return createNode(type, { rich_text: [run(content)], color: "default", ...more }, children);
}

/** Title of a page that blocks can link to. */
const LINKED = { id: "00000000-0000-7000-9000-000000000001", title: "Tea list" };

function renderWithoutIds(...nodes: BlockNode[]): string {
  return render(...nodes).replaceAll(/ id="\w+"/g, "");
}

function render(...nodes: BlockNode[]): string {
  const budget = new RenderBudget();
  const titles = new Map([[LINKED.id, LINKED.title]]);
  const headings = collectHeadings(nodes);
  const blocks = renderBlocks(nodes, createBlockContext({ budget, titles, headings }));
  return blocks
    .map((block) => block.text)
    .join("")
    .replaceAll(/\0(\d+)\0/g, (_, index: string) => budget.parts[Number(index)]?.format().text ?? "")
    .replaceAll(/>\s+</g, "><")
    .replaceAll(/\s+/g, " ");
}

test("neighbouring list items form one list of their type", () => {
  const markup = render(
    text("bulleted_list_item", "a"),
    text("bulleted_list_item", "b"),
    text("numbered_list_item", "c"),
    text("to_do", "d", { checked: true }),
    text("bulleted_list_item", "e"),
  );
  expect(markup.match(/<ul|<ol/g)).toEqual(["<ul", "<ol", "<ul", "<ul"]);
  expect(markup).toContain('<input type="checkbox" disabled checked />');
});

test("headings rank below the title of the page, and a table of contents links to them", () => {
  const nested = text("heading_2", "Details", { is_toggleable: false });
  const heading = text("heading_1", "Plan", { is_toggleable: true }, [nested]);
  const markup = render(createNode("table_of_contents", { color: "default" }), heading);
  for (const [{ block }, tag, name] of [
    [heading, "h2", "Plan"],
    [nested, "h3", "Details"],
  ] as const) {
    const id = block.id.replaceAll("-", "");
    expect(markup).toContain(`<${tag} id="${id}"`);
    expect(markup).toContain(`<a href="#${id}">${name}</a>`);
  }
});

test("headings skip no rank, whatever level a page begins with", () => {
  const levels = [3, 2, 3, 2, 1, 3, 1, 2, 3];
  const markup = render(
    createNode("table_of_contents", { color: "default" }),
    ...levels.map((level) => text(`heading_${level}`, "Plan", { is_toggleable: false })),
  );
  const tags = [...markup.matchAll(/<h(\d) id="\w+" class="heading-(\d)/g)];
  expect(tags.map(([, rank, level]) => [Number(level), Number(rank)])).toEqual(
    [2, 2, 3, 2, 2, 3, 2, 3, 4].map((rank, index) => [levels[index], rank]),
  );
  const depths = [...markup.matchAll(/<li class="depth-(\d)/g)].map(([, depth]) => Number(depth));
  expect(depths).toEqual([1, 1, 2, 1, 1, 2, 1, 2, 3]);
});

test("a heading without text is neither a heading nor in the table of contents, and blank links are texts", () => {
  const markup = renderWithoutIds(
    createNode("table_of_contents", { color: "default" }),
    text("heading_1", " ", { is_toggleable: false }),
    text("heading_2", "Plan", { is_toggleable: false }),
    createNode("paragraph", { rich_text: [run("\u200b", "https://example.com/")], color: "default" }),
  );
  expect(markup.match(/<li class="depth-/g)).toHaveLength(1);
  expect(markup).toContain('<div class="heading-1 "></div>');
  expect(markup).toContain('<h2 class="heading-2 ">Plan</h2>');
  expect(markup).toContain("<p>\u200b</p>");
});

test("each block has its id as HTML id, but only once if it is repeated", () => {
  const child = text("paragraph", "inside");
  const row = createNode("table_row", { cells: [[run("cell")]] });
  const table = createNode("table", { table_width: 1, has_column_header: false, has_row_header: false }, [
    row,
  ]);
  const nodes = [
    ...["paragraph", "heading_3", "bulleted_list_item", "to_do", "quote", "template"].map((type) =>
      text(type, "x"),
    ),
    text("toggle", "x", {}, [child]),
    text("callout", "x", { icon: null }),
    text("code", "x", { caption: [], language: "c" }),
    createNode("equation", { expression: "x" }),
    ...["divider", "breadcrumb", "table_of_contents", "unsupported"].map((type) => createNode(type, {})),
    createNode("image", { external: { url: "https://example.com/" }, caption: [] }),
    createNode("bookmark", { url: "https://example.com/", caption: [] }),
    createNode("child_page", { title: "x" }),
    createNode("link_to_page", { type: "comment_id", comment_id: "" }),
    table,
    createNode("synced_block", {}, [child, row]),
    createNode("column_list", {}, [createNode("column", {})]),
  ];
  const ids = [...render(...nodes).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const listIds = (list: readonly BlockNode[]): string[] =>
    list.flatMap(({ block, children }) => [block.id.replaceAll("-", ""), ...listIds(children)]);
  expect(ids.toSorted()).toEqual([...new Set(listIds(nodes))].toSorted());
});

test("toggles fold their children away without a script", () => {
  const markup = render(text("toggle", "More", {}, [text("paragraph", "inside")]));
  expect(markup).toMatch(
    /<details id="\w+" class="block " dir="auto"><summary>More<\/summary><div class="children">.*inside/,
  );
});

test.each([
  ["paragraph", '<p>Outer</p><div class="children">'],
  ["bulleted_list_item", 'Outer <div class="children">'],
  ["numbered_list_item", 'Outer <div class="children">'],
  ["to_do", 'Outer</span ></label ><div class="children">'],
  ["toggle", '<summary>Outer</summary><div class="children">'],
  ["quote", '<p>Outer</p><div class="children">'],
  ["callout", '<p>Outer</p><div class="children">'],
  ["template", '<p class="muted">Template button: Outer</p><div class="children">'],
  ["heading_1", '>Outer</h2></summary><div class="children">'],
  ["heading_2", '>Outer</h2></summary><div class="children">'],
  ["heading_3", '>Outer</h2></summary><div class="children">'],
])("a block of the type %s is shown with its text, and then the blocks in it", (type, start) => {
  const more = { icon: null, checked: false, is_toggleable: true };
  const markup = renderWithoutIds(text(type, "Outer", more, [text("paragraph", "Inner")]));
  expect(markup).toContain(`${start}<div class="block "><p>Inner</p></div></div>`);
});

test.each([
  ["paragraph"],
  ["bulleted_list_item"],
  ["numbered_list_item"],
  ["to_do"],
  ["toggle"],
  ["quote"],
  ["callout"],
  ["heading_1"],
  ["heading_2"],
  ["heading_3"],
])("a block of the type %s is shown in its color", (type) => {
  expect(render(text(type, "a", { color: "red_background", icon: null }))).toContain("color-red_background");
});

test("columns and synced blocks show the blocks in them", () => {
  const inner = text("paragraph", "Inner");
  for (const type of ["column_list", "column", "synced_block"]) {
    expect([type, render(createNode(type, {}, [inner]))]).toEqual([
      type,
      expect.stringContaining("<p>Inner</p>"),
    ]);
  }
});

test("a heading that cannot be folded is shown without a summary", () => {
  const markup = render(text("heading_1", "Plan", { is_toggleable: false }, [text("paragraph", "Inner")]));
  expect(markup).toContain("Plan</h2>");
  expect(markup).toContain("<p>Inner</p>");
  expect(markup).not.toContain("<details");
});

test("text is shown with each of its annotations", () => {
  const annotations = { bold: "strong", italic: "em", strikethrough: "s", underline: "u", code: "code" };
  for (const [annotation, tag] of Object.entries(annotations)) {
    const content = { rich_text: [run("x", null, { [annotation]: true })], color: "default" };
    expect(render(createNode("paragraph", content))).toContain(`<p><${tag}>x</${tag}></p>`);
  }
  const colored = { rich_text: [run("x", null, { color: "red" })], color: "default" };
  expect(render(createNode("paragraph", colored))).toContain('<span class="color-red">x</span>');
});

test("media and links are shown with their kind, address and caption", () => {
  const external = {
    type: "external",
    external: { url: "https://example.com/a" },
    caption: [run("Caption")],
  };
  const kinds = { video: "Video", pdf: "PDF", audio: "Audio" };
  const shown = (block: BlockNode): string => render(block).replaceAll(/<[^>]*>/g, "|");
  for (const [type, kind] of Object.entries(kinds)) {
    expect(shown(createNode(type, external))).toMatch(
      RegExp(`\\|${kind}\\|.*\\|https://example.com/a\\|.*\\|Caption\\|`),
    );
  }
  const url = "https://example.com/a";
  const caption = [run("Caption")];
  expect(shown(createNode("bookmark", { url, caption }))).toMatch(/\|Bookmark\|.*\|https:.*\|Caption\|/);
  expect(shown(createNode("embed", { url, caption }))).toMatch(/\|Embedded page\|.*\|https:.*\|Caption\|/);
  expect(shown(createNode("link_preview", { url }))).toMatch(/\|Link\|.*\|https:/);
  expect(shown(createNode("file", { ...external, name: "a.zip" }))).toMatch(
    /\|a\.zip\|.*\|https:.*\|Caption\|/,
  );
  expect(shown(createNode("file", { ...external, name: "" }))).toContain("|File|");
  const code = createNode("code", { rich_text: [run("x")], caption, language: "klingon" });
  expect(shown(code)).toContain("|Caption|");
});

test("an image has its caption as its text alternative, and does not reveal the page to its site", () => {
  const external = { url: "https://example.com/a.png" };
  const markup = render(createNode("image", { type: "external", external, caption: [run("A cup")] }));
  expect(markup).toContain('<img src="https://example.com/a.png" alt="A cup" referrerpolicy="no-referrer"');
  expect(markup).toContain("<figcaption>A cup</figcaption>");
  const icon = render(text("callout", "x", { icon: { type: "external", external } }));
  expect(icon).toContain('src="https://example.com/a.png" alt="" referrerpolicy="no-referrer"');
  const custom_emoji = { id: LINKED.id, name: "tea", url: "https://example.com/tea.png" };
  expect(render(text("callout", "x", { icon: { type: "custom_emoji", custom_emoji } }))).toContain(
    'src="https://example.com/tea.png" alt=""',
  );
  const bare = render(createNode("image", { type: "external", external, caption: [] }));
  expect(bare).toContain('alt="Image without a description"');
  expect(bare).not.toContain("figcaption");
  const address = { url: "mailto:ada@example.org" };
  expect(renderWithoutIds(createNode("image", { type: "external", external: address, caption: [] }))).toBe(
    '<p class="block muted">mailto:ada@example.org</p>',
  );
});

test("links to other pages show their title", () => {
  const other = "00000000-0000-7000-9000-000000000002";
  const link = (content: object): string => render(createNode("link_to_page", content));
  const path = `<a href="/${LINKED.id.replaceAll("-", "")}">Tea list</a>`;
  expect(link({ type: "page_id", page_id: LINKED.id })).toContain(path);
  expect(link({ type: "database_id", database_id: LINKED.id })).toContain(path);
  expect(link({ type: "page_id", page_id: other })).toContain(">Linked page</a>");
  expect(link({ type: "database_id", database_id: other })).toMatch(
    /class="block child database">.*>Linked database</s,
  );
  expect(link({ type: "comment_id", comment_id: other })).toContain("A link to a comment");
  const child = createNode("child_page", { title: "" });
  expect(render(child)).toContain(`<a href="/${child.block.id.replaceAll("-", "")}">Untitled</a>`);
});

test("mentions of pages and databases are links with their title", () => {
  const renderMention = (mention: object, title: string): string => {
    const mentioned = { ...plainRun(""), type: "mention", mention, plain_text: title };
    return render(createNode("paragraph", { rich_text: [mentioned], color: "default" }));
  };
  const path = `/${LINKED.id.replaceAll("-", "")}`;
  for (const type of ["page", "database"]) {
    const mention = { type, [type]: { id: LINKED.id } };
    expect(renderMention(mention, "Tea list")).toContain(`<p><a href="${path}">Tea list</a></p>`);
    expect(renderMention(mention, "")).toContain(`<p><a href="${path}">Untitled</a></p>`);
  }
});

test("a row without a table shows its cells in one line", () => {
  const cells = ["a", "b", "c"].map((cell) => [run(cell)]);
  expect(renderWithoutIds(createNode("table_row", { cells }))).toContain('<p class="block"> a | b | c </p>');
});

test("a table has header cells", () => {
  const row = (...cells: string[]): BlockNode =>
    createNode("table_row", { cells: cells.map((cell) => [run(cell)]) });
  const table = { table_width: 2, has_column_header: true, has_row_header: true };
  const markup = render(createNode("table", table, [row("Name", "Price"), row("Tea", "3")]));
  expect(markup).toContain('<th scope="col">Name</th><th scope="col">Price</th>');
  expect(markup).toContain('<th scope="row">Tea</th><td>3</td>');
  expect(markup.match(/Name/g)).toHaveLength(1);
  const corner = render(createNode("table", table, [row("", "Price"), row("", "3")]));
  expect(corner).toContain('<td class="no-header"></td><th scope="col">Price</th>');
  expect(corner).toContain('<td class="no-header"></td><td>3</td>');
});

test("a link below a table leads to its other rows", () => {
  const table = { table_width: 1, has_column_header: false, has_row_header: false };
  const rest = { pageId: LINKED.id, cursor: "next" };
  expect(render({ ...createNode("table", table), rest })).toContain(
    `<a href="/${LINKED.id.replaceAll("-", "")}?cursor=next">Show more rows</a>`,
  );
});

test("code is highlighted if its language is known, and always escaped", () => {
  const code = (source: string, language: string): string =>
    render(createNode("code", { rich_text: [run(source)], caption: [], language }));
  expect(code("const a = '<b>';", "javascript")).toContain('<span class="hljs-keyword">const</span>');
  expect(code("const a = '<b>';", "javascript")).not.toContain("<b>");
  expect(code("<b>", "klingon")).not.toContain("<b>");
});

test("equations become MathML; an invalid equation is shown as text", () => {
  expect(render(createNode("equation", { expression: "x^2" }))).toContain("<msup><mi>x</mi>");
  expect(render(createNode("equation", { expression: "\\frac{<i>" }))).toContain(
    '<code class="equation-source">\\frac{&#60;i&#62;</code>',
  );
  // A display equation can wrap after its operators, but not in brackets or before the limits of a sum.
  const long = render(createNode("equation", { expression: "x = \\sum_{i=0}^n (a + b) + c" }));
  for (const part of [
    "<mo>=</mo></mrow><mrow><mrow><munderover><mo",
    "<mi>a</mi><mo>+</mo><mi>b</mi>",
    "</mrow><mo>+</mo></mrow><mrow><mi>c</mi></mrow></math>",
  ])
    expect(long).toContain(part);
  const styled = render(createNode("equation", { expression: "\\color{red}x \\boxed{y}" }));
  expect(styled).not.toContain(" style=");
  expect(styled).toContain('<mi mathcolor="#ff0000">x</mi>');
  expect(styled).toMatch(/mathcolor="#ff0000" class="framed"><mi>y/);
  // Commands that add images or attributes to the page.
  for (const expression of [
    "\\includegraphics{https://example.com/a.png}",
    "\\class{a}{x}",
    "\\data{a=b}{x}",
  ]) {
    expect(render(createNode("equation", { expression }))).toContain("equation-source");
  }
  expect(render(createNode("equation", { expression: "\\def\\a{\\a\\a}\\a" }))).toContain("equation-source");
  const labelled = render(
    createNode("equation", { expression: '\\text{ id="a" }x \\tag{1} \\label{comments}' }),
  );
  expect(labelled).toContain("id=&quot;a&quot;");
  expect(labelled).not.toContain("comments");
  // A part of an equation cannot cover the page.
  expect(render(createNode("equation", { expression: "\\rule{1000em}{1000em}" }))).not.toContain("1000em");
  const budget = new RenderBudget();
  renderBlocks([createNode("equation", { expression: "x<y" })], createBlockContext({ budget }));
  expect(budget.parts[0]?.plain.text).toBe('<code class="equation-source">x&#60;y</code>');
  const longest = "1".repeat(MAX_EQUATION_CHARACTERS);
  expect(render(createNode("equation", { expression: longest }))).toContain("<math");
  expect(render(createNode("equation", { expression: `${longest}1` }))).toContain("equation-source");
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "/relative",
  "",
])("%j is not a link in any block", (url) => {
  const external = { type: "external", external: { url }, caption: [run("c", url)] };
  const markup = render(
    createNode("paragraph", { rich_text: [run("a", url)], color: "default" }),
    createNode("bookmark", { url, caption: [] }),
    createNode("embed", { url, caption: [] }),
    createNode("link_preview", { url }),
    ...["image", "video", "audio", "pdf"].map((type) => createNode(type, external)),
    createNode("file", { ...external, name: "f" }),
    text("callout", "c", { icon: external }),
  );
  expect(markup).not.toMatch(/href=|src=/);
});

test("URLs of web pages and mailboxes are links", () => {
  const markup = render(
    createNode("paragraph", {
      rich_text: [run("a", "https://example.com/?a=1&b=2"), run("b", "mailto:a@example.com")],
      color: "default",
    }),
  );
  expect(markup).toContain('href="https://example.com/?a=1&#38;b=2"');
  expect(markup).toContain('href="mailto:a@example.com"');
});

test("ids after a slash or a # are links to pages and blocks of the service, and no other paths", () => {
  const renderHref = (href: string): string | undefined => {
    const markup = render(createNode("paragraph", { rich_text: [run("a", href)], color: "default" }));
    return /href="([^"]*)"/.exec(markup)?.[1];
  };
  const id = "00000000-0000-7000-9000-00000000000A";
  const bare = "0000000000007000900000000000000a";
  expect(renderHref(`/${id}`)).toBe(`/${bare}`);
  expect(renderHref(`/${bare}`)).toBe(`/${bare}`);
  expect(renderHref(`/${id}#${id}`)).toBe(`/${bare}#${bare}`);
  expect(renderHref(`#${bare}`)).toBe(`#${bare}`);
  for (const other of [
    "/",
    "#",
    "?a=1",
    "#top",
    `//${bare}`,
    `/\\${bare}`,
    `/${bare}#`,
    `/${bare}#top`,
    `/${bare}?a=1`,
    `/x/${bare}`,
    `/${bare}\n`,
  ])
    expect([other, renderHref(other)]).toEqual([other, undefined]);
});

test("markup in text is escaped in every position", () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const runs = [run(hostile, null, { bold: true, italic: true, code: true, color: "red" })];
  const content = { rich_text: runs, caption: runs, color: "default", url: hostile, title: hostile };
  const markup = render(
    ...["paragraph", "quote", "toggle", "template", "bulleted_list_item"].map((type) =>
      createNode(type, content),
    ),
    createNode("heading_2", { ...content, is_toggleable: true }),
    createNode("callout", { ...content, icon: { type: "emoji", emoji: hostile } }),
    createNode("callout", { ...content, icon: { type: "external", external: { url: hostile } } }),
    createNode("code", { ...content, language: hostile }),
    createNode("equation", { expression: hostile }),
    createNode("bookmark", content),
    createNode("child_page", content),
    createNode("child_database", content),
    createNode("file", { type: "external", external: { url: hostile }, caption: runs, name: hostile }),
    createNode("image", { type: "external", external: { url: hostile }, caption: runs }),
    createNode("table_row", { cells: [runs] }),
    createNode("table_of_contents", { color: "default" }),
  );
  expect(markup).not.toMatch(/<script|<img src=x/);
});

test("text counts with the length of its HTML", () => {
  const budget = new RenderBudget();
  expect(budget.clip("x".repeat(2_000_000))).toHaveLength(2_000_000);
  expect(budget.clip(`"&<>'`.repeat(100_000))).toHaveLength(200_000);
  expect(budget.isExhausted).toBe(true);
  expect(budget.clip("x")).toBe("");
  const almostFull = new RenderBudget();
  almostFull.clip("x".repeat(MAX_RENDERED_CHARACTERS - 3));
  expect(almostFull.clip("😀😀")).toBe("😀");
});

test("a page is truncated at its size limit", () => {
  const budget = new RenderBudget();
  const long = text("paragraph", "x".repeat(2_500_000));
  const context = createBlockContext({ budget });
  const blocks = renderBlocks([long, long, long], context);
  // The link to the next part leads to the last rendered block.
  expect(blocks).toHaveLength(2);
  const size = blocks.reduce((sum, block) => sum + block.text.length, 0);
  expect(size).toBeLessThan(3_010_000);
  expect(budget.isExhausted).toBe(true);
});

test("twenty levels of blocks are all shown", () => {
  let inner = text("paragraph", "the innermost");
  for (let level = 0; level < 20; level += 1) inner = text("toggle", `level ${level}`, {}, [inner]);
  expect(render(inner)).toContain("the innermost");
});
