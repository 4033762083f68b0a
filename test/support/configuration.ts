import { readConfig } from "../../src/config.js";

/** Lists the environment variables that the configuration reads, in alphabetical order, without the names of secret files. */
export function configurationVariables(): string[] {
  const names = new Set<string>();
  const get = (_: object, name: string | symbol): undefined => void names.add(String(name));
  readConfig(new Proxy({}, { get }));
  return [...names].filter((name) => !name.endsWith("_FILE")).sort();
}
