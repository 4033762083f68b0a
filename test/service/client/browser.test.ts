import { expect, test } from "vitest";
import { bundleProgram } from "../../support/bundle.js";
import { NO_BROWSER, openPage } from "../../support/browser.js";
import { connect } from "../../support/contract.js";
import { describeUnless } from "../../support/requirements.js";
import { createProgram, RESULT } from "./program.js";

describeUnless(NO_BROWSER)("in Chromium", () => {
  test("a page and a worker call the service on their own origin", async () => {
    const connected = await connect();
    const { baseUrl } = connected;
    const module = await bundleProgram(createProgram("./src/client/index.js"));
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
    expect(await page.evaluate(inPage)).toEqual(RESULT);

    const caller = `import(${url}).then(({ run }) => run(${options(another.key, another.rootDatabaseId)})).then(postMessage)`;
    const inWorker = `new Promise((resolve, reject) => {
      const code = new Blob([${JSON.stringify(caller)}], { type: "text/javascript" });
      const worker = new Worker(URL.createObjectURL(code), { type: "module" });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`;
    expect(await page.evaluate(inWorker)).toEqual(RESULT);
  });
});
