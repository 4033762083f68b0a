import {
  APIResponseError,
  Client,
  isFullBlock,
  isFullDatabase,
  isFullPage,
  isNotionClientError,
  LogLevel,
} from "@notionhq/client";
import type {
  BlockObjectResponse,
  CreateDatabaseParameters,
  CreatePageParameters,
  DatabaseObjectResponse,
  PageObjectResponse,
} from "@notionhq/client/build/src/api-endpoints.js";
import { expect, onTestFinished } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { type RunningService, startService } from "../../support/service.js";
import { text } from "../../support/contract.js";

/** A running service, and the official client for it. */
export interface Notion extends RunningService {
  /** Sends requests with fetch, which checks responses against the document. */
  client: Client;
  /** Sends requests with the client's own transport, the bundled node-fetch. */
  plain: Client;
  /** Sends requests through the client that its types do not allow. */
  call(method: "get" | "post" | "patch" | "delete", path: string, body?: object): Promise<ObjectOrList>;
  /** Adds a person to the workspace and returns the id. */
  addPerson(name: string, email?: string): Promise<string>;
}

/** A response: objects have an id, and lists have results. */
export interface ObjectOrList {
  id: string;
  results: ObjectOrList[];
  next_cursor: string | null;
  [key: string]: unknown;
}

/** Starts a service for one test, and connects the client. The service stops after the test. */
export async function connectNotion(): Promise<Notion> {
  const notion = await openNotion();
  onTestFinished(() => notion.service.close());
  return notion;
}

/** Starts a service for the tests of a file; the caller closes `service`. */
export async function openNotion(): Promise<Notion> {
  const running = await startService();
  const { baseUrl, key, service, workspaceId } = running;
  const client = createNotionClient(baseUrl, key);
  return {
    ...running,
    client,
    plain: new Client({ baseUrl, auth: key, logLevel: LogLevel.ERROR }),
    call: (method, path, body) => client.request({ method, path, body: { ...body } }),
    async addPerson(name, email) {
      const id = newId();
      const person = { workspace_id: workspaceId, id, name, email: email ?? null, avatar_url: null };
      await service.store.writeServiceWide(async (tx) => {
        await tx
          .insertInto("users")
          .values({ ...person, type: "person", created_time: Date.now() })
          .execute();
      });
      return id;
    },
  };
}

function createNotionClient(baseUrl: string, auth: string): Client {
  // A wrapper, because the client declares narrower types of bodies and headers than `fetch`.
  return new Client({
    baseUrl,
    auth,
    logLevel: LogLevel.ERROR,
    fetch: (url, init) =>
      globalThis.fetch(url, {
        method: init?.method,
        headers: init?.headers,
        body: init?.body,
      } as RequestInit),
  });
}

/** Returns the error that a call rejects with, which must be an error class of the client. */
export async function getRefusal(call: Promise<unknown>): Promise<APIResponseError> {
  const error: unknown = await call.then(
    (value) => new Error(`The call succeeded: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!isNotionClientError(error)) throw error;
  expect(error).toBeInstanceOf(APIResponseError);
  if (!(error instanceof APIResponseError)) throw error;
  return error;
}

/** Expects that a call is refused with a code and a message, and returns the error. */
export async function expectRefusal(
  call: Promise<unknown>,
  code: string,
  message?: string | RegExp,
): Promise<APIResponseError> {
  const error = await getRefusal(call);
  expect({ code: error.code, message: error.message }).toEqual({
    code,
    message:
      message === undefined
        ? error.message
        : expect.stringMatching(message instanceof RegExp ? message : escape(message)),
  });
  return error;
}

function escape(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}

/** Returns a page; throws if the client considers it partial. */
function fullPage(response: Parameters<typeof isFullPage>[0]): PageObjectResponse {
  if (!isFullPage(response)) throw new Error(`Not a full page: ${JSON.stringify(response)}`);
  return response;
}

/** Returns a database; throws if it is partial. */
export function fullDatabase(response: Parameters<typeof isFullPage>[0]): DatabaseObjectResponse {
  if (!isFullDatabase(response)) throw new Error(`Not a full database: ${JSON.stringify(response)}`);
  return response;
}

/** Returns a block; throws if it is partial. */
export function fullBlock(response: Parameters<typeof isFullPage>[0]): BlockObjectResponse {
  if (!isFullBlock(response)) throw new Error(`Not a full block: ${JSON.stringify(response)}`);
  return response;
}

type Properties = CreatePageParameters["properties"];
type SchemaRequest = CreateDatabaseParameters["properties"];

/** A property of each type without relations, status and numbering. */
export const PROPERTIES = {
  Text: { rich_text: {} },
  Number: { number: {} },
  Choice: { select: {} },
  Tags: { multi_select: {} },
  When: { date: {} },
  Who: { people: {} },
  Files: { files: {} },
  Done: { checkbox: {} },
  Link: { url: {} },
  Mail: { email: {} },
  Phone: { phone_number: {} },
  Created: { created_time: {} },
  Edited: { last_edited_time: {} },
  Author: { created_by: {} },
  Editor: { last_edited_by: {} },
} as const;

/** Creates a page without a parent page. */
export async function addTopPage({ call }: Notion, titled = "Top"): Promise<string> {
  const page = await call("post", "pages", {
    parent: { type: "workspace", workspace: true },
    properties: { title: { title: text(titled) } },
  });
  return page.id;
}

/** Creates a database with properties and the title property "Name", in the workspace or in a page. */
export async function addDatabase(
  { client }: Notion,
  properties: SchemaRequest = {},
  page_id?: string,
): Promise<DatabaseObjectResponse> {
  // The cast: the client's types allow only pages as parents, as in Notion.
  const parent = (page_id === undefined ? { workspace: true } : { page_id }) as { page_id: string };
  return fullDatabase(
    await client.databases.create({
      parent,
      title: text("Database"),
      properties: { Name: { title: {} }, ...properties },
    }),
  );
}

/** Creates a page in a database. */
export async function addRow(
  { client }: Notion,
  database_id: string,
  name: string,
  properties: Properties = {},
): Promise<PageObjectResponse> {
  return fullPage(
    await client.pages.create({
      parent: { database_id },
      properties: { ...(name === "" ? {} : { Name: { title: text(name) } }), ...properties } as Properties,
    }),
  );
}

/** Returns the plain text of the property "Name". */
export function getName(response: Parameters<typeof isFullPage>[0]): string {
  const { Name: value } = fullPage(response).properties;
  if (value?.type !== "title") throw new Error("The page has no title property Name.");
  return value.title.map(({ plain_text }) => plain_text).join("");
}
