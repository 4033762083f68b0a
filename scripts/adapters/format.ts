import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Options } from "prettier";

/** Options of Prettier that only affect the style. Other options, such as `plugins`, would load code. */
const STYLE_OPTIONS = [
  "arrowParens",
  "bracketSpacing",
  "endOfLine",
  "objectWrap",
  "printWidth",
  "quoteProps",
  "semi",
  "singleQuote",
  "tabWidth",
  "trailingComma",
  "useTabs",
] as const;

/**
 * Formats a new adapter in the style of its project: with the Prettier that is installed with this package, and the
 * nearest Prettier configuration or .editorconfig. Without either, the text is unchanged.
 *
 * The folder is not trusted, so none of its code runs: configurations that are programs or refer to packages are ignored.
 */
export async function formatAsProject(file: string, text: string): Promise<string> {
  // An optional peer dependency: a project without Prettier does not have to install it.
  const prettier = await import("prettier").catch(() => undefined);
  if (!prettier) return text;
  try {
    const config = await prettier.resolveConfigFile(file);
    if (config !== null && !(await containsOptions(config))) return text;
    const options = { editorconfig: true, ...(config === null ? {} : { config }) };
    const resolved = await prettier.resolveConfig(file, options);
    if (resolved === null) return text;
    const styleOptions: Options = Object.fromEntries(
      STYLE_OPTIONS.flatMap((name) => (resolved[name] === undefined ? [] : [[name, resolved[name]]])),
    );
    return await prettier.format(text, { ...styleOptions, parser: "typescript" });
  } catch {
    // The text stays unformatted if Prettier rejects the configuration.
    return text;
  }
}

/** Whether a configuration file contains options as JSON or YAML, instead of the name of a package. */
async function containsOptions(file: string): Promise<boolean> {
  const name = path.basename(file);
  if (!/^(?:\.prettierrc(?:\.(?:json5?|ya?ml))?|package\.(?:json|yaml))$/.test(name)) return false;
  const text = await readFile(file, "utf8");
  if (name === "package.json") {
    // The cast: Prettier found its configuration in this package.json, so it is an object.
    const { prettier } = JSON.parse(text) as { prettier?: unknown };
    return typeof prettier === "object";
  }
  if (name === "package.yaml") return !/^prettier:[ \t]*["'\w@./]/m.test(text);
  return /^\s*\{/.test(text) || /^[A-Za-z]+:(?:\s|$)/m.test(text);
}
