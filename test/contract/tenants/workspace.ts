import type { CreatableType } from "../../../src/domain/blocks/block.js";
import { newId } from "../../../src/domain/ids.js";
import type { NewKeyWithWorkspace } from "../../../src/access/keys/operator-keys.js";
import type { RunningService } from "../../support/service.js";
import { createFurtherResources } from "./further-resources.js";

/** Sends a request with a workspace's key. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; text: string }>;

/** A workspace with an object of each kind. */
export interface Filled {
  readonly send: Send;
  readonly workspaceId: string;
  /** Ids by kind: page, database, block, user and so on. */
  readonly ids: Readonly<Record<string, string>>;
  /** A block of each type, by type. */
  readonly blocks: Readonly<Record<string, string>>;
  /** A cursor of each list that has more than one page, by operation. */
  readonly cursors: Readonly<Record<string, string>>;
}

const rich = (content: string): object => ({ rich_text: [{ text: { content } }] });

/** Sends requests with a key. */
export function createSend(baseUrl: string, key: string): Send {
  return async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
}

/** Fills the workspace of a key. Every text in it contains the mark. */
export async function fillWorkspace(
  running: RunningService,
  { key, workspaceId }: NewKeyWithWorkspace,
  mark: string,
): Promise<Filled> {
  const send = createSend(running.baseUrl, key);
  const make = async (method: string, path: string, body: unknown): Promise<Made> => {
    const { status, text } = await send(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path} got ${status}: ${text}`);
    return JSON.parse(text) as Made;
  };

  const user = newId();
  await running.service.store.writeServiceWide(async (tx) => {
    const person = { workspace_id: workspaceId, id: user, type: "person" as const, name: `${mark} person` };
    await tx
      .insertInto("users")
      .values({ ...person, email: null, avatar_url: null, created_time: 0 })
      .execute();
  });
  const title = [{ text: { content: `${mark} title` } }];
  const page = await make("POST", "/v1/pages", {
    parent: { type: "workspace", workspace: true },
    properties: { title: { title } },
  });
  const target = await make("POST", "/v1/databases", {
    parent: { page_id: page.id },
    title,
    properties: { Name: { title: {} }, Who: { people: {} } },
  });
  const database = await make("POST", "/v1/databases", {
    parent: { page_id: page.id },
    title,
    properties: {
      Name: { title: {} },
      Text: { rich_text: {} },
      Who: { people: {} },
      To: { relation: { database_id: target.id, single_property: {} } },
      Author: { created_by: {} },
      Editor: { last_edited_by: {} },
      Whos: {
        rollup: { relation_property_name: "To", rollup_property_name: "Who", function: "show_original" },
      },
    },
  });
  // Adds a relation to the target database of the relation.
  await make("PATCH", `/v1/databases/${target.id}`, {
    properties: { Back: { relation: { database_id: database.id, single_property: {} } } },
  });
  await make("PATCH", `/v1/databases/${database.id}`, {
    properties: {
      Backs: {
        rollup: { relation_property_name: "To", rollup_property_name: "Back", function: "show_original" },
      },
    },
  });
  const row = (parent: string) =>
    make("POST", "/v1/pages", { parent: { database_id: parent }, properties: { Name: title } });
  const targetRow = await row(target.id);
  await row(target.id);
  const databaseRow = await row(database.id);
  await row(database.id);
  const blocks = await addBlocks(make, page.id, mark);
  const comment = await make("POST", "/v1/comments", {
    parent: { page_id: page.id },
    ...rich(`${mark} comment`),
  });
  await make("POST", "/v1/comments", { parent: { page_id: page.id }, ...rich(`${mark} comment`) });

  const first = async (method: string, path: string, body?: object): Promise<string> => {
    const list = await make(
      method,
      `${path}${method === "GET" ? `${path.includes("?") ? "&" : "?"}page_size=1` : ""}`,
      body && { ...body, page_size: 1 },
    );
    if (typeof list.next_cursor !== "string") throw new Error(`${path} has no second page.`);
    return list.next_cursor;
  };
  const further = await createFurtherResources(send);
  const cursors = {
    ...further.cursors,
    listDatabases: await first("GET", "/v1/databases"),
    queryDatabase: await first("POST", `/v1/databases/${database.id}/query`, {}),
    listUsers: await first("GET", "/v1/users"),
    listBlockChildren: await first("GET", `/v1/blocks/${page.id}/children`),
    search: await first("POST", "/v1/search", {}),
    listComments: await first("GET", `/v1/comments?block_id=${page.id}`),
  };
  return {
    send,
    workspaceId,
    blocks,
    cursors,
    ids: {
      ...further.ids,
      page: page.id,
      database: database.id,
      target: target.id,
      targetRow: targetRow.id,
      databaseRow: databaseRow.id,
      block: blocks.paragraph ?? "",
      synced: blocks.synced_block ?? "",
      user,
      comment: comment.id,
      discussion: String(comment.discussion_id),
      property: String((database.properties as Record<string, { id: string }>).Text?.id),
    },
  };
}

interface Made {
  id: string;
  results?: { id: string; type: string }[];
  next_cursor?: string | null;
  [key: string]: unknown;
}

type Make = (method: string, path: string, body: unknown) => Promise<Made>;

/** Adds a block of every type that can be created, and returns the ids by type. */
async function addBlocks(make: Make, page: string, mark: string): Promise<Record<string, string>> {
  const text = rich(`${mark} text`);
  const external = { external: { url: "https://example.com/x" } };
  const url = { url: "https://example.com/x" };
  const row = { table_row: { cells: [[]] } };
  const column = { column: { children: [{ paragraph: text }] } };
  const contents: Readonly<Record<Exclude<CreatableType, "table_row" | "column">, object>> = {
    paragraph: text,
    bulleted_list_item: text,
    numbered_list_item: text,
    quote: text,
    toggle: text,
    to_do: text,
    heading_1: text,
    heading_2: text,
    heading_3: text,
    callout: text,
    image: external,
    video: external,
    pdf: external,
    audio: external,
    file: external,
    code: { ...text, language: "c" },
    equation: { expression: "x" },
    divider: {},
    breadcrumb: {},
    table_of_contents: {},
    bookmark: url,
    embed: url,
    link_to_page: { page_id: page },
    synced_block: { synced_from: null, children: [{ paragraph: text }] },
    table: { table_width: 1, children: [row] },
    column_list: { children: [column, column] },
    template: text,
  };
  const children = Object.entries(contents).map(([type, content]) => ({ [type]: content }));
  const { results = [] } = await make("PATCH", `/v1/blocks/${page}/children`, { children });
  const ids = Object.fromEntries(results.map(({ id, type }) => [type, id]));
  for (const [type, inner] of [
    ["table", "table_row"],
    ["column_list", "column"],
  ] as const) {
    const list = await make("GET", `/v1/blocks/${ids[type]}/children`, undefined);
    ids[inner] = list.results?.[0]?.id ?? "";
  }
  return ids;
}
