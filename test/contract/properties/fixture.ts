import type { Client } from "../../../src/client/index.js";
import { type Connected, connect } from "../../support/contract.js";

type DatabaseProperties = Parameters<Client["createDatabase"]>[0]["body"]["properties"];
type PropertyChanges = NonNullable<Parameters<Client["updateDatabase"]>[0]["body"]["properties"]>;
type PageProperties = Parameters<Client["createPage"]>[0]["body"]["properties"];

/** A database in the workspace that tests make pages in. */
export interface TestDatabase extends Connected {
  databaseId: string;
  /** Makes another database and gives its id. */
  addDatabase(properties: DatabaseProperties, title?: string): Promise<string>;
  /** Changes the properties of a database, by default the first. */
  changeProperties(properties: PropertyChanges, databaseId?: string): Promise<void>;
  /** Makes a page, by default in the first database, and gives its id. */
  addPage(properties: PageProperties, databaseId?: string): Promise<string>;
  /** Updates a page. */
  setValues(pageId: string, properties: PageProperties): Promise<void>;
  /** The values of a page without their ids, by property name. */
  valuesOf(pageId: string): Promise<Record<string, unknown>>;
  /** The definitions of a database, by property name. */
  propertiesOf(databaseId?: string): Promise<Record<string, Record<string, unknown>>>;
}

/** Starts a service, and makes a database with these properties. */
export async function withDatabase(properties: DatabaseProperties): Promise<TestDatabase> {
  const connected = await connect();
  const { client } = connected;
  const addDatabase = async (own: DatabaseProperties, title = "Things"): Promise<string> => {
    const { body } = await client.createDatabase({
      body: {
        parent: { workspace: true },
        title: [{ text: { content: title } }],
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
    async valuesOf(pageId) {
      const { body } = await client.retrievePage({ path: { page_id: pageId } });
      return Object.fromEntries(
        Object.entries(body.properties).map(([name, value]) => {
          // The cast: a value holds its content under the name of its type.
          const content = (value as Record<string, unknown>)[value.type];
          return [name, content];
        }),
      );
    },
    async propertiesOf(id = databaseId) {
      const { body } = await client.retrieveDatabase({ path: { database_id: id } });
      // The cast: definitions of all types, to be looked at member by member.
      return body.properties as unknown as Record<string, Record<string, unknown>>;
    },
  };
}
