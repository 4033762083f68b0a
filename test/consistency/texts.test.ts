import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "../support/api-document.js";

/** Every text for readers. */
const TEXTS = [
  "README.md",
  ...[".github", "spec", "scripts", "src", "test"].flatMap((folder) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => path.posix.join(folder, file)),
  ),
].filter((file) => !file.startsWith("test/fixtures/"));
const read = (file: string): string => readFileSync(path.join(PROJECT, file), "utf8");

test("links between texts lead to files that are there", () => {
  expect(TEXTS).toContain("README.md");
  const links = TEXTS.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => ({ file, link })),
  );
  expect(links.length).toBeGreaterThan(5);
  const dead = links.filter(({ file, link }) => !existsSync(path.join(PROJECT, path.dirname(file), link)));
  expect(dead).toEqual([]);
});

test("the scripts that texts name are in package.json", () => {
  // The cast: that is what our package.json holds.
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = TEXTS.flatMap((file) =>
    [...read(file).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = ""]) => ({
      file,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
});
