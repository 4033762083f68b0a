import type { RunningService } from "../../support/service.js";
import { createClient } from "../../../src/client/index.js";
import { createFurtherResources } from "../../contract/tenants/further-resources.js";
import { createSend } from "../../contract/tenants/workspace.js";

/** A workspace for one sample, with the objects that the examples of the document name. */
export interface World {
  key: string;
  /** The database of pages or of trips, which have the same id in the examples, but different properties. */
  databaseId: string;
  /** Replaces the address and the ids of the examples by those of this workspace. */
  adapt(text: string): string;
}

/** Properties of the databases of pages and of trips. */
const PROPERTIES = {
  pages: {
    Title: { title: {} },
    Notes: { rich_text: {} },
    Points: { number: {} },
    Done: { checkbox: {} },
    Season: { select: {} },
    When: { date: {} },
    Guide: { url: {} },
    Price: { number: {} },
  },
  trips: { Name: { title: {} }, Price: { number: {} }, Season: { select: {} }, When: { date: {} } },
};

/**
 * Creates a workspace with a database, a page in it, a block with a child in the page, a comment on the page, and an object
 * of each further resource.
 *
 * @param block the type of the block
 */
export async function createWorld(
  running: RunningService,
  kind: keyof typeof PROPERTIES,
  block: "to_do" | "paragraph" = "to_do",
): Promise<World> {
  const { key } = await running.createKey();
  const client = createClient({ baseUrl: running.baseUrl, apiKey: key });
  const { body: database } = await client.createDatabase({
    body: { parent: { type: "workspace", workspace: true }, properties: PROPERTIES[kind] },
  });
  const { body: page } = await client.createPage({
    body: { parent: { database_id: database.id }, properties: {} },
  });
  const text = { rich_text: [{ text: { content: "Pack" } }] };
  const { body: blocks } = await client.appendBlockChildren({
    path: { block_id: page.id },
    body: { children: [block === "to_do" ? { to_do: text } : { paragraph: text }] },
  });
  const blockId = blocks.results[0]?.id ?? "";
  const { body: children } = await client.appendBlockChildren({
    path: { block_id: blockId },
    body: { children: [{ paragraph: text }] },
  });
  const { body: comment } = await client.createComment({
    body: { parent: { page_id: page.id }, rich_text: [{ text: { content: "Soon" } }] },
  });
  const { body: bot } = await client.retrieveBotUser();
  const further = await createFurtherResources(createSend(running.baseUrl, key));
  const ids = new Map([
    ...further.examples,
    ["0191d5a2-7b1c-7c33-9a55-3f0c8a4e1b02", database.id],
    ["0191d5a2-9c40-7f7e-8d21-64b1f0a7c915", page.id],
    ["0191d5a2-a6b1-7d34-8c11-5b7f02a1c3d4", blockId],
    ["0191d5a2-a6b2-7e45-9d22-6c8f13b2d4e5", children.results[0]?.id ?? ""],
    ["0191d5a2-8c3e-7b1f-9d60-52a7c1e4f083", bot.id],
    ["0191d5a2-7b1d-7aa0-b6d2-0f7d5a0c6e11", bot.id],
    ["0191d5a2-b00c-7a10-9f3e-2c1f60c4d5e6", comment.discussion_id],
  ]);
  return {
    key,
    databaseId: database.id,
    adapt(text) {
      let adapted = text.replaceAll("http://localhost:3000", running.baseUrl);
      for (const [example, id] of ids)
        for (const write of [(id: string) => id, (id: string) => id.replaceAll("-", "")])
          adapted = adapted.replaceAll(write(example), id);
      return adapted;
    },
  };
}
