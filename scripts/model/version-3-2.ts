import type { BuildContext } from "./context.js";
import { listOperations } from "./path-item.js";
import { isObject } from "../json.js";
import { type Node, getMember, listMembers, listItems, getText } from "./node.js";

/**
 * Reports the features of OpenAPI 3.2 that the toolkit does not support. Its other additions are supported or only affect
 * documentation. Callbacks are not searched: their problems are not reported, because only generated types use them.
 */
export function reportUnsupported32(context: BuildContext): void {
  const { document, root } = context;
  if (!String(document.openapi).startsWith("3.2")) return;
  const report = (owner: Node | undefined, key: string, feature: string, remedy: string): void => {
    const node = getMember(owner, key);
    if (node) context.error(node, `${feature} of OpenAPI 3.2 is not supported; ${remedy}`);
  };
  const reportContent = (reference: Node | undefined): void => {
    const owner = reference && context.deref(reference);
    for (const [, mediaType] of listMembers(getMember(owner, "content"))) {
      report(mediaType, "$ref", "a reference to a media type", "write out the media type");
      for (const key of ["itemEncoding", "prefixEncoding"])
        report(mediaType, key, `\`${key}\``, "declare the parts as properties, with `encoding`");
    }
  };
  report(root, "$self", "`$self`", "leave it out and refer to files by their paths");
  const components = getMember(root, "components");
  report(components, "mediaTypes", "`mediaTypes`", "write the media types where they are used");
  const pathItems = ["paths", "webhooks"].flatMap((key) => listMembers(getMember(root, key)));
  for (const [name, reference] of pathItems) {
    const pathItem = name.startsWith("x-") ? undefined : context.deref(reference);
    if (!pathItem) continue;
    const remedy = "use one of the methods of 3.1";
    report(pathItem, "query", "the method QUERY", remedy);
    report(pathItem, "additionalOperations", "`additionalOperations`", remedy);
    for (const [, operation] of listOperations(pathItem)) {
      reportContent(getMember(operation, "requestBody"));
      for (const [, response] of listMembers(getMember(operation, "responses"))) reportContent(response);
    }
  }
  for (const discriminator of findDiscriminators(root))
    report(discriminator, "defaultMapping", "`defaultMapping`", "name every value in `mapping`");
}

/** Finds the discriminators of all schemas. Members of examples that look like one have no `propertyName`. */
function findDiscriminators(node: Node): Node[] {
  const found: Node[] = [];
  const pending = [node];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const discriminator = getMember(next, "discriminator");
    if (isObject(discriminator?.value) && getText(discriminator, "propertyName") !== undefined) {
      found.push(discriminator);
    }
    pending.push(...listMembers(next).map(([, member]) => member), ...listItems(next));
  }
  return found;
}
