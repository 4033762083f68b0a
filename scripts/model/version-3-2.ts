import type { BuildContext } from "./context.js";
import { listOperations } from "./path-item.js";
import { type Node, getMember, listMembers, isObject, listItems, getText } from "./node.js";

/**
 * Reports the features of OpenAPI 3.2 that the toolkit does not support. All others have their meaning of 3.1, or affect
 * documentation only.
 */
export function reportUnsupported32(context: BuildContext): void {
  const { document, root } = context;
  const { openapi } = document;
  if (typeof openapi !== "string" || !openapi.startsWith("3.2")) return;
  const refuse = (node: Node | undefined, what: string, remedy: string): void => {
    if (node) context.error(node, `${what} of OpenAPI 3.2 is not supported; ${remedy}`);
  };
  refuse(getMember(root, "$self"), "`$self`", "leave it out and refer to files by their paths");
  refuse(
    getMember(getMember(root, "components"), "mediaTypes"),
    "`mediaTypes`",
    "write the media types where they are used",
  );

  const content = (owner: Node | undefined): void => {
    for (const [, mediaType] of listMembers(getMember(owner && context.deref(owner), "content"))) {
      const shown = "write out the media type";
      refuse(getMember(mediaType, "$ref"), "a reference to a media type", shown);
      for (const key of ["itemEncoding", "prefixEncoding"]) {
        refuse(getMember(mediaType, key), `\`${key}\``, "declare the parts as properties, with `encoding`");
      }
    }
  };
  for (const [path, item] of listMembers(getMember(root, "paths"))) {
    const pathItem = path.startsWith("/") ? context.deref(item) : undefined;
    if (!pathItem) continue;
    const remedy = "use one of the methods of 3.1";
    refuse(getMember(pathItem, "query"), "the method QUERY", remedy);
    refuse(getMember(pathItem, "additionalOperations"), "`additionalOperations`", remedy);
    for (const [, operation] of listOperations(pathItem)) {
      content(getMember(operation, "requestBody"));
      for (const [, response] of listMembers(getMember(operation, "responses"))) content(response);
    }
  }
  for (const node of findDiscriminators(root)) {
    refuse(getMember(node, "defaultMapping"), "`defaultMapping`", "name every value in `mapping`");
  }
}

/** Finds the discriminators of all schemas. Members of examples that look like one have no `propertyName`. */
function findDiscriminators(node: Node): Node[] {
  const found: Node[] = [];
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    const discriminator = getMember(next, "discriminator");
    if (isObject(discriminator?.value) && getText(discriminator, "propertyName") !== undefined) {
      found.push(discriminator);
    }
    open.push(...listMembers(next).map(([, member]) => member), ...listItems(next));
  }
  return found.sort((a, b) => (a.pointer < b.pointer ? -1 : 1));
}
