// `npm run snapshots`: replaces test/fixtures/snapshots with the current output of the toolkit.
import { updateSnapshots } from "./snapshots.js";

for (const error of await updateSnapshots()) {
  console.error(`Not updated: ${error.message}:\n${String(error.cause)}`);
  process.exitCode = 1;
}
