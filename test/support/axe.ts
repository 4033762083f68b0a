import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that depend on colors: the other ones find the same in light and dark mode, which differ in colors only. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Returns the violations that axe finds in a page. `evaluate` bypasses the page's policy, which blocks other scripts. */
export function findViolations(page: Page): Promise<string[]> {
  return runAxe(page, {});
}

/** Returns the violations of the rules that depend on colors. */
export function findColorViolations(page: Page): Promise<string[]> {
  return runAxe(page, { runOnly: COLOR_RULES });
}

async function runAxe(page: Page, options: { runOnly?: string[] }): Promise<string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  // The cast: the script above defines `axe`.
  const { violations: found } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
