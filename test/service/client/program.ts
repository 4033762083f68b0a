/** Values that the program needs: address, key and database of the service. */
export interface ProgramInput {
  baseUrl: string;
  apiKey: string;
  database_id: string;
}

/**
 * Creates a module for any runtime, whose `run` writes, reads, paginates, gets an error, and aborts.
 *
 * @param client module of the client
 */
export const createProgram = (client: string): string => `
import {
  ConnectionError, connect, createClient, createPage, isPageServiceError, type LogEntry, paginate, property, queryDatabase,
} from "${client}";

export async function run(given: { baseUrl: string; apiKey: string; database_id: string }) {
  const { baseUrl, apiKey, database_id } = given;
  const log: LogEntry[] = [];
  const client = createClient({ baseUrl, apiKey, log: (entry) => log.push(entry) });
  const parent = { database_id };
  const ids: string[] = [];
  for (const name of ["one", "two"]) {
    const { body } = await client.createPage({ body: { parent, properties: { Title: property.title(name) } } });
    ids.push(body.id);
  }
  const connection = connect({ baseUrl, apiKey });
  await createPage(connection, { body: { parent, properties: { Title: property.title("three") } } });
  const { body: read, headers } = await client.retrievePage({ path: { page_id: ids[0] ?? "" } });
  const request = { path: { database_id }, body: { page_size: 2 } };
  const titles: string[] = [];
  for await (const { properties } of paginate(connection, queryDatabase, request)) {
    const title = properties["Title"];
    if (title?.type === "title") titles.push(title.title[0]?.plain_text ?? "");
  }
  const caught = (call: Promise<unknown>): Promise<unknown> => call.then(() => "nothing", (error) => error);
  const missing = await caught(client.retrievePage({ path: { page_id: crypto.randomUUID() } }));
  const nobody = createClient({ baseUrl: "http://127.0.0.1:1", apiKey, retries: 0 });
  const unreachable = await caught(nobody.retrieveBotUser());
  const aborted = await caught(client.retrieveBotUser({}, { signal: AbortSignal.abort() }));
  return {
    read: read.id === ids[0],
    limit: typeof headers["X-RateLimit-Limit"],
    titles,
    missing: isPageServiceError(missing, "object_not_found") && missing.status,
    unreachable: unreachable instanceof ConnectionError && unreachable.reason,
    aborted: aborted instanceof Error && aborted.name,
    attempts: log.map(({ operation, status }) => \`\${operation} \${status}\`),
    waits: (log[0]?.retryIn ?? 0) >= 1000,
  };
}
`;

/** Result of the program, for a service that responds to each attempt. */
export const RESULT = {
  read: true,
  limit: "number",
  titles: ["one", "two", "three"],
  missing: 404,
  unreachable: "network",
  aborted: "AbortError",
  attempts: [
    "createPage 200",
    "createPage 200",
    "retrievePage 200",
    "retrievePage 404",
    "retrieveBotUser undefined",
  ],
  waits: false,
};
