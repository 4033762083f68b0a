import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { FileWatcher } from "../../../scripts/command/file-watcher.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

test("detects a file that another one of the same size and time replaces", async () => {
  const folder = createTemporaryFolder();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
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

test("detects a file of the same size that is saved, even if it is added again", async () => {
  const file = path.join(createTemporaryFolder(), "a.yaml");
  writeFileSync(file, "1");
  utimesSync(file, 1, 1);
  const watcher = new FileWatcher();
  watcher.add(file);
  writeFileSync(file, "2");
  watcher.add(file);
  expect(await watcher.waitForChange(AbortSignal.timeout(5_000))).toEqual([file]);
});

test("ignores the program's own changes of a folder, but not an earlier save of another file there", async () => {
  const folder = createTemporaryFolder();
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(folder, file), text);
  const watcher = new FileWatcher();
  watcher.add(folder);
  await watcher.ignoreChanges(folder, () => write("a.ts", "stub"));
  expect(await watcher.waitForChange(AbortSignal.timeout(200))).toEqual([]);
  await write("b.ts", "saved");
  await watcher.ignoreChanges(folder, () => write("a.ts", "another stub"));
  expect(await watcher.waitForChange(AbortSignal.timeout(5_000))).toEqual([folder]);
});

test("reports a file whose folder was replaced by a file", async () => {
  const folder = path.join(createTemporaryFolder(), "folder");
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  mkdirSync(folder);
  const file = path.join(folder, "a.yaml");
  writeFileSync(file, "a");
  const watcher = new FileWatcher();
  watcher.add(file);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  expect(await watcher.waitForChange(controller.signal)).toEqual([file]);
});

test("lists the changed files in the order of their names", async () => {
  const folder = createTemporaryFolder();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const files = ["a.yaml", "b.yaml"].map((name) => path.join(folder, name));
  const watcher = new FileWatcher();
  for (const file of files.toReversed()) watcher.add(file);
  for (const file of files) writeFileSync(file, "saved");
  expect(await watcher.waitForChange(controller.signal)).toEqual(files);
});

test("polls at longer intervals if polling takes long", async () => {
  let time = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => (time += 1_000));
  onTestFinished(() => now.mockRestore());
  expect(await new FileWatcher().waitForChange(AbortSignal.timeout(200))).toEqual([]);
  // At the start and the end of one poll.
  expect(now).toHaveBeenCalledTimes(2);
});
