import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Options } from "prettier";

/** Options of Prettier that are about the look alone. Others name code to run, plugins say. */
const LOOKS = [
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
 * Formats a new adapter as the project that it becomes part of formats its code: by the Prettier that is installed with
 * this package, and the Prettier configuration or the .editorconfig that is nearest to the file. Without either the
 * text stays as it is.
 *
 * No code beside the file runs, because a document and its folder may come from anywhere: a configuration that is a
 * program, or that names a package, is passed over.
 */
export async function formatAsProject(file: string, text: string): Promise<string> {
  // An optional peer: a project that has no Prettier does not get one for the sake of this.
  const prettier = await import("prettier").catch(() => undefined);
  if (!prettier) return text;
  try {
    const config = await prettier.resolveConfigFile(file);
    if (config !== null && !(await isData(config))) return text;
    const options = { editorconfig: true, ...(config === null ? {} : { config }) };
    const found = await prettier.resolveConfig(file, options);
    if (found === null) return text;
    const looks: Options = Object.fromEntries(
      LOOKS.flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]]])),
    );
    return await prettier.format(text, { ...looks, parser: "typescript" });
  } catch {
    // A configuration that Prettier does not accept costs nothing but the look.
    return text;
  }
}

/** Whether a configuration holds options: JSON or YAML, and not the name of a package that has them. */
async function isData(file: string): Promise<boolean> {
  const name = path.basename(file);
  if (!/^(?:\.prettierrc(?:\.(?:json5?|ya?ml))?|package\.(?:json|yaml))$/.test(name)) return false;
  const text = await readFile(file, "utf8");
  if (name === "package.json") {
    // The cast: a package.json that Prettier has found its configuration in is an object.
    const { prettier } = JSON.parse(text) as { prettier?: unknown };
    return typeof prettier === "object";
  }
  if (name === "package.yaml") return !/^prettier:[ \t]*["'\w@./]/m.test(text);
  return /^\s*\{/.test(text) || /^[A-Za-z]+:(?:\s|$)/m.test(text);
}
