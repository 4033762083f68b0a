import { NotionToMarkdown } from "notion-to-md";
import { expect, test } from "vitest";
import { addDatabase, addTopPage, connectNotion, type Notion } from "./setup.js";
import { text } from "../../support/contract.js";

async function readMarkdown({ client }: Notion, page_id: string, config = {}): Promise<string | undefined> {
  const converter = new NotionToMarkdown({ notionClient: client as never, config });
  return converter.toMarkdownString(await converter.pageToMarkdown(page_id)).parent;
}

test("notion-to-md reads a page with blocks of every type", async () => {
  const notion = await connectNotion();
  const page_id = await addTopPage(notion);
  const rich = (content: string) => ({ rich_text: text(content) });
  const row = (...cells: string[]) => ({ table_row: { cells: cells.map(text) } });
  await notion.call("patch", `blocks/${page_id}/children`, {
    children: [
      { heading_1: rich("One") },
      {
        paragraph: {
          rich_text: [
            { text: { content: "Some " } },
            { text: { content: "bold" }, annotations: { bold: true } },
            { text: { content: " and " } },
            { text: { content: "code" }, annotations: { code: true } },
            { text: { content: ", a " } },
            { text: { content: "link", link: { url: "https://example.com/" } } },
            { text: { content: " and " } },
            { equation: { expression: "x^2" } },
          ],
        },
      },
      { heading_2: rich("Two") },
      {
        bulleted_list_item: {
          ...rich("first"),
          children: [
            { bulleted_list_item: { ...rich("inner"), children: [{ paragraph: rich("innermost") }] } },
          ],
        },
      },
      { bulleted_list_item: rich("second") },
      { numbered_list_item: rich("n1") },
      { numbered_list_item: rich("n2") },
      { to_do: { ...rich("done"), checked: true } },
      { to_do: rich("open") },
      { heading_3: rich("Three") },
      { quote: rich("quoted") },
      { callout: { ...rich("called"), icon: { emoji: "💡" } } },
      { code: { ...rich("const x = 1;"), language: "typescript" } },
      { equation: { expression: "e=mc^2" } },
      { divider: {} },
      { table: { table_width: 2, has_column_header: true, children: [row("a", "b"), row("c", "d")] } },
      { toggle: { ...rich("More"), children: [{ paragraph: rich("hidden") }] } },
      { bookmark: { url: "https://example.com/b" } },
      { image: { external: { url: "https://example.com/i.png" }, caption: text("An image") } },
      {
        column_list: {
          children: ["left", "right"].map((side) => ({ column: { children: [{ paragraph: rich(side) }] } })),
        },
      },
    ],
  });
  expect(await readMarkdown(notion, page_id)).toMatchInlineSnapshot(`
    "
    # One


    Some **bold** and \`code\`, a [link](https://example.com/) and $x^2$


    ## Two

    - first
        - inner

            innermost

    - second
    1. n1
    2. n2
    - [x] done
    - [ ] open

    ### Three

    > quoted

    > 💡 called


    \`\`\`typescript
    const x = 1;
    \`\`\`


    $$
    e=mc^2
    $$


    ---


    | a | b |
    | - | - |
    | c | d |

    <details>
    <summary>More</summary>

    hidden


    </details>


    [bookmark](https://example.com/b)


    ![An image](https://example.com/i.png)


    left


    right

    "
  `);
});

test("notion-to-md reads several pages of children, and child pages", async () => {
  const notion = await connectNotion();
  const page_id = await addTopPage(notion);
  for (const half of [0, 1]) {
    await notion.client.blocks.children.append({
      block_id: page_id,
      children: Array.from({ length: 80 }, (_, index) => ({
        bulleted_list_item: { rich_text: text(`${half * 80 + index}`) },
      })),
    });
  }
  const lines = Array.from({ length: 160 }, (_, index) => `- ${index}\n`).join("");
  expect(await readMarkdown(notion, page_id)).toBe(lines);

  await addDatabase(notion, {}, page_id);
  await notion.call("post", "pages", {
    parent: { page_id },
    properties: { title: text("Child") },
    children: [{ paragraph: { rich_text: text("in the child") } }],
  });
  const whole = await readMarkdown(notion, page_id);
  expect(whole).toContain("\nDatabase\n");
  expect(whole).toContain("## Child");
  expect(whole).toContain("in the child");
  expect(await readMarkdown(notion, page_id, { parseChildPages: false })).not.toContain("in the child");
});
