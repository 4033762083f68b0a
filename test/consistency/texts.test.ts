import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT } from "../support/api-document.js";

/** Every Markdown file of the project. */
const TEXTS = [
  "README.md",
  ...[".github", "spec", "scripts", "src", "test"].flatMap((folder) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => path.posix.join(folder, file)),
  ),
].filter((file) => !file.startsWith("test/fixtures/"));
const read = (file: string): string => readFileSync(path.join(PROJECT, file), "utf8");

test("links between Markdown files lead to existing files", () => {
  expect(TEXTS).toContain("README.md");
  const links = TEXTS.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => ({ file, link })),
  );
  expect(links.length).toBeGreaterThan(5);
  const dead = links.filter(({ file, link }) => !existsSync(path.join(PROJECT, path.dirname(file), link)));
  expect(dead).toEqual([]);
});

test("npm scripts that Markdown files mention are in package.json", () => {
  // The cast: the project's package.json has scripts.
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const mentions = TEXTS.flatMap((file) =>
    [...read(file).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = ""]) => ({
      file,
      name,
    })),
  );
  expect(mentions.length).toBeGreaterThan(5);
  expect(mentions.filter(({ name }) => !(name in scripts))).toEqual([]);
});
