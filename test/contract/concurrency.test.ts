import { describe, expect, test } from "vitest";
import { newId } from "../../src/domain/ids.js";
import { createSchema } from "../../src/domain/schema.js";
import {
  type Client,
  createClient,
  type UpdatePageRequest,
  type UpdatePageResponse,
} from "../../src/client/index.js";
import { insertDatabase } from "../../src/storage/databases/databases.js";
import { addPage, connect, type Connected } from "../support/contract.js";
import { emptyDatabase, plainProperty } from "../support/objects.js";
import { newLocation, usePostgres } from "../support/stores.js";

const CLIENTS = 50;
const UPDATES = 6;

type Page = UpdatePageResponse["body"];

/** A part of a page that can be updated separately, with functions that write and read a mark in it. */
interface Slot {
  write(mark: string): UpdatePageRequest["body"];
  read(page: Page): string | undefined;
}

const SLOTS: Record<string, Slot> = {
  Title: {
    write: (mark) => ({ properties: { Title: { title: [{ text: { content: mark } }] } } }),
    read: ({ properties: { Title } }) => (Title?.type === "title" ? Title.title[0]?.plain_text : undefined),
  },
  Notes: {
    write: (mark) => ({ properties: { Notes: { rich_text: [{ text: { content: mark } }] } } }),
    read: ({ properties: { Notes } }) =>
      Notes?.type === "rich_text" ? Notes.rich_text[0]?.plain_text : undefined,
  },
  // A number stores a mark as client * 100 + update, and a checkbox only whether the update is odd.
  Points: {
    write: (mark) => ({ properties: { Points: { number: encodeMark(mark) } } }),
    read: ({ properties: { Points } }) =>
      Points?.type === "number" && Points.number !== null ? decodeMark(Points.number) : undefined,
  },
  Done: {
    write: (mark) => ({ properties: { Done: { checkbox: encodeMark(mark) % 2 === 1 } } }),
    read: ({ properties: { Done } }) => (Done?.type === "checkbox" ? String(Done.checkbox) : undefined),
  },
  icon: {
    write: (mark) => ({ icon: { external: { url: mark } } }),
    read: ({ icon }) => (icon?.type === "external" ? icon.external.url : undefined),
  },
  cover: {
    write: (mark) => ({ cover: { external: { url: mark } } }),
    read: ({ cover }) => cover?.external.url,
  },
};

function encodeMark(mark: string): number {
  const [client, update] = mark.split(":");
  return Number(client) * 100 + Number(update);
}

function decodeMark(number: number): string {
  return `${Math.floor(number / 100)}:${number % 100}`;
}

/** Services on one database, among which clients are distributed, by name of the setup. */
const SETUPS: Record<string, () => Promise<[Connected, ...Connected[]]>> = {
  "one service": async () => [await connect()],
  // On PostgreSQL, every database is one that processes can share.
  ...(usePostgres
    ? {}
    : { "one service on a file": async () => [await connect({ database: await newLocation() })] }),
  "two services on one database": async () => {
    const database = await newLocation();
    return [await connect({ database }), await connect({ database })];
  },
};

/**
 * Runs the clients concurrently. Each sends its updates sequentially, and repeats those that the service refuses because
 * they have waited too long, which happens on busy machines.
 */
async function runClients(
  services: readonly [Connected, ...Connected[]],
  update: (client: Client, index: number, count: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      const { baseUrl, key } = services[index % services.length] ?? services[0];
      const client = createClient({ baseUrl, apiKey: key, retries: 100, timeout: Infinity });
      for (let count = 0; count < UPDATES; count += 1) await update(client, index, count);
    }),
  );
}

describe.each(Object.entries(SETUPS))("50 clients: %s", (_, start) => {
  test("concurrent updates of different parts do not overwrite each other", async () => {
    const services = await start();
    const [first] = services;
    const page_id = await addPage(first);
    const slots = Object.entries(SLOTS);
    // The latest update that was read, by reader, part and writer. Later reads must not return older updates.
    const latest = new Map<string, number>();
    const regressions: string[] = [];

    await runClients(services, async (client, index, count) => {
      const [name, slot] = slots[index % slots.length] ?? ["", undefined];
      if (!slot) throw new Error("The part is missing.");
      const mark = `${index}:${count}`;
      const { body } = await client.updatePage({ path: { page_id }, body: slot.write(mark) });
      const written = name === "Done" ? String(encodeMark(mark) % 2 === 1) : mark;
      expect(slot.read(body)).toBe(written);
      for (const [part, { read }] of slots) {
        const [writer, seen] = read(body)?.split(":") ?? [];
        if (seen === undefined) continue;
        const key = `${index} ${part} ${writer}`;
        if (Number(seen) < (latest.get(key) ?? 0))
          regressions.push(`${key}: ${latest.get(key)} then ${seen}`);
        latest.set(key, Number(seen));
      }
    });

    expect(regressions).toEqual([]);
    const { body } = await first.client.retrievePage({ path: { page_id } });
    // The last write to each part is the last update of some client.
    const last = UPDATES - 1;
    for (const [name, { read }] of slots) {
      expect(read(body), name).toMatch(
        name === "Done" ? String(last % 2 === 1) : new RegExp(`^\\d+:${last}$`),
      );
    }
  });

  test("50 clients that each write their own property all see their last value", async () => {
    const services = await start();
    const [first] = services;
    const page_id = await addPage({ ...first, rootDatabaseId: await addWideDatabase(first) });
    await runClients(services, async (client, index, count) => {
      const name = `Client ${index}`;
      const { body } = await client.updatePage({
        path: { page_id },
        body: { properties: { [name]: { number: count + 1 } } },
      });
      expect(body.properties[name]).toMatchObject({ number: count + 1 });
    });
    for (const { client } of services) {
      const { body } = await client.retrievePage({ path: { page_id } });
      const numbers = Object.values(body.properties).flatMap((value) =>
        value.type === "number" ? [value.number] : [],
      );
      expect(numbers).toEqual(Array.from({ length: CLIENTS }, () => UPDATES));
    }
  });
});

/** Adds a database with a title and a number for each client, and returns its id. */
async function addWideDatabase({ service, workspaceId }: Connected): Promise<string> {
  const id = newId();
  const numbers = Array.from({ length: CLIENTS }, (_, index) =>
    plainProperty(`p${index}`, `Client ${index}`, "number"),
  );
  await service.store.write(workspaceId, (scope) =>
    insertDatabase(
      scope,
      emptyDatabase({ id, schema: createSchema([plainProperty("title", "Title", "title"), ...numbers]) }),
    ),
  );
  return id;
}
