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

/** The official client in front of a running service. */
export interface Notion extends RunningService {
  /** Its responses are held against the document. */
  client: Client;
  /** The same on its own transport, the bundled node-fetch. */
  plain: Client;
  /** Sends what the client's types do not allow; through the client all the same. */
  call(method: "get" | "post" | "patch" | "delete", path: string, body?: object): Promise<Answer>;
  /** Adds a person to the workspace; gives the id. */
  addPerson(name: string, email?: string): Promise<string>;
  /** A client of another workspace. */
  stranger(): Promise<{ client: Client; rootDatabaseId: string }>;
}

/** Response to a request of a test: objects have an id, lists have results. */
export interface Answer {
  id: string;
  results: Answer[];
  next_cursor: string | null;
  [key: string]: unknown;
}

/** Starts a service of the test's own and connects the client; the service ends with the test. */
export async function connectNotion(): Promise<Notion> {
  const notion = await openNotion();
  onTestFinished(() => notion.service.close());
  return notion;
}

/** Starts a service for the tests of a file; the caller closes `service`. */
export async function openNotion(): Promise<Notion> {
  const running = await startService();
  const { baseUrl, key, service, workspaceId } = running;
  const client = clientFor(baseUrl, key);
  return {
    ...running,
    client,
    plain: new Client({ baseUrl, auth: key, logLevel: LogLevel.ERROR }),
    call: (method, path, body) => client.request({ method, path, body: { ...body } }),
    async addPerson(name, email) {
      const id = newId();
      const person = { workspace_id: workspaceId, id, name, email: email ?? null, avatar_url: null };
      await service.store.write(async (tx) => {
        await tx
          .insertInto("users")
          .values({ ...person, type: "person", created_time: Date.now() })
          .execute();
      });
      return id;
    },
    async stranger() {
      const other = await running.createKey();
      return { client: clientFor(baseUrl, other.key), rootDatabaseId: other.rootDatabaseId };
    },
  };
}

function clientFor(baseUrl: string, auth: string): Client {
  // Not `fetch` itself: its body and headers are typed more widely than those of the client.
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

/** The error that a call ends in, which has to be one that the client knows. */
export async function refusal(call: Promise<unknown>): Promise<APIResponseError> {
  const error: unknown = await call.then(
    (value) => new Error(`It was answered with a success: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!isNotionClientError(error)) throw error;
  expect(error).toBeInstanceOf(APIResponseError);
  if (!(error instanceof APIResponseError)) throw error;
  return error;
}

/** Expects a call to be refused with a code and a message; gives the error. */
export async function expectRefusal(
  call: Promise<unknown>,
  code: string,
  message?: string | RegExp,
): Promise<APIResponseError> {
  const error = await refusal(call);
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

/** The page, which has to be a full one by the client's own measure. */
export function fullPage(response: Parameters<typeof isFullPage>[0]): PageObjectResponse {
  if (!isFullPage(response)) throw new Error(`Not a full page: ${JSON.stringify(response)}`);
  return response;
}

/** The database, which has to be a full one. */
export function fullDatabase(response: Parameters<typeof isFullPage>[0]): DatabaseObjectResponse {
  if (!isFullDatabase(response)) throw new Error(`Not a full database: ${JSON.stringify(response)}`);
  return response;
}

/** The block, which has to be a full one. */
export function fullBlock(response: Parameters<typeof isFullPage>[0]): BlockObjectResponse {
  if (!isFullBlock(response)) throw new Error(`Not a full block: ${JSON.stringify(response)}`);
  return response;
}

/** Rich text of one plain piece, as requests have it. */
export function text(content: string): { text: { content: string } }[] {
  return [{ text: { content } }];
}

/** The same as responses have it. */
export function plainText(content: string): object[] {
  return [
    {
      type: "text",
      text: { content, link: null },
      annotations: {
        bold: false,
        italic: false,
        strikethrough: false,
        underline: false,
        code: false,
        color: "default",
      },
      plain_text: content,
      href: null,
    },
  ];
}

type Properties = CreatePageParameters["properties"];
type SchemaRequest = CreateDatabaseParameters["properties"];

/** Makes a page of the workspace itself, which nothing is above. */
export async function addTopPage({ call }: Notion, titled = "Top"): Promise<string> {
  const page = await call("post", "pages", {
    parent: { type: "workspace", workspace: true },
    properties: { title: { title: text(titled) } },
  });
  return page.id;
}

/** Makes a database with these properties and a title property "Name", of the workspace itself or in a page. */
export async function addDatabase(
  { client }: Notion,
  properties: SchemaRequest = {},
  page_id?: string,
): Promise<DatabaseObjectResponse> {
  // The cast: the client's types have no parent but pages, for Notion lets no program make databases elsewhere.
  const parent = (page_id === undefined ? { workspace: true } : { page_id }) as { page_id: string };
  return fullDatabase(
    await client.databases.create({
      parent,
      title: text("Database"),
      properties: { Name: { title: {} }, ...properties },
    }),
  );
}

/** Makes a page in a database. */
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

/** The plain text of the property "Name". */
export function nameOf(response: Parameters<typeof isFullPage>[0]): string {
  const { Name: value } = fullPage(response).properties;
  if (value?.type !== "title") throw new Error("The page has no title property Name.");
  return value.title.map(({ plain_text }) => plain_text).join("");
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A well-formed id that nothing has. */
export const NOBODY = "00000000-0000-4000-8000-000000000000";
