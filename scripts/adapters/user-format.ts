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
 * Formats a new adapter as the project that it becomes part of formats its code: by the Prettier configuration or the
 * .editorconfig that is nearest to it. Without either the text stays as it is.
 *
 * No code of that project runs, because it may come from anywhere: a configuration that is a program, or that names a
 * package, is passed over.
 */
export async function formatAsProject(file: string, text: string): Promise<string> {
  const { format, resolveConfig, resolveConfigFile } = await import("prettier");
  const config = await resolveConfigFile(file).catch(() => null);
  const found =
    config !== null && !(await isData(config))
      ? null
      : await resolveConfig(file, { editorconfig: true, ...(config === null ? {} : { config }) }).catch(
          () => null,
        );
  if (found === null) return text;
  const looks: Options = Object.fromEntries(
    LOOKS.flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]]])),
  );
  // With options that Prettier does not accept nothing is lost but the look.
  return format(text, { ...looks, parser: "typescript" }).catch(() => text);
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
