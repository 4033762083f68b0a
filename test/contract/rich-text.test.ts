import { expect, test } from "vitest";
import { append, type BlockInput, childrenOf, textOf } from "../support/blocks.js";
import { addPage, connect, getError, title, NO_ANNOTATIONS } from "../support/contract.js";

type RichTextInput = NonNullable<NonNullable<BlockInput["paragraph"]>["rich_text"]>;

const createParagraph = (rich_text: RichTextInput): BlockInput => ({ paragraph: { rich_text } });

test("texts contain equations, dates, templates and emojis", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const emoji = { id: crypto.randomUUID(), name: "rocket", url: "https://example.org/rocket.png" };
  const [block] = await append(client, page, [
    createParagraph([
      { equation: { expression: "e=mc^2" }, annotations: { bold: true } },
      { mention: { date: { start: "2026-05-04" } } },
      { mention: { date: { start: "2026-05-04", end: "2026-05-06", time_zone: null } } },
      {
        type: "mention",
        mention: { type: "template_mention", template_mention: { template_mention_date: "today" } },
      },
      { mention: { template_mention: { type: "template_mention_user", template_mention_user: "me" } } },
      { mention: { custom_emoji: emoji } },
      {
        text: { content: "echo", link: { url: "/page" } },
        plain_text: "not read",
        href: "https://example.org",
      },
    ]),
  ]);
  const run = (plain_text: string, rest: object, href: string | null = null) => ({
    annotations: NO_ANNOTATIONS,
    plain_text,
    href,
    ...rest,
  });
  const mention = (plain_text: string, what: object) => run(plain_text, { type: "mention", mention: what });
  const date = (start: string, end: string | null) => ({
    type: "date",
    date: { start, end, time_zone: null },
  });
  expect(block?.type === "paragraph" ? block.paragraph.rich_text : undefined).toEqual([
    run("e=mc^2", {
      type: "equation",
      equation: { expression: "e=mc^2" },
      annotations: { ...NO_ANNOTATIONS, bold: true },
    }),
    mention("2026-05-04", date("2026-05-04", null)),
    mention("2026-05-04 → 2026-05-06", date("2026-05-04", "2026-05-06")),
    mention("@Today", {
      type: "template_mention",
      template_mention: { type: "template_mention_date", template_mention_date: "today" },
    }),
    mention("@Me", {
      type: "template_mention",
      template_mention: { type: "template_mention_user", template_mention_user: "me" },
    }),
    mention(":rocket:", { type: "custom_emoji", custom_emoji: emoji }),
    run("echo", { type: "text", text: { content: "echo", link: { url: "/page" } } }, "/page"),
  ]);
});

test("mentions show the current title or name", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId }, "Travel plans");
  const me = (await client.retrievePage({ path: { page_id: page } })).body;
  const [block] = await append(client, page, [
    createParagraph([
      { mention: { page: { id: page.replaceAll("-", "") } } },
      { mention: { database: { id: rootDatabaseId } } },
      { mention: { user: me.created_by } },
    ]),
  ]);
  const mention = (plain_text: string, href: string | null, what: object) =>
    expect.objectContaining({ type: "mention", plain_text, href, mention: what });
  const shown = (name: string) => ({
    paragraph: {
      rich_text: [
        mention(name, me.url, { type: "page", page: { id: page } }),
        mention("Pages", expect.stringContaining(rootDatabaseId.replaceAll("-", "")), {
          type: "database",
          database: { id: rootDatabaseId },
        }),
        mention(expect.stringMatching(/^@./), null, { type: "user", user: me.created_by }),
      ],
      color: "default",
    },
  });
  expect(block).toMatchObject(shown("Travel plans"));
  expect((await childrenOf(client, page))[0]).toEqual(block);
  await client.updatePage({ path: { page_id: page }, body: { properties: { Title: title("Holidays") } } });
  expect((await childrenOf(client, page))[0]).toMatchObject(shown("Holidays"));
  expect((await client.retrieveBlock({ path: { block_id: block?.id ?? "" } })).body).toMatchObject(
    shown("Holidays"),
  );
});

test("a text that mentions only a user or only a database shows its name", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const { body: bot } = await client.retrieveBotUser({});
  for (const [mention, name] of [
    [{ user: { id: bot.id } }, `@${bot.name}`],
    [{ database: { id: rootDatabaseId } }, "Pages"],
  ] as const) {
    expect((await append(client, page, [createParagraph([{ mention }])])).map(textOf)).toEqual([name]);
  }
});

test("a list of blocks shows the current title of a page that they mention, up to 2,000 characters", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const mentioned = await addPage({ client, rootDatabaseId }, "Travel plans");
  await append(client, page, [createParagraph([{ mention: { page: { id: mentioned } } }])]);
  const readText = async () => (await childrenOf(client, page)).map(textOf);
  expect(await readText()).toEqual(["Travel plans"]);
  const runs = title("Holidays ".padEnd(2000, ".")).title;
  await client.updatePage({
    path: { page_id: mentioned },
    body: { properties: { Title: { title: [...runs, ...runs] } } },
  });
  expect(await readText()).toEqual(["Holidays ".padEnd(2000, ".")]);
});

test("refuses mentions of unknown objects, of objects of other workspaces, and of invalid dates", async () => {
  const { client, rootDatabaseId, connect: another } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const other = await another();
  const foreign = await addPage(other);
  const { body } = await other.client.retrievePage({ path: { page_id: foreign } });
  const unknown: [string, RichTextInput][] = [
    ["page", [{ mention: { page: { id: foreign } } }]],
    ["page", [{ mention: { page: { id: rootDatabaseId } } }]],
    ["database", [{ mention: { database: { id: other.rootDatabaseId } } }]],
    ["user", [{ mention: { user: { id: body.created_by.id } } }]],
  ];
  for (const [what, texts] of unknown) {
    const error = await getError(append(client, page, [createParagraph(texts)]));
    expect(error).toMatchObject({ status: 404, code: "object_not_found" });
    expect(error.message).toMatch(new RegExp(`^Could not find ${what} with ID`));
  }
  const place = "body.children[0].paragraph.rich_text[0].mention";
  const wrong: [RichTextInput, string][] = [
    [[{ mention: {} }], `${place}.user should be defined`],
    [
      [{ mention: { date: { start: "tomorrow" } } }],
      `${place}.date.start should be a valid ISO 8601 date string`,
    ],
    [
      [{ mention: { date: { start: "2026-02-30" } } }],
      `${place}.date.start should be a valid ISO 8601 date string`,
    ],
    [
      [{ mention: { date: { start: "2026-02-03", time_zone: "Mars" } } }],
      `${place}.date.time_zone should be`,
    ],
  ];
  for (const [texts, message] of wrong) {
    const error = await getError(append(client, page, [createParagraph(texts)]));
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toContain(message);
  }
});
