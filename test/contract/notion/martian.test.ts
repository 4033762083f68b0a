import { createRequire } from "node:module";
import { NotionToMarkdown } from "notion-to-md";
import { expect, test } from "vitest";
import { addTopPage, connectNotion, fullBlock } from "./setup.js";

interface Martian {
  markdownToBlocks(markdown: string): { type: string }[];
  markdownToRichText(markdown: string): object[];
}

// Loaded with `require`, because importing its types adds browser types to every file.
const { markdownToBlocks, markdownToRichText } = createRequire(import.meta.url)(
  "@tryfabric/martian",
) as Martian;

const MARKDOWN = `# Heading one

A paragraph with **bold**, _italic_, ~~struck~~, \`code\` and a [link](https://example.com/).

## Heading two

- a
- b
    - b1
    - b2
- c

1. first
2. second

- [x] done
- [ ] to do

> A quote

\`\`\`typescript
const answer = 42;
\`\`\`

| A | B |
| - | - |
| 1 | 2 |

---

### Heading three

![An image](https://example.com/image.png)

$$
x = y
$$
`;

test("stores blocks that @tryfabric/martian creates from Markdown, and notion-to-md reads the same Markdown", async () => {
  const notion = await connectNotion();
  const page_id = await addTopPage(notion);
  const blocks = markdownToBlocks(MARKDOWN);
  // The cast: the interface above declares only what these tests need.
  const { results } = await notion.client.blocks.children.append({
    block_id: page_id,
    children: blocks as never,
  });
  expect(results.map((block) => fullBlock(block).type)).toEqual(blocks.map((block) => block.type));
  const converter = new NotionToMarkdown({ notionClient: notion.client as never });
  const { parent } = converter.toMarkdownString(await converter.pageToMarkdown(page_id));
  expect(parent).toMatchInlineSnapshot(`
    "
    # Heading one


    A paragraph with **bold**, _italic_, ~~struck~~, \`code\` and a [link](https://example.com/).


    ## Heading two

    - a
    - b
        - b1
        - b2
    - c
    1. first
    2. second
    - [x] done
    - [ ] to do
    > 
    >
    > A quote
    >
    >

    \`\`\`typescript
    const answer = 42;
    \`\`\`


    | A | B |
    | - | - |
    | 1 | 2 |


    ### Heading three


    ![image.png](https://example.com/image.png)


    $$
    x = y
    $$

    "
  `);
  // The Markdown of notion-to-md gives the same blocks.
  const again = markdownToBlocks(parent ?? "");
  expect(again.map((block) => block.type)).toEqual(blocks.map((block) => block.type));
});

test("accepts its rich text in titles and properties", async () => {
  const notion = await connectNotion();
  const title = markdownToRichText("A *title* with `code`");
  const page = await notion.call("post", "pages", {
    parent: { type: "workspace", workspace: true },
    properties: { title: { title } },
  });
  expect(page).toMatchObject({
    properties: {
      title: {
        title: [
          { plain_text: "A " },
          { plain_text: "title", annotations: { italic: true } },
          { plain_text: " with " },
          { plain_text: "code", annotations: { code: true } },
        ],
      },
    },
  });
});
