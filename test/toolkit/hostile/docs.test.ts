import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completePage } from "../../../scripts/project/docs/policy.js";
import { missingProgram, testUnless } from "../../support/requirements.js";

const run = promisify(execFile);
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => existsSync(file)); // prettier-ignore
const NO_BROWSER = missingProgram(
  CHROMIUM !== undefined,
  "Chromium is not installed (apt-get install chromium)",
);

/** Marks the page, should it run: the test looks at the page that comes out. */
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
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** The page that a browser makes of a file, once its scripts have run. */
async function opened(file: string): Promise<string> {
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
    timeout: 60_000,
  });
  return stdout;
}

// In CI it must be here: .ci/run installs it.
testUnless(NO_BROWSER)(
  "no script of a document runs in its docs, which are shown all the same",
  { timeout: 120_000 },
  async () => {
    // Without the policy one does: the browser would say so.
    expect(await opened("bare.html")).toMatch(/<html[^>]* pwned="1"/);
    const page = await opened("safe.html");
    expect(page).not.toMatch(/<html[^>]* pwned=/);
    expect(page).toContain("/shown");
    // Set by Redoc's script, not by what was drawn beforehand.
    expect(page).toMatch(/<html[^>]* class="/);
  },
);

test("a page of another kind is not taken for safe", () => {
  expect(() => completePage("<html><head></head></html>", "")).toThrow(
    "Adapt scripts/project/docs/policy.ts",
  );
});
