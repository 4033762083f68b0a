import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEnvironment, type Ended, run, start } from "../../command.js";
import { runOn, kinds } from "./command.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

const PAGES = 1_600;

/**
 * A heap limit below the size of the file, so that a process that holds all of it runs out of memory. With less, garbage collection
 * takes most of the time.
 */
const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=48" };

/** Runs `page-service` on a database in a process with a small heap. */
const runSmall = (location: string, args: string[]): Promise<Ended> =>
  run(args, { ...createEnvironment(location), ...SMALL_HEAP });

const done = { code: 0, stderr: "" };
const folder = mkdtempSync(path.join(tmpdir(), "page-service-large-"));
const first = path.join(folder, "first");
beforeAll(async () => {
  const source = path.join(folder, "page-service.db");
  await runOn(source, ["keys", "create", "--workspace", "Acme", "--create-workspace"]);
  const database = new Database(source);
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${PAGES})
    INSERT INTO pages (workspace_id, id, parent_type, parent_id, created_time, last_edited_time, created_by,
      last_edited_by, in_trash, version, plain_title, title_text, properties)
    SELECT d.workspace_id, printf('00000000-0000-7000-8000-%012x', n), 'database_id', d.id, n, n, d.created_by,
      d.created_by, 0, 0, 'page', 'page', '{"title":[],"x":"' || hex(zeroblob(16000)) || '"}' FROM numbers, databases d
  `);
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

test("50 MB of pages are exported in 48 MB of memory", async () => {
  const source = path.join(folder, "page-service.db");
  expect(await runSmall(source, ["export", "--output", first])).toMatchObject(done);
  expect(statSync(first).size).toBeGreaterThan(50_000_000);
});

test("an export to standard output that is stopped says that it is incomplete", async () => {
  const exporting = start(["export"], createEnvironment(path.join(folder, "page-service.db")));
  await exporting.printed(/\n/);
  exporting.process.stdout.pause();
  exporting.process.kill("SIGINT");
  exporting.process.stdout.resume();
  const { code, stderr } = await exporting.ended;
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "page-service: Stopped before the end. The export is incomplete.\n",
  });
});

test.each(kinds)(
  "they are imported to %s and exported from it in 48 MB of memory",
  async (_, newLocation) => {
    const copy = await newLocation();
    const imported = await runSmall(copy, ["import", "--input", first]);
    expect(imported).toMatchObject({ ...done, stdout: "Imported 1 workspace, 1,605 rows.\n" });
    const second = path.join(createTemporaryFolder(), "second");
    expect(await runSmall(copy, ["export", "--output", second])).toMatchObject(done);
    expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
  },
);
