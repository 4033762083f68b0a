import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FileWatcher } from "../../../scripts/command/file-watcher.js";

test("detects a file that another one of the same size and time replaces", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "file-watcher-"));
  const controller = new AbortController();
  onTestFinished(() => {
    controller.abort();
    rmSync(folder, { recursive: true });
  });
  const [file, other] = [path.join(folder, "a.yaml"), path.join(folder, "b.yaml")];
  for (const each of [file, other]) {
    writeFileSync(each, path.basename(each));
    utimesSync(each, 1, 1);
  }
  const watcher = new FileWatcher();
  watcher.add(file);
  renameSync(other, file);
  expect(await watcher.waitForChange(controller.signal)).toEqual([file]);
});
