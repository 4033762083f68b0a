import { readFile } from "node:fs/promises";
import path from "node:path";
import { load } from "js-yaml";
import { getOwnValue, isObject } from "../json.js";

/**
 * Formats a new adapter in the style of its project, with the Prettier that is installed beside this package and the
 * nearest Prettier configuration or .editorconfig. Without Prettier or a configuration, the text is unchanged.
 *
 * The folder is not trusted, so none of its code runs: with a configuration that is a program or names a module, the
 * text is unchanged too.
 */
export async function formatAsProject(file: string, text: string): Promise<string> {
  // An optional peer dependency: a project without Prettier does not have to install it.
  const prettier = await import("prettier").catch(() => undefined);
  if (!prettier) return text;
  try {
    const config = await prettier.resolveConfigFile(file);
    if (config !== null && !(await containsOptions(config))) return text;
    const resolved = await prettier.resolveConfig(file, { editorconfig: true, config: config ?? undefined });
    if (resolved === null) return text;
    // Plugins are the only option that loads code.
    return await prettier.format(text, { ...resolved, plugins: [], parser: "typescript" });
  } catch {
    // Prettier or a parser rejects the configuration: the text stays unformatted.
    return text;
  }
}

/**
 * Whether a configuration file contains options, instead of code or the name of a module, which Prettier would import.
 *
 * @throws for text that is not JSON or YAML
 */
async function containsOptions(file: string): Promise<boolean> {
  const name = path.basename(file);
  if (!/^(?:\.prettierrc(?:\.(?:json5?|ya?ml))?|package\.(?:json|yaml))$/.test(name)) return false;
  const text = await readFile(file, "utf8");
  if (name === "package.json") return isObject(getOwnValue(JSON.parse(text), "prettier"));
  if (name === "package.yaml") return isObject(getOwnValue(load(text), "prettier"));
  // A brace starts an object, which is not parsed here, because it can be JSON5.
  return /^\s*\{/.test(text) || isObject(load(text));
}
