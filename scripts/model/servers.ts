import type { Server } from "./model.js";
import { type Node, child, entries, items, text } from "./node.js";

/** The servers of the innermost owner that declares some: an operation, its path item or the document. */
export function buildServers(...owners: Node[]): Server[] {
  const owner = owners.find((each) => items(child(each, "servers")).length > 0);
  return items(owner && child(owner, "servers")).map((node) => {
    const template = text(node, "url") ?? "/";
    const variables = entries(child(node, "variables")).map(([name, variable]) => ({
      name,
      default: text(variable, "default") ?? "",
      values: items(child(variable, "enum")).flatMap(({ value }) =>
        typeof value === "string" ? [value] : [],
      ),
      description: text(variable, "description") ?? "",
    }));
    const url = variables.reduce(
      (filled, each) => filled.replaceAll(`{${each.name}}`, () => each.default),
      template,
    );
    return { url, template, variables, description: text(node, "description") ?? "" };
  });
}
