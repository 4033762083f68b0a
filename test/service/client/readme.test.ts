import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { onTestFinished, test, expect } from "vitest";
import { PROJECT } from "../../support/api-document.js";
import { connect } from "../../support/contract.js";

/** Reads the code blocks of the client's README. */
function readBlocks(): string[] {
  const readme = readFileSync(path.join(PROJECT, "README.md"), "utf8");
  const section = /^## Use the client$(.*?)^## /ms.exec(readme)?.[1] ?? "";
  return [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? "");
}

/** Declarations that the code blocks use. */
const GIVEN = `
const { baseUrl, apiKey, database_id, page_id } = JSON.parse(process.env["GIVEN"] ?? "{}") as Record<
  "baseUrl" | "apiKey" | "database_id" | "page_id",
  string
>;
`;

/** Creates a module from a code block; a block without a client uses the client of the first block. */
function createProgram(block: string): string {
  const code = block.replaceAll('"page-service/client"', '"../src/client/index.js"');
  const client = `const client = createClient({ baseUrl, apiKey });\n`;
  const ours = /\bclient\./.test(code) && !/const client\b/.test(code);
  const names = ["createClient"].filter((name) => code.includes(name) || ours);
  const imported = names.filter((name) => !new RegExp(`import .*\\b${name}\\b`).test(code));
  const imports =
    imported.length > 0 ? `import { ${imported.join(", ")} } from "../src/client/index.js";\n` : "";
  // Replaces the address of the README.
  return `${imports}${GIVEN}${ours ? client : ""}${code.replaceAll('"http://localhost:3000"', "baseUrl")}\nexport {};\n`;
}

test("the README's code compiles and runs", async () => {
  const { client, baseUrl, key } = await connect();
  const properties = {
    Title: { title: {} },
    Name: { rich_text: {} },
    Price: { number: {} },
    Done: { checkbox: {} },
    Tags: { multi_select: {} },
  };
  const database = await client.createDatabase({
    body: {
      parent: { type: "workspace", workspace: true },
      properties,
    },
  });
  const database_id = database.body.id;
  const rich_text = [{ text: { content: "By the sea" } }];
  const made = await client.createPage({
    body: { parent: { database_id }, properties: { Name: { rich_text }, Price: { number: 7 } } },
  });
  const given = { baseUrl, apiKey: key, database_id, page_id: made.body.id };

  const folder = mkdtempSync(path.join(PROJECT, "readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = readBlocks().map((block, index) => {
    const file = path.join(folder, `block-${index}.ts`);
    writeFileSync(file, createProgram(block));
    return file;
  });
  expect(files).toHaveLength(3);
  const options = {
    cwd: PROJECT,
    encoding: "utf8",
    env: { ...process.env, GIVEN: JSON.stringify(given) },
  } as const;
  const config = {
    extends: "../tsconfig.json",
    include: ["*.ts"],
    compilerOptions: { noEmit: true, noUnusedLocals: false },
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  const run = promisify(execFile);
  expect((await run("npx", ["tsc", "--project", folder], options)).stdout).toBe("");
  const said: string[] = [];
  for (const file of files) said.push((await run("node", ["--import", "tsx", file], options)).stdout);
  const page = await client.retrievePage({ path: { page_id: made.body.id } });
  expect(page.body.properties).toMatchObject({
    Done: { checkbox: true },
    Tags: { multi_select: [{ name: "seen" }] },
  });
  expect(said[0]).toMatch(/^[0-9a-f-]{36} \d+\n$/);
  expect(said[2]).toContain((await client.retrieveBotUser()).body.id);
});
