import type { BuildContext } from "../context.js";
import type { Server } from "../model.js";
import { type DocumentNode, getMember, listMembers, listItems, listTexts, getText } from "../node.js";

/** Builds the servers of the closest owner that declares some: the operation, its path item or the document. Leaves out unusable ones. */
export function buildServers(owners: readonly DocumentNode[], context: BuildContext): Server[] {
  const owner = owners.find((each) => listItems(getMember(each, "servers")).length > 0);
  return listItems(getMember(owner, "servers")).flatMap((node) =>
    context.buildOnce("server", node, () => buildServer(node, context)),
  );
}

function buildServer(node: DocumentNode, context: BuildContext): Server[] {
  const template = getText(node, "url") ?? "/";
  const variables = listMembers(getMember(node, "variables")).map(([name, variable]) => {
    const values = listTexts(variable, "enum");
    const defaultValue = getText(variable, "default") ?? "";
    if (values.length > 0 && !values.includes(defaultValue))
      context.warn(
        variable,
        `\`enum\` does not list the default ${JSON.stringify(defaultValue)}. Correct one of them.`,
      );
    return { name, default: defaultValue, values, description: getText(variable, "description") ?? "" };
  });
  const url = variables.reduce(
    (partialUrl, variable) => partialUrl.replaceAll(`{${variable.name}}`, () => variable.default),
    template,
  );
  const undeclaredVariable = /\{([^{}]*)\}/.exec(url)?.[1];
  if (undeclaredVariable !== undefined || !URL.canParse(url, "http://localhost")) {
    const remedy =
      undeclaredVariable === undefined
        ? "Correct it."
        : `Declare the variable ${JSON.stringify(undeclaredVariable)} with a default.`;
    context.warn(node, `The server is left out, because ${JSON.stringify(url)} is not a URL. ${remedy}`);
    return [];
  }
  return [{ url, template, variables, description: getText(node, "description") ?? "" }];
}
