import type { Client } from "../../../src/client/index.js";
import { type Connected, connect, text } from "../../support/contract.js";

type DatabaseProperties = Parameters<Client["createDatabase"]>[0]["body"]["properties"];
type PropertyChanges = NonNullable<Parameters<Client["updateDatabase"]>[0]["body"]["properties"]>;
type PageProperties = Parameters<Client["createPage"]>[0]["body"]["properties"];

/** A database in the workspace for the pages of a test. */
export interface TestDatabase extends Connected {
  databaseId: string;
  /** Creates another database and returns its id. */
  addDatabase(properties: DatabaseProperties, title?: string): Promise<string>;
  /** Changes the properties of a database, by default the first. */
  changeProperties(properties: PropertyChanges, databaseId?: string): Promise<void>;
  /** Creates a page, by default in the first database, and returns its id. */
  addPage(properties: PageProperties, databaseId?: string): Promise<string>;
  /** Updates a page. */
  setValues(pageId: string, properties: PageProperties): Promise<void>;
  /** Reads the values of a page without their ids, by property name. */
  readValues(pageId: string): Promise<Record<string, unknown>>;
  /** Reads the definitions of a database by property name. */
  readProperties(databaseId?: string): Promise<Record<string, Record<string, unknown>>>;
}

/** Starts a service, and creates a database with properties. */
export async function withDatabase(properties: DatabaseProperties): Promise<TestDatabase> {
  const connected = await connect();
  const { client } = connected;
  const addDatabase = async (own: DatabaseProperties, title = "Things"): Promise<string> => {
    const { body } = await client.createDatabase({
      body: {
        parent: { workspace: true },
        title: text(title),
        properties: own,
      },
    });
    return body.id;
  };
  const databaseId = await addDatabase(properties);
  return {
    ...connected,
    databaseId,
    addDatabase,
    async changeProperties(changes, id = databaseId) {
      await client.updateDatabase({ path: { database_id: id }, body: { properties: changes } });
    },
    async addPage(own, id = databaseId) {
      const { body } = await client.createPage({ body: { parent: { database_id: id }, properties: own } });
      return body.id;
    },
    async setValues(pageId, own) {
      await client.updatePage({ path: { page_id: pageId }, body: { properties: own } });
    },
    async readValues(pageId) {
      const { body } = await client.retrievePage({ path: { page_id: pageId } });
      return Object.fromEntries(
        Object.entries(body.properties).map(([name, value]) => {
          // The cast: a value has its content in the member named like its type.
          const content = (value as Record<string, unknown>)[value.type];
          return [name, content];
        }),
      );
    },
    async readProperties(id = databaseId) {
      const { body } = await client.retrieveDatabase({ path: { database_id: id } });
      // The cast: allows access to the members of all types.
      return body.properties as Record<string, Record<string, unknown>>;
    },
  };
}
