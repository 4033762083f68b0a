import { expect } from "vitest";
import { ConflictError } from "../../../src/errors.js";
import { insertPage } from "../../../src/storage/pages.js";
import { addPage, connect, readError } from "../../support/contract.js";
import { emptyPage } from "../../support/objects.js";
import { testUnless } from "../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES, openSecondConnection } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";

testUnless(NO_POSTGRES)(
  "while PostgreSQL lacks disk, memory or connections, writes get 503, reads succeed, and writes recover",
  async () => {
    const database = await newPostgresDatabase();
    const connected = await connect({ database });
    const { client, send, rootDatabaseId } = connected;
    const pageId = await addPage(connected);
    const run = await openSecondConnection(database);
    for (const code of ["disk_full", "out_of_memory", "too_many_connections"]) {
      // The server raises the error itself, because its disk cannot be filled here.
      await run(`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE ${code}; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON pages FOR EACH ROW EXECUTE FUNCTION refuse()`);
      const body = { parent: { database_id: rootDatabaseId }, properties: {} };
      const refused = await send("POST", "/v1/pages", body);
      expect([code, refused.status, refused.headers.get("Retry-After")]).toEqual([code, 503, "5"]);
      expect((await readError(refused)).code).toBe("service_unavailable");
      expect((await client.retrievePage({ path: { page_id: pageId } })).body.id).toBe(pageId);
      await run("DROP FUNCTION refuse CASCADE");
      await addPage(connected);
    }
  },
);

testUnless(NO_POSTGRES)(
  "a write that waits for a lock of another program for too long is a conflict",
  async () => {
    const database = await newPostgresDatabase();
    const store = await openTestStore(database);
    const { workspaceId, databaseId } = await addDatabase(store);
    const run = await openSecondConnection(database);
    await run("BEGIN; LOCK TABLE pages");
    const write = store.write(workspaceId, (scope) => insertPage(scope, emptyPage(databaseId)));
    await expect(write).rejects.toThrow(ConflictError);
    await run("COMMIT");
  },
);
