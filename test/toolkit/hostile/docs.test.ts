import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completePage } from "../../../scripts/project/docs/content-security-policy.js";
import { CHROMIUM, NO_BROWSER } from "../../support/browser.js";
import { TEST_TIMEOUT_MS } from "../../support/load.js";
import { testUnless } from "../../support/requirements.js";

const run = promisify(execFile);
/** Marks the page if it runs, so that the test finds it in the resulting page. */
const MARK = "top.document.documentElement.setAttribute(`pwned`,`1`)";
const MARKDOWN = [
  `<script>${MARK}</script>`,
  `<img src=x onerror='${MARK}'>`,
  `<svg onload='${MARK}'></svg>`,
  `<iframe srcdoc="<script>${MARK}</script>"></iframe>`,
  `<details open ontoggle='${MARK}'>x</details>`,
  `[a](javascript:${MARK})`,
  `</script><script>${MARK}</script>`,
].join(" ");
const DOCUMENT = {
  openapi: "3.1.0",
  info: {
    title: MARKDOWN,
    version: MARKDOWN,
    description: MARKDOWN,
    contact: { url: `javascript:${MARK}`, name: "c" },
  },
  tags: [{ name: "tag", description: MARKDOWN }],
  paths: {
    "/shown": {
      get: {
        tags: ["tag"],
        summary: MARKDOWN,
        description: MARKDOWN,
        parameters: [
          {
            name: MARKDOWN,
            in: "query",
            description: MARKDOWN,
            schema: { type: "string", enum: [MARKDOWN] },
          },
        ],
        responses: { 200: { description: MARKDOWN } },
      },
    },
  },
};

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "page-service-docs-"));
  writeFileSync(path.join(folder, "openapi.json"), JSON.stringify(DOCUMENT));
  const redocly = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const args = [redocly, "build-docs", "openapi.json", "--inlineBundle", "--output", "bare.html"];
  await run(process.execPath, args, { cwd: folder });
  writeFileSync(
    path.join(folder, "safe.html"),
    completePage(readFileSync(path.join(folder, "bare.html"), "utf8"), ""),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Returns the page that a browser shows for a file after running its scripts. */
async function renderPage(file: string): Promise<string> {
  const options = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--virtual-time-budget=5000",
    "--dump-dom",
  ];
  const profile = `--user-data-dir=${path.join(folder, "profile")}`;
  const url = `file://${path.join(folder, file)}`;
  const { stdout } = await run(CHROMIUM ?? "", [...options, profile, url], {
    maxBuffer: 1 << 28,
    timeout: TEST_TIMEOUT_MS / 2,
  });
  return stdout;
}

// Required in CI, where .ci/run installs Chromium.
testUnless(NO_BROWSER)("no script of a document runs in its docs, which are still shown", async () => {
  // A control: without the policy a script runs.
  expect(await renderPage("bare.html")).toMatch(/<html[^>]* pwned="1"/);
  const page = await renderPage("safe.html");
  expect(page).not.toMatch(/<html[^>]* pwned=/);
  expect(page).toContain("/shown");
  // Set by Redoc's script instead of the prerendered page.
  expect(page).toMatch(/<html[^>]* class="/);
});

test("refuses a page of another kind", () => {
  expect(() => completePage("<html><head></head></html>", "")).toThrow(
    "Adapt scripts/project/docs/content-security-policy.ts",
  );
});
