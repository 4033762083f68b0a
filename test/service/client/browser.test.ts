import { expect, test } from "vitest";
import { bundleProgram } from "../../bench/client-size.js";
import { NO_BROWSER, openPage } from "../../support/browser.js";
import { connect } from "../../support/contract.js";
import { describeUnless } from "../../support/requirements.js";

/** Program for a page and a worker, which writes, paginates, gets an error, and aborts. */
const PROGRAM = `
import { ConnectionError, connect, createClient, createPage, isPageServiceError, paginate, property, queryDatabase } from "./src/client/index.js";

export async function run({ baseUrl, apiKey, database_id }) {
  const log = [];
  const client = createClient({ baseUrl, apiKey, log: ({ operation, status }) => log.push(operation + " " + status) });
  const parent = { database_id };
  for (const name of ["one", "two", "three"]) {
    await client.createPage({ body: { parent, properties: { Title: property.title(name) } } });
  }
  const connection = connect({ baseUrl, apiKey });
  const { headers } = await createPage(connection, { body: { parent, properties: {} } });
  const path = { database_id };
  const titles = [];
  for await (const { properties } of paginate(connection, queryDatabase, { path, body: { page_size: 2 } })) {
    titles.push(properties.Title.title[0]?.plain_text ?? "");
  }
  const caught = (call) => call.then(() => "nothing", (error) => error);
  const missing = await caught(client.retrievePage({ path: { page_id: crypto.randomUUID() } }));
  const nobody = createClient({ baseUrl: "http://127.0.0.1:1", apiKey, retries: 0 });
  const unreachable = await caught(nobody.retrieveBotUser());
  const aborted = await caught(client.retrieveBotUser({}, { signal: AbortSignal.abort() }));
  return {
    log,
    titles,
    limit: typeof headers["X-RateLimit-Limit"],
    missing: isPageServiceError(missing, "object_not_found"),
    unreachable: unreachable instanceof ConnectionError && unreachable.reason,
    aborted: aborted.name,
  };
}
`;

const EXPECTED = {
  log: [
    "createPage 200",
    "createPage 200",
    "createPage 200",
    "retrievePage 404",
    "retrieveBotUser undefined",
  ],
  titles: ["one", "two", "three", ""],
  limit: "number",
  missing: true,
  unreachable: "network",
  aborted: "AbortError",
};

describeUnless(NO_BROWSER)("in Chromium", () => {
  test("a page and a worker call the service on their own origin", async () => {
    const connected = await connect();
    const { baseUrl } = connected;
    const module = await bundleProgram(PROGRAM);
    const page = await openPage();
    // Serves a page at the service's address, so that the calls are same-origin.
    await page.route(`${baseUrl}/page`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>x</title>" }),
    );
    await page.goto(`${baseUrl}/page`);
    const another = await connected.connect({ workspaceName: "Another" });
    const options = (key: string, database_id: string): string =>
      JSON.stringify({ baseUrl, apiKey: key, database_id });
    const url = `URL.createObjectURL(new Blob([${JSON.stringify(module)}], { type: "text/javascript" }))`;

    const inPage = `import(${url}).then(({ run }) => run(${options(connected.key, connected.rootDatabaseId)}))`;
    expect(await page.evaluate(inPage)).toEqual(EXPECTED);

    const caller = `import(${url}).then(({ run }) => run(${options(another.key, another.rootDatabaseId)})).then(postMessage)`;
    const inWorker = `new Promise((resolve, reject) => {
      const code = new Blob([${JSON.stringify(caller)}], { type: "text/javascript" });
      const worker = new Worker(URL.createObjectURL(code), { type: "module" });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`;
    expect(await page.evaluate(inWorker)).toEqual(EXPECTED);
  });
});
