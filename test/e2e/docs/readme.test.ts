import { readFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished, test, expect } from "vitest";
import { PROJECT } from "../../support/api-document.js";
import { addPage, connect } from "../../support/contract.js";
import { Programs } from "./programs.js";

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
  const usesFirst = /\bclient\./.test(block) && !/const client\b/.test(block);
  const before = usesFirst ? 'import { createClient } from "page-service/client";\n' : "";
  const client = usesFirst ? "const client = createClient({ baseUrl, apiKey });\n" : "";
  // Replaces the address of the README.
  return `${before}${GIVEN}${client}${block.replaceAll('"http://localhost:3000"', "baseUrl")}\nexport {};\n`;
}

test("the README's code compiles and runs", async () => {
  // The database of every new workspace, as after the first start.
  const { client, baseUrl, key, rootDatabaseId: database_id } = await connect();
  const page_id = await addPage({ client, rootDatabaseId: database_id }, "Hello");
  const env = { GIVEN: JSON.stringify({ baseUrl, apiKey: key, database_id, page_id }) };

  const programs = new Programs("readme");
  onTestFinished(() => programs.remove());
  const named = readBlocks().map((block, index) => ({
    name: `block-${index}`,
    text: createProgram(block),
    env,
  }));
  expect(named).toHaveLength(3);
  expect(programs.check(new Map(named.map(({ name, text }) => [name, text])))).toEqual([]);
  const outcomes = await programs.runAll(named);
  const outputs = named.map(({ name }) => outcomes.get(name));
  for (const outcome of outputs) expect(outcome?.code, outcome?.stderr).toBe(0);
  const page = await client.retrievePage({ path: { page_id } });
  expect(page.body.properties).toMatchObject({ Done: { checkbox: true }, Points: { number: 3 } });
  expect(outputs[0]?.stdout).toMatch(/^[0-9a-f-]{36} \d+\n$/);
  expect(outputs[2]?.stdout).toContain((await client.retrieveBotUser()).body.id);
});
