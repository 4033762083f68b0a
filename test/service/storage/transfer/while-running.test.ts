import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createClient } from "../../../../src/client/index.js";
import { createEnvironment, run } from "../../command.js";
import { paragraph } from "../../../support/blocks.js";
import { title } from "../../../support/contract.js";
import { startService } from "../../../support/service.js";
import { importInto, createSqliteLocation, kinds } from "./command.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

test.each(kinds)(
  "an export of %s is consistent while the service writes, and does not block writes",
  async (_, newLocation) => {
    const location = await newLocation();
    const running = await startService({ database: location });
    const client = createClient({ baseUrl: running.baseUrl, apiKey: running.key });
    const stop = new AbortController();
    let written = 0;
    // Each page has rows in three tables, which must be exported together.
    const write = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await client.createPage({
          body: {
            parent: { database_id: running.rootDatabaseId },
            properties: { Title: title(`Page ${written}`) },
            children: [paragraph("Text")],
          },
        });
        written += 1;
      }
    };
    const writers = Array.from({ length: 8 }, write);
    const rows = (text: string, table: string): number => text.split(`{"table":"${table}"`).length - 1;
    try {
      for (let round = 0; round < 3; round += 1) {
        const before = written;
        const { code, stdout: text } = await run(["export"], createEnvironment(location));
        expect(code).toBe(0);
        expect(written).toBeGreaterThan(before);
        expect(rows(text, "pages")).toBeGreaterThanOrEqual(before);
        expect(rows(text, "blocks")).toBe(rows(text, "pages"));
        expect(rows(text, "property_values")).toBe(rows(text, "pages"));
        const file = path.join(createTemporaryFolder(), "backup.jsonl");
        writeFileSync(file, text);
        await importInto(createSqliteLocation(), file);
      }
    } finally {
      stop.abort();
      await Promise.all(writers);
      await running.service.close();
    }
  },
);
