import { type Client, createClient } from "../../../../src/client/index.js";
import { text, title } from "../../../support/contract.js";
import type { Visitor } from "../../../support/visitor.js";
import { startWeb } from "../visitors.js";

/** A service with a signed-in member, an API key, and a database of teas. */
export interface Fixture {
  readonly visitor: Visitor;
  readonly url: string;
  readonly client: Client;
  readonly databaseId: string;
  member(name: string): Promise<Visitor>;
}

/** Starts a service and signs in Ada, with an API key and a database of her workspace. */
export async function startWithTeas(): Promise<Fixture> {
  const { url, member } = await startWeb();
  const visitor = await member("Ada");
  const client = createClient({ baseUrl: url, apiKey: await visitor.createKey("Importer") });
  const { body: found } = await client.search({
    body: { filter: { property: "object", value: "database" } },
  });
  const parent = { type: "workspace", workspace: true } as const;
  const [demo] = found.results;
  if (demo === undefined) throw new Error("The demo workspace has no database.");
  const { body: database } = await client.createDatabase({
    body: {
      parent: demo.parent.type === "workspace" ? parent : { page_id: demo.id },
      title: text("Teas"),
      properties: { Name: { title: {} }, Price: { number: {} }, Site: { url: {} }, Kind: { select: {} } },
    },
  });
  return { url, visitor, client, member, databaseId: database.id };
}

/** Adds a page to the database. */
export function addTea(
  { client, databaseId }: Fixture,
  name: string,
  price: number,
  site = "https://example.com/",
) {
  return client.createPage({
    body: {
      parent: { database_id: databaseId },
      properties: {
        Name: title(name),
        Price: { number: price },
        Site: { url: site },
        Kind: { select: { name: "Green" } },
      },
    },
  });
}

/** Reads the titles of a table's rows in order. */
export function readRowTitles(page: string): string[] {
  return [...page.matchAll(/<th scope="row">\s*<a[^>]*>([^<]*)<\/a>/g)].map(([, title = ""]) => title);
}

/** Returns the path of a link by its relation. */
export function findLink(page: string, rel: string): string {
  return (new RegExp(`rel="${rel}"\\s+href="([^"]*)"`).exec(page)?.[1] ?? "").replaceAll("&#38;", "&");
}
