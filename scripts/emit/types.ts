import type { Api, Emission } from "../model/model.js";
import { BANNER, visible } from "../code/encode.js";
import { Printer } from "./types/printer.js";

/**
 * types.ts: `paths`, `webhooks`, `components` and `operations` under the names that openapi-typescript gives them.
 *
 * That package makes the types. It is given simpler schemas than those of the document, which mean the same, because it
 * gets some things wrong: `types/schemas.ts` and `types/messages.ts` say which. Nothing else of the toolkit knows it,
 * so that another can take its place.
 */
export function emitTypes(api: Api): Emission {
  const { paths, webhooks, components, operations, aliases } = new Printer(api.directed).members();
  const sections = Object.entries(components).map(([section, members]) =>
    members.length === 0 ? `  ${section}: never;` : `  ${section}: {\n${indented(members, 2)}\n  };`,
  );
  const declarations = [
    declaration("paths", indented(paths, 1)),
    declaration("webhooks", indented(webhooks, 1)),
    declaration("components", sections.join("\n")),
    declaration("$defs", ""),
    ...aliases.map((alias) => indented([alias], 0)),
    declaration("operations", indented(operations, 1)),
  ];
  const content = visible(`${BANNER}\n\n${declarations.join("\n")}\n`);
  return { files: [{ path: "types.ts", content }], problems: [] };
}

function declaration(name: string, members: string): string {
  if (members === "") return `export type ${name} = Record<string, never>;`;
  return `export interface ${name} {\n${members}\n}`;
}

/** Members as lines that start two columns further to the right for each step; the compiler prints four. */
function indented(members: string[], depth: number): string {
  const start = "  ".repeat(depth);
  if (members.length === 0) return "";
  return members.join("\n").replace(/^(?: {4})*/gm, (spaces) => start + " ".repeat(spaces.length / 2));
}
