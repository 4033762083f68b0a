/*
 * A process of its own for tests: `write-forever.ts FILE` adds pages until it is killed and prints the id of
 * each one once its write is acknowledged; `write-forever.ts FILE once` adds one and ends.
 */
import { writeSync } from "node:fs";
import { insertPage } from "../../../src/storage/pages.js";
import { openStore } from "../../../src/storage/engine/store.js";
import { emptyPage } from "../../support/objects.js";
import { addDatabase } from "./fixtures.js";

const [file, mode] = process.argv.slice(2);
if (file === undefined) throw new Error("Which file?");
const store = await openStore(file);
const { workspaceId, databaseId } = await addDatabase(store);

async function addPage(): Promise<void> {
  const page = emptyPage(databaseId);
  await store.write((tx) => insertPage(tx, workspaceId, page));
  writeSync(1, `${workspaceId} ${page.id}\n`);
}

async function addPages(): Promise<never> {
  for (;;) await addPage();
}

if (mode === "once") {
  await addPage();
  await store.close();
} else {
  await Promise.all(Array.from({ length: 20 }, addPages));
}
