import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "../support/api-document.js";
import { run } from "./docs/programs.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

/** Mistakes in spec/pages.yaml that generation accepts, with the lint rules that report them. */
const MISTAKES: [name: string, old: string, broken: string, rule: string][] = [
  [
    "a repeated operationId",
    "operationId: updatePage",
    "operationId: createPage",
    "operation-operationId-unique",
  ],
  ["an invalid example", "archived: false", "archived: maybe", "no-invalid-media-type-examples"],
  ["a missing summary", "summary: Retrieve a page\n", "x-a: 1\n", "operation-summary"],
];

test("npm run spec:lint reports mistakes that generation accepts", async () => {
  const folder = createTemporaryFolder();
  cpSync(path.join(PROJECT, "spec"), path.join(folder, "spec"), { recursive: true });
  const file = path.join(folder, "spec/pages.yaml");
  let text = readFileSync(file, "utf8");
  for (const [name, old, broken] of MISTAKES) {
    expect(text, name).toContain(old);
    text = text.replace(old, broken);
  }
  writeFileSync(file, text);
  const command = path.join(PROJECT, "node_modules/@redocly/cli/bin/cli.js");
  const args = ["lint", "--config", "spec/redocly.yaml", "--format", "json"];
  const { code, stdout: report } = await run(process.execPath, [command, ...args], { cwd: folder });
  expect(code, report).toBe(1);
  for (const [name, , , rule] of MISTAKES) expect(report, name).toContain(`"ruleId": "${rule}"`);
  expect(report).toContain("spec/pages.yaml");
});
