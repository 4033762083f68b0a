import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import type { HandlerGroup } from "./groups.js";
import type { AdapterEdit } from "./report.js";
import { isAdapterName, type SkippedSource } from "./sources.js";

/** What is in the adapters' folder, as far as a new file must mind it. */
interface Surroundings {
  dir: string;
  names: string[];
  skipped: SkippedSource[];
}

/** Says whether a file can be made for a group that no file implements, and if not, what is in the way. */
export function roomFor(
  group: HandlerGroup,
  { dir, names, skipped }: Surroundings,
): "make" | "leave" | Diagnostic {
  if (group.operations.length === 0) return "leave";
  const fileName = `${group.name}.ts`;
  // A file that could not be read was reported already. It may well be the one.
  const mayHoldIt = skipped.some(
    ({ file, text }) =>
      text.includes(group.interfaceName) || path.parse(file).name.toLowerCase() === group.name.toLowerCase(),
  );
  if (mayHoldIt) return "leave";
  // In whatever case: many file systems take `Pages.ts` and `pages.ts` for one file.
  const stem = group.name.toLowerCase();
  const taken = names.find((name) => isModule(name) && withoutExtension(name).toLowerCase() === stem);
  if (taken === undefined) return "make";
  const position = { file: path.join(dir, taken), line: 1, col: 1, pointer: "" };
  if (!isAdapterName(taken)) {
    // A new pages.ts beside pages.js would be imported in its place.
    const handlers = group.operations.map(({ name }) => name).join(", ");
    const message = `only .ts and .mts files are read; see to it that this one has the handlers ${handlers}`;
    return { severity: "warning", message, position };
  }
  return {
    severity: "error",
    message: `does not implement ${group.interfaceName}; do it here, or rename this file to make room for a new ${fileName}`,
    position,
  };
}

/** Whether an import of a name without extension, or with the extension `.js`, could mean this file. */
function isModule(name: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(name) && !/\.(?:d|test)\.[cm]?tsx?$/.test(name);
}

function withoutExtension(name: string): string {
  return path.parse(name).name;
}

/** The edits that make the files of groups that have none. */
export async function makeFiles(
  groups: HandlerGroup[],
  dir: string,
  routesModule: string,
): Promise<AdapterEdit[]> {
  if (groups.length === 0) return [];
  // It needs ts-morph, which has a compiler of its own to load: only when there is something to make.
  const { newAdapterFiles } = await import("./scaffold.js");
  const contents = newAdapterFiles(groups, dir, routesModule);
  return groups.map((group, index) => ({
    file: path.join(dir, `${group.name}.ts`),
    content: contents[index] ?? "",
    added: group.operations.map(({ name }) => name),
    created: true,
  }));
}
